import { createPlaceholderDetector } from '../detectors/create-placeholder-detector';
import { BUILT_IN } from '../detectors/built-in-detectors';
import { CHECKS_MAX, type Checks, type Detector } from '../detectors/detector';
import type { RuleWatch, StageRules } from '../rules/compile-rules';
import type { GuardrailRule, Stage } from '../rules/guardrail-rule';
import type { MaskBook } from '../rules/mask-book';
import type { Finding, Watch } from '../text/text-window';

/** What stopped a request or a reply. Never the text itself. */
type Stop = { readonly rule: GuardrailRule; readonly detector: string; readonly isUnmaskable?: true };

/** What was seen so far in one request and its reply. */
export type Sightings = { isScanned: boolean; isFlagged: boolean; isMasked: boolean; stop: Stop | undefined };

type Replacement = { readonly text: string; readonly isMask: boolean };

/** What is looked for in the texts of one stage of one request, and what becomes of it. */
export type Screen = {
  readonly watches: readonly Watch[];
  /** Whether nothing is looked for that could be a plain word. */
  readonly passesWords: boolean;
  /** For all texts together. */
  readonly checks: Checks;
  /** What to write in place of a finding; undefined leaves it as it is. */
  judge(finding: Finding, value: string): Replacement | undefined;
  /** A text was looked at. */
  note(): void;
};

/** `fixed`: for places where nothing can stand in place of what does; what would be masked there stops the request. */
export type RequestScreen = Screen & { readonly fixed: Screen };

type ScreenParts = {
  readonly rules: Pick<StageRules, 'watches'>;
  readonly stage: Stage;
  readonly book: MaskBook;
  readonly sightings: Sightings;
};

const BUILT_INS: ReadonlySet<Detector> = new Set(Object.values(BUILT_IN));

export function createSightings(): Sightings {
  return { isScanned: false, isFlagged: false, isMasked: false, stop: undefined };
}

/** In replies, what the request masked is put back after the rules have seen the model's own words. */
export function createScreen({ rules, stage, book, sightings }: ScreenParts): RequestScreen {
  const own = new Map<Watch, { readonly watch: RuleWatch; readonly rank: number }>();
  rules.watches.forEach((watch, rank) => own.set(watch, { watch, rank }));
  const placeholders = stage === 'output' ? book.placeholders() : [];
  const restoring: Watch[] = placeholders.length === 0 ? [] : [{ detector: createPlaceholderDetector(placeholders), role: 'restore' }];
  const strictestOf = ({ watches }: Finding): RuleWatch | undefined =>
    watches.flatMap((watch) => own.get(watch) ?? []).sort((one, other) => one.rank - other.rank)[0]?.watch;
  const screen: Screen = {
    watches: [...rules.watches, ...restoring],
    passesWords: rules.watches.every(({ detector }) => BUILT_INS.has(detector)),
    checks: { left: CHECKS_MAX },
    note: () => {
      if (own.size > 0) sightings.isScanned = true;
    },
    judge: (finding, value) => {
      const first = strictestOf(finding);
      if (first === undefined) return restore(book, value);
      if (first.role === 'mask') {
        sightings.isMasked = true;
        return { text: book.mask(first.detector.name, value, stage === 'input'), isMask: true };
      }
      if (first.role === 'block') sightings.stop ??= { rule: first.rule, detector: first.detector.name };
      sightings.isFlagged = true;
      return undefined;
    },
  };
  const judgeFixed = (finding: Finding): undefined => {
    const first = strictestOf(finding);
    if (first === undefined) return;
    if (first.role === 'mask') sightings.stop ??= { rule: first.rule, detector: first.detector.name, isUnmaskable: true };
    if (first.role === 'block') sightings.stop ??= { rule: first.rule, detector: first.detector.name };
    sightings.isFlagged = true;
  };
  return { ...screen, fixed: { ...screen, judge: judgeFixed } };
}

/** A screen that only puts back what the request masked, for what a reply repeats of its request. */
export function createRestoringScreen(book: MaskBook): Screen {
  return createScreen({ rules: { watches: [] }, stage: 'output', book, sightings: createSightings() });
}

function restore(book: MaskBook, value: string): Replacement | undefined {
  const text = book.restore(value);
  return text === undefined ? undefined : { text, isMask: false };
}
