import type { ChatDialect, UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import {
  addLiterals,
  createRestoringScreen,
  createScreen,
  createSightings,
  createStreamGuard,
  listReplyTexts,
  listTexts,
  screenPieces,
  screenLongRequest,
  screenReply,
  screenRequest,
  screenText,
  type CompiledRules,
  type GuardrailRule,
  type MaskBook,
  type ReplyScreens,
  type RequestBody,
  type ScreenedPieces,
  type Stage,
  type StageRules,
  type StreamGuard,
} from '@weir/guardrails';
import { takeTurn } from '@weir/http-server';
import { askScanners, describeFailedScan, type ScannerParts } from './ask-scanners';

type GuardrailVerdict = NonNullable<UsageEvent['guardrail']>;

/** The guardrails over one request, from its admission to its reply. */
export type RequestGuard = {
  /** What they made of it so far. */
  verdict(): GuardrailVerdict;
  /** Why nothing may go on; undefined while everything may. */
  refusal(): GatewayError | undefined;
  /** Checks the request; returns its body as it may go on. */
  checkRequest(body: RequestBody): Promise<string>;
  /** Checks the texts of a request that is no JSON; returns a function that gives each text as it may go on; `isFixed`: where nothing can be masked. */
  checkTexts(texts: readonly string[]): Promise<(text: string, isFixed?: boolean) => string>;
  /** True when replies have to be checked at all. */
  concernsReplies(): boolean;
  /** True when a reply has to be known as a whole before any of it passes. */
  readonly needsWholeReplies: boolean;
  /** Has scanners check the texts of a reply. */
  askAboutReply(texts: readonly string[]): Promise<void>;
  /** A whole reply as it may be sent, should nothing refuse it. */
  rewriteReply(text: string, dialect: ChatDialect): string;
  /** Checks the texts of a reply that is no JSON, each text in its pieces; returns them as they may be sent. */
  checkReplyTexts(texts: readonly (readonly string[])[]): Promise<ScreenedPieces[]>;
  listReplyTexts(text: string, dialect: ChatDialect): string[];
  openStream(dialect: ChatDialect): StreamGuard;
};

type GuardParts = {
  readonly rules: CompiledRules;
  readonly book: MaskBook;
  readonly scanners: ScannerParts;
  readonly requestId: string;
  readonly organizationId: string;
};

export function createRequestGuard({ rules, book, scanners, requestId, organizationId }: GuardParts): RequestGuard {
  const sightings = createSightings();
  let hasScanError = false;
  let refusal: GatewayError | undefined;
  let output: StageRules = rules.output;

  const askAbout = async (stage: Stage, texts: readonly string[]): Promise<StageRules> => {
    const asked = rules[stage].scanners;
    if (asked.length === 0 || texts.length === 0) return rules[stage];
    const answer = await askScanners(asked, { stage, texts, requestId, organizationId }, scanners);
    sightings.isScanned ||= answer.failed.length < asked.length;
    sightings.isFlagged ||= answer.isFlagged;
    hasScanError ||= answer.failed.length > 0;
    const closed = answer.failed.find(({ onError }) => onError === 'closed');
    if (answer.stoppedBy !== undefined) refusal ??= refuse(answer.stoppedBy, 'its scanner');
    if (closed !== undefined) refusal ??= describeFailedScan(closed);
    return addLiterals(rules[stage], answer.literals);
  };

  const openScreens = (dialect: ChatDialect): ReplyScreens => ({
    dialect,
    screen: createScreen({ rules: output, stage: 'output', book, sightings }),
    restoring: createRestoringScreen(book),
    isStopped: () => findRefusal() !== undefined,
  });

  const findRefusal = (): GatewayError | undefined => {
    const { stop } = sightings;
    const where = stop?.isUnmaskable === true ? UNMASKABLE : '';
    if (stop !== undefined) refusal ??= refuse(stop.rule, `"${stop.detector}"`, where);
    return refusal;
  };

  return {
    verdict: () => {
      if (sightings.isMasked && findRefusal() === undefined) return 'masked';
      if (sightings.isFlagged) return 'flagged';
      if (hasScanError) return 'scan_error';
      return sightings.isScanned ? 'passed' : 'not_scanned';
    },
    refusal: findRefusal,
    checkRequest: async (body) => {
      const stage = await askAbout('input', rules.input.scanners.length === 0 ? [] : listTexts(body));
      if (stage.watches.length === 0) return body.text;
      const screen = createScreen({ rules: stage, stage: 'input', book, sightings });
      return body.text.length > SHORT_LENGTH ? screenLongRequest(body, screen, takeTurn) : screenRequest(body, screen);
    },
    checkTexts: async (texts) => {
      const said = texts.filter((text) => text !== '');
      const stage = await askAbout('input', said);
      const screen = createScreen({ rules: stage, stage: 'input', book, sightings });
      return (text, isFixed = false) => (text === '' ? text : screenText(text, 'text', isFixed ? screen.fixed : screen).text);
    },
    concernsReplies: () => output.watches.length > 0 || output.scanners.length > 0 || book.placeholders().length > 0,
    needsWholeReplies: rules.output.scanners.length > 0,
    askAboutReply: async (texts) => {
      output = await askAbout('output', texts);
    },
    rewriteReply: (text, dialect) => screenReply(text, openScreens(dialect)),
    checkReplyTexts: async (texts) => {
      const said = [...new Set(texts.map((pieces) => pieces.join(' ').trim()))].filter((text) => text !== '');
      output = await askAbout('output', said);
      const screen = createScreen({ rules: output, stage: 'output', book, sightings });
      return texts.map((pieces) => screenPieces(pieces, screen));
    },
    listReplyTexts,
    openStream: (dialect) => createStreamGuard(openScreens(dialect)),
  };
}

/** A request whose text is longer may hold thousands of places: others are served while it is looked through. */
const SHORT_LENGTH = 16 * 1024;

const UNMASKABLE = ' that cannot be masked where it stands: a name, an address, a number, a stop sequence or the like';

function refuse({ name }: GuardrailRule, by: string, where = ''): GatewayError {
  return new GatewayError(
    'guardrail_blocked',
    `The guardrail "${name}" does not let this pass: ${by} found something${where}. Change the request, or ask an administrator about the guardrail.`,
  );
}
