import type { Attempt, Passport, PriceSheet, UsageEvent, UsageStatus, UsageUnits } from '@weir/contracts';
import type { Usage } from '@weir/canonical';
import { formatUsd } from '@weir/pricing';
import type { BegunText, JournalLog, UsageJournal } from '@weir/usage-journal';
import { createDoubtLog, type DoubtLog } from './create-doubt-log';
import { encodeOutcome, encodeUnits, type Outcome } from './encode-outcome';
import { EventTexts } from './event-texts';
import { describeUnits, NO_UNITS, priceAttempt, type MeasuredUnits } from './price-attempt';

export type ClosingFacts = {
  readonly usage: Usage;
  /** What a model without token prices is charged for. */
  readonly measured?: MeasuredUnits;
  readonly status: UsageStatus;
  readonly httpStatus: number | null;
  readonly errorOrigin: 'router' | 'provider' | null;
  /** Why it failed, by the error catalogue. */
  readonly errorCode?: string;
  /** What the provider reported of an attempt that failed is kept, but costs nothing. */
  readonly isUncharged?: boolean;
  /** The reported usage, where it is not plausible and `usage` replaces it: the event keeps it, and it is logged. */
  readonly doubted?: { readonly usage: Usage; readonly measured?: MeasuredUnits };
  /** The model that replied, where it is another one than was asked for: it is priced, and named by the event. */
  readonly served?: { readonly modelId: string; readonly prices: PriceSheet };
  /** Of the attempt's span, where its trace is kept. */
  readonly traceparent?: string;
  /** The guardrails' verdict on the request and its reply; absent: they looked at neither. */
  readonly guardrail?: UsageEvent['guardrail'];
  /** True on the one attempt that counts its request. */
  readonly isLogical: boolean;
};

