import {
  getEndpoint,
  type Attempt,
  type Passport,
  type PriceSheet,
  type UsageEvent,
  type UsageStatus,
  type UsageUnits,
} from '@weir/contracts';
import { NO_USAGE, type Usage } from '@weir/canonical';
import { formatUsd } from '@weir/pricing';
import type { JournalLog } from './journal-log';
import { describeUnits, priceAttempt, type MeasuredUnits } from './price-attempt';
import type { UsageJournal } from './usage-journal';

export type ClosingFacts = {
  readonly usage: Usage;
  /** What a model without token prices is charged for. */
  readonly measured?: MeasuredUnits;
  readonly status: UsageStatus;
  readonly httpStatus: number | null;
  readonly errorOrigin: 'router' | 'provider' | null;
  /** Why it failed, by the error catalogue. */
  readonly errorCode?: string;
  /** What the provider told of an attempt that failed is kept, but costs nothing. */
  readonly isUncharged?: boolean;
  /** What the guardrails made of the request and its answer; absent: they looked at neither. */
  readonly guardrail?: UsageEvent['guardrail'];
  /** True on the one attempt that counts its request. */
  readonly isLogical: boolean;
};

/** What the usage is worth, and what the organization pays for it: nothing under its own provider key. */
export type Receipt = { readonly costPico: bigint; readonly costUsd: string; readonly billedPico: bigint };

/** One attempt that may cost money, from before it is sent until what became of it is in the journal. */
export type OpenAttempt = {
  readonly eventId: string;
  /** Notes how many output tokens were read so far; writes only now and then. */
  progress(outputTokens: number): void;
  noteFirstByte(): void;
  /** Prices the usage and journals the event. Only the first call counts; later ones answer the same. */
  close(facts: ClosingFacts): Receipt;
};

/**
 * What an attempt uses at least, as far as it is known before it is sent, and what a crash would charge: tokens of the
 * prompt; of media what can be counted, which whoever tells it keeps within the hold.
 */
export type ExpectedUse = number | { readonly usage: Usage; readonly measured: MeasuredUnits };

export type Till = {
  /** Journals that this attempt is about to be sent. Throws when the journal accepts nothing: then nothing may be sent. */
  openAttempt(passport: Passport, attemptIndex: number, expected: ExpectedUse): OpenAttempt;
};

type TillOptions = {
  readonly journal: Pick<UsageJournal, 'begin' | 'progress' | 'end'>;
  readonly now: () => number;
  /** Milliseconds of a clock that is never set, because durations must survive a correction of the time of day. */
  readonly elapsed?: () => number;
  readonly log?: JournalLog;
};

const PROGRESS_EVERY_MS = 2_000;
/** About 4 KiB of text. */
const PROGRESS_EVERY_TOKENS = 1_000;

/** Where every worker opens an attempt before it costs money and closes it when the price is known. */
export function createTill({ elapsed = () => performance.now(), ...given }: TillOptions): Till {
  const options = { ...given, elapsed };
  /** Price sheets come from the catalogue and are the same objects for as long as it stands. */
  const sheetTexts = new WeakMap<PriceSheet, string>();
  return {
    openAttempt: (passport, attemptIndex, expected) => {
      const attempt = passport.attempts[attemptIndex];
      if (attempt === undefined) throw new RangeError(`the passport has no attempt ${attemptIndex}`);
      const draft = draftEvent(passport, attemptIndex, { attempt, openedAt: options.now(), expected });
      let sheetText = sheetTexts.get(attempt.prices);
      if (sheetText === undefined) {
        sheetText = JSON.stringify(attempt.prices);
        sheetTexts.set(attempt.prices, sheetText);
      }
      const imageUnit = nameImageUnit(expected);
      options.journal.begin(draft.event_id, `{"event":${JSON.stringify(draft)},"prices":${sheetText}${imageUnit}}`);
      return new JournalledAttempt(draft, attempt, options);
    },
  };
}

class JournalledAttempt implements OpenAttempt {
  readonly eventId: string;
  /** Of the clock that is never set, as are all moments here. */
  private readonly openedAt: number;
  private firstByteAt: number | undefined;
  private notedTokens = 0;
  private notedAt: number;
  private receipt: Receipt | undefined;

