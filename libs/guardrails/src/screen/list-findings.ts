import type { StageRules } from '../rules/compile-rules';
import type { GuardrailRule } from '../rules/guardrail-rule';
import { createTextWindow } from '../text/text-window';

export type RuleFinding = {
  readonly rule: GuardrailRule;
  readonly detector: string;
  readonly start: number;
  readonly end: number;
};

/** Everything that rules find in a text, each place for each detector that found it; for people who try rules out. */
export function listFindings(text: string, { watches }: Pick<StageRules, 'watches'>): RuleFinding[] {
  return watches
    .flatMap((watch) => {
      // By itself: together, findings that overlap become one.
      const window = createTextWindow([watch]);
      window.push(text);
      window.end();
      return window.takeFindings().map(({ start, end }) => ({ rule: watch.rule, detector: watch.detector.name, start, end }));
    })
    .sort((one, other) => one.start - other.start || one.end - other.end);
}