/** What the usage is worth, and what the organization pays for it: nothing under its own provider key. */
export type Receipt = {
  readonly costPico: bigint;
  readonly costUsd: string;
  readonly billedPico: bigint;
  /** As the event has them, caches included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** One attempt that may cost money, from before it is sent until what became of it is in the journal. */
export type OpenAttempt = {
  readonly eventId: string;
  /** Notes how many output tokens were read so far; writes only now and then. */
  progress(outputTokens: number): void;
  noteFirstByte(): void;
  /** Prices the usage and journals the event. Only the first call counts; later ones return the same. */
  close(facts: ClosingFacts): Receipt;
};

/**
 * What an attempt uses at least, as far as it is known before it is sent, and what a crash would charge: tokens of the
 * prompt; of media what can be counted. The caller keeps the latter within the hold.
 */
export type ExpectedUse = number | { readonly usage: Usage; readonly measured: MeasuredUnits };

export type Meter = {
  /** Journals that this attempt is about to be sent. Throws when the journal accepts nothing: then nothing may be sent. */
  openAttempt(passport: Passport, attemptIndex: number, expected: ExpectedUse): OpenAttempt;
};

type MeterOptions = {
  readonly journal: Pick<UsageJournal, 'begin' | 'progress' | 'end'>;
  readonly now: () => number;
  /** Milliseconds of a clock that is never set, because durations must survive a correction of the time of day. */
  readonly elapsed?: () => number;
  readonly log?: JournalLog;
};

const PROGRESS_EVERY_MS = 2_000;
/** About 4 KiB of text. */
const PROGRESS_EVERY_TOKENS = 1_000;
const DOUBTED = 'a provider reported more usage than the request explains; the bound is charged in its place';
const SERVED = 'a provider had another model reply than the one that was asked for; that one is priced';
/** What a draft has before the event. */
const DRAFT_HEAD = '{"event":';

/** Where every worker opens an attempt before it costs money and closes it when the price is known. */
export function createMeter({ elapsed = () => performance.now(), ...given }: MeterOptions): Meter {
  const texts = new EventTexts();
  const reportDoubt = createDoubtLog(given.log, elapsed, DOUBTED);
  const options = { ...given, elapsed, texts, reportDoubt, reportServed: createDoubtLog(given.log, elapsed, SERVED) };
  return {
    openAttempt: (passport, attemptIndex, expected) => {
      const attempt = passport.attempts[attemptIndex];
      if (attempt === undefined) throw new RangeError(`the passport has no attempt ${attemptIndex}`);
      const eventId = `${passport.requestId}:${attemptIndex + 1}`;
      // Most of an event is known before it is sent; its end leaves that out.
      const facts = { text: texts.encodeFacts(passport, attempt, attemptIndex + 1), at: DRAFT_HEAD.length };
      const openedAt = options.now();
      const guardrail = passport.guardrails === undefined ? null : 'not_scanned';
      const use = `"units":${encodeExpected(expected)},"ended_at":${openedAt}${guardrail === null ? '' : ',"guardrail":"not_scanned"'}`;
      const prices = texts.encodePrices(attempt);
      options.journal.begin(eventId, `${DRAFT_HEAD}${facts.text},${use}},"prices":${prices}${nameImageUnit(expected)}}`);
      return new JournalledAttempt({ eventId, facts, openedAt, guardrail, attempt, attemptNo: attemptIndex + 1, passport }, options);
    },
  };
}

type Begun = {
  readonly eventId: string;
  readonly facts: BegunText;
  /** The time of day. */
  readonly openedAt: number;
  readonly guardrail: UsageEvent['guardrail'];
  readonly attempt: Attempt;
  readonly attemptNo: number;
  readonly passport: Passport;
};

class JournalledAttempt implements OpenAttempt {
  readonly eventId: string;
  /** Of the clock that is never set, as are all moments here. */
  private readonly openedAt: number;
  private firstByteAt: number | undefined;
  private notedTokens = 0;
  private notedAt: number;
  private receipt: Receipt | undefined;

  constructor(
    private readonly begun: Begun,
    private readonly options: MeterOptions & {
      readonly elapsed: () => number;
      readonly texts: EventTexts;
      readonly reportDoubt: DoubtLog;
      readonly reportServed: DoubtLog;
    },
  ) {
    this.eventId = begun.eventId;
    this.openedAt = options.elapsed();
    this.notedAt = this.openedAt;
  }

  progress(outputTokens: number): void {
    const grown = outputTokens - this.notedTokens;
    if (grown <= 0 || this.receipt !== undefined) return;
    const now = this.options.elapsed();
    if (grown < PROGRESS_EVERY_TOKENS && now - this.notedAt < PROGRESS_EVERY_MS) return;
    this.notedTokens = outputTokens;
    this.notedAt = now;
    this.options.journal.progress(this.eventId, Math.floor(outputTokens));
  }

  noteFirstByte(): void {
    this.firstByteAt ??= this.options.elapsed();
  }

  close(facts: ClosingFacts): Receipt {
    if (this.receipt !== undefined) return this.receipt;
    const doubted = facts.doubted && describeUnits(facts.doubted.usage, facts.doubted.measured);
    if (doubted !== undefined) {
      const { eventId } = this;
      const { modelId, providerId } = this.begun.attempt;
      this.options.reportDoubt(
        { eventId, modelId, providerId },
        { reported: doubted, charged: describeUnits(facts.usage, facts.measured) },
      );
    }
    const worthPico = this.price(facts);
    const costPico = facts.isUncharged === true ? 0n : worthPico;
    const { attempt, facts: begun } = this.begun;
    const billedPico = attempt.isByok ? 0n : costPico;
    const outcome = this.describeOutcome(facts, { worthPico, costPico, billedPico });
    if (doubted !== undefined) outcome.doubted = doubted;
    const receipt = { costPico, costUsd: formatUsd(costPico), billedPico, ...countTokens(outcome.units) };
    const end = encodeOutcome(outcome);
    // What the beginning says of the model and its price does not hold: such an end is whole.
    if (facts.served === undefined) this.options.journal.end(this.eventId, end, begun);
    else this.options.journal.end(this.eventId, this.describeServed(facts.served) + end);
    this.receipt = receipt;
    return receipt;
  }

  /** The beginning of the event, as it were had the request been planned for the model that replied. */
  private describeServed(served: NonNullable<ClosingFacts['served']>): string {
    const { eventId, options } = this;
    const { attempt, attemptNo, passport } = this.begun;
    const { modelId, providerId } = attempt;
    options.reportServed({ eventId, modelId, providerId }, { reported: served.modelId, charged: served.prices.version });
    return options.texts.encodeFacts(passport, { ...attempt, ...served }, attemptNo);
  }

  private describeOutcome(facts: ClosingFacts, { worthPico, costPico, billedPico }: Pricing): Outcome {
    const durationMs = Math.round(this.options.elapsed() - this.openedAt);
    const units = describeUnits(facts.usage, facts.measured);
    const outcome: Outcome = {
      logical: facts.isLogical,
      // So that it stands after its beginning, even if the time of day is set meanwhile.
      ended_at: this.begun.openedAt + durationMs,
      dur_ms: durationMs,
      ttft_ms: this.firstByteAt === undefined ? null : Math.round(this.firstByteAt - this.openedAt),
      units: facts.isUncharged === true ? NO_UNITS : units,
      unit_source: facts.usage.source,
      cost_p: costPico.toString(),
      billed_p: billedPico.toString(),
      status: facts.status,
      http_status: facts.httpStatus,
      error_origin: facts.errorOrigin,
      guardrail: facts.guardrail === undefined ? this.begun.guardrail : facts.guardrail,
    };
    if (facts.isUncharged === true && worthPico > 0n) outcome.uncharged = { units, cost_p: worthPico.toString() };
    if (facts.errorCode !== undefined) outcome.error_code = facts.errorCode;
    if (facts.traceparent !== undefined) outcome.traceparent = facts.traceparent;
    return outcome;
  }

  /** What cannot be priced is still journalled with what was used, so that it can be charged later; and it is logged. */
  private price({ served, usage, measured }: ClosingFacts): bigint {
    const { prices } = served ?? this.begun.attempt;
    try {
      return priceAttempt(prices, usage, measured);
    } catch (error) {
      const { eventId } = this;
      this.options.log?.error({ error, eventId, priceVersion: prices.version }, 'usage could not be priced');
      return 0n;
    }
  }
}

/** An event counts all pictures alike: what they are charged by stands beside it, as a further member of the draft. */
function nameImageUnit(expected: ExpectedUse): string {
  const unit = typeof expected === 'number' ? undefined : Object.keys(expected.measured).find((name) => name.startsWith('image:'));
  return unit === undefined ? '' : `,"image_unit":${JSON.stringify(unit)}`;
}

/** Of the prompt alone, what is not named is none. */
function encodeExpected(expected: ExpectedUse): string {
  if (typeof expected !== 'number') return encodeUnits(describeUnits(expected.usage, expected.measured));
  return `{"in":${Math.max(0, Math.ceil(expected))}}`;
}

function countTokens({ in: input, cached_in: cached, cache_w5m: write5m, cache_w1h: write1h, out }: UsageUnits): ReceiptTokens {
  return { inputTokens: input + cached + write5m + write1h, outputTokens: out };
}

type ReceiptTokens = Pick<Receipt, 'inputTokens' | 'outputTokens'>;
type Pricing = { readonly worthPico: bigint; readonly costPico: bigint; readonly billedPico: bigint };