  constructor(
    private readonly draft: UsageEvent,
    private readonly attempt: Attempt,
    private readonly options: TillOptions & { readonly elapsed: () => number },
  ) {
    this.eventId = draft.event_id;
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
    const worthPico = this.price(facts);
    const costPico = facts.isUncharged === true ? 0n : worthPico;
    const billedPico = this.attempt.isByok ? 0n : costPico;
    const receipt = { costPico, costUsd: formatUsd(costPico), billedPico };
    // The draft becomes the event: copying forty fields would cost as much as writing them.
    const event = this.draft;
    event.logical = facts.isLogical;
    event.dur_ms = Math.round(this.options.elapsed() - this.openedAt);
    // So that it stands after its beginning, whoever sets the time of day meanwhile.
    event.ended_at += event.dur_ms;
    event.ttft_ms = this.firstByteAt === undefined ? null : Math.round(this.firstByteAt - this.openedAt);
    const units = describeUnits(facts.usage, facts.measured);
    if (facts.isUncharged === true && worthPico > 0n) event.uncharged = { units, cost_p: worthPico.toString() };
    event.units = facts.isUncharged === true ? NO_UNITS : units;
    event.unit_source = facts.usage.source;
    event.cost_p = costPico.toString();
    event.billed_p = billedPico.toString();
    event.status = facts.status;
    event.http_status = facts.httpStatus;
    event.error_origin = facts.errorOrigin;
    if (facts.guardrail !== undefined) event.guardrail = facts.guardrail;
    if (facts.errorCode !== undefined) event.error_code = facts.errorCode;
    this.options.journal.end(event);
    this.receipt = receipt;
    return receipt;
  }

  /** What cannot be priced is still journalled with what was used, so that it can be charged later; and somebody is told. */
  private price(facts: ClosingFacts): bigint {
    try {
      return priceAttempt(this.attempt.prices, facts.usage, facts.measured);
    } catch (error) {
      const { eventId } = this;
      this.options.log?.error({ error, eventId, priceVersion: this.attempt.prices.version }, 'usage could not be priced');
      return 0n;
    }
  }
}

/** An event counts all pictures alike: what they are charged by stands beside it, as a further member of the draft. */
function nameImageUnit(expected: ExpectedUse): string {
  const unit = typeof expected === 'number' ? undefined : Object.keys(expected.measured).find((name) => name.startsWith('image:'));
  return unit === undefined ? '' : `,"image_unit":${JSON.stringify(unit)}`;
}

function describeExpected(expected: ExpectedUse): UsageUnits {
  if (typeof expected !== 'number') return describeUnits(expected.usage, expected.measured);
  return { ...NO_UNITS, in: Math.max(0, Math.ceil(expected)) };
}

type DraftFacts = { readonly attempt: Attempt; readonly openedAt: number; readonly expected: ExpectedUse };

/** The event as it stands before anything came back: what a crash would leave us with. */
function draftEvent(passport: Passport, attemptIndex: number, facts: DraftFacts): UsageEvent {
  const { caller, hold } = passport;
  const { attempt, openedAt } = facts;
  const event: UsageEvent = {
    v: 1,
    event_id: `${passport.requestId}:${attemptIndex + 1}`,
    request_id: passport.requestId,
    attempt_no: attemptIndex + 1,
    logical: true,
    admitted_at: passport.admittedAtMs,
    ended_at: openedAt,
    dur_ms: 0,
    ttft_ms: null,
    org_id: caller.organizationId,
    api_key_id: caller.apiKeyId,
    user_id: caller.userId,
    group_id: caller.groupId,
    key_label_set_id: caller.apiKeyLabelSetId,
    group_label_set_id: caller.groupLabelSetId,
    endpoint: passport.endpointId,
    modality: getEndpoint(passport.endpointId).modality ?? 'chat',
    model_requested: passport.modelRequested,
    model_used: attempt.modelId,
    provider_used: attempt.providerId,
    region: attempt.region,
    is_byok: attempt.isByok,
    is_free: attempt.isFree,
    origin_title: passport.originTitle,
    end_user_id: passport.endUserId,
    trace_id: passport.traceId,
    extra: passport.extra,
    units: describeExpected(facts.expected),
    unit_source: 'estimate',
    price_version: attempt.prices.version,
    cost_p: '0',
    billed_p: '0',
    reserve_p: hold?.reservedPico ?? '0',
    hold_id: hold?.id ?? null,
    hold_scopes: hold?.scopes ?? [],
    status: 'aborted_crash',
    http_status: null,
    error_origin: 'router',
    guardrail: passport.guardrails === undefined ? null : 'not_scanned',
  };
  if (attempt.why !== undefined) event.why = attempt.why;
  return event;
}

const NO_UNITS = describeUnits(NO_USAGE);
