import { promptTokens } from '@weir/canonical';
import type { Attempt, Passport, UsageEvent } from '@weir/contracts';
import { usesFreeSlot } from '@weir/limits';
import { seenIn, type AttemptMetrics, type RunningSpan } from '@weir/telemetry';
import type { KeptHold } from '../holds/hold-keeper';
import type { ClosingFacts, OpenAttempt, Receipt } from '../meter';
import { KeptSlot } from './free-slot-keeper';
import { describeSpan, endSpan, type RequestView } from './request-observer';

/** The request that attempts belong to, as far as they concern it. */
type AttemptOwner = {
  readonly passport: Passport;
  readonly hold: KeptHold | undefined;
  readonly slot: KeptSlot | undefined;
  readonly view: RequestView | undefined;
  readonly metrics: AttemptMetrics | undefined;
  readonly guard: VerdictSource | undefined;
  readonly noteTokens: ((attempt: Attempt, tokens: number) => void) | undefined;
};

/** Reports the guardrails' verdict on a request so far. */
export type VerdictSource = { verdict(): NonNullable<UsageEvent['guardrail']> };

/** One attempt of a request, in its journal and for all who have to know of it: the hold, the slot, metrics and the trace. */
export class RequestAttempt implements OpenAttempt {
  private readonly openedAt = performance.now();
  private readonly hold: KeptHold | undefined;
  /** Absent where the attempt cannot use it. */
  private readonly slot: KeptSlot | undefined;
  private readonly span: RunningSpan | undefined;
  private readonly outputMax: number;
  private firstByteMs: number | null = null;
  private isClosed = false;

  constructor(
    private readonly request: AttemptOwner,
    private readonly journalled: OpenAttempt,
    private readonly attempt: Attempt,
    private readonly index: number,
  ) {
    const { passport, hold, slot, view } = request;
    this.hold = hold;
    this.outputMax = passport.hold?.bounds[index]?.outputTokens ?? Infinity;
    this.slot = slot !== undefined && KeptSlot.isFor(attempt) ? slot : undefined;
    this.span = view?.opened(passport, index);
    hold?.opened();
    slot?.opened();
  }

  get eventId(): string {
    return this.journalled.eventId;
  }

  progress(outputTokens: number): void {
    if (outputTokens > 0) this.slot?.use();
    this.journalled.progress(outputTokens < this.outputMax ? outputTokens : this.outputMax);
  }

  noteFirstByte(): void {
    this.journalled.noteFirstByte();
    if (this.firstByteMs !== null) return;
    this.firstByteMs = performance.now() - this.openedAt;
    this.request.view?.replied();
    this.span?.note('first byte');
  }

  close(given: ClosingFacts): Receipt {
    const facts = this.describe(given);
    const receipt = this.journalled.close(facts);
    if (this.isClosed) return receipt;
    this.isClosed = true;
    this.hold?.closed(receipt, facts.isLogical, this.index);
    this.request.noteTokens?.(this.attempt, promptTokens(facts.usage) + facts.usage.output);
    // By what the event says, as the aggregator counts it: of an attempt that failed and is not charged, nothing.
    this.request.slot?.closed(
      this.slot !== undefined && facts.isLogical && usesFreeSlot({ status: facts.status, outputTokens: receipt.outputTokens }),
    );
    this.show(facts, receipt);
    return receipt;
  }

  /** With the guardrails' verdict, and the span where its trace is kept. */
  private describe(given: ClosingFacts): ClosingFacts {
    const { guard } = this.request;
    if (guard === undefined && this.span === undefined) return given;
    const facts = guard === undefined ? given : { guardrail: guard.verdict(), ...given };
    return this.span === undefined ? facts : { ...facts, ...describeSpan(this.span) };
  }

  private show(facts: ClosingFacts, receipt: Receipt): void {
    const { passport, view, metrics } = this.request;
    view?.replied();
    metrics?.settled(this.measure(facts, receipt));
    const { firstByteMs } = this;
    const attempt = facts.served === undefined ? this.attempt : { ...this.attempt, ...facts.served };
    if (this.span !== undefined) endSpan(this.span, { passport, attempt }, { facts, receipt, firstByteMs });
  }

  private measure({ status, usage, doubted, served }: ClosingFacts, { costPico }: Receipt): Parameters<AttemptMetrics['settled']>[0] {
    return {
      endpoint: this.request.passport.endpointId,
      provider: this.attempt.providerId,
      model: served?.modelId ?? this.attempt.modelId,
      outcome: status,
      durationMs: performance.now() - this.openedAt,
      firstByteMs: this.firstByteMs,
      tokens: usage,
      costPico,
      isDoubted: doubted !== undefined,
      isStream: this.request.passport.stream,
      seen: this.span === undefined ? undefined : seenIn(this.span.traceparent, this.request.passport.requestId),
    };
  }
}
