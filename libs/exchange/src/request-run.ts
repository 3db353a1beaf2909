import type { ForwardedRequest } from '@weir/http-server';
import { describeUnmetered, RequestMeter, type ExpectedUse, type OpenAttempt, type WorkerMetering } from '@weir/meter';
import type { AttemptOutcome, AttemptPlace, RunWatcher } from '@weir/routing';
import type { CancelSignal } from '@weir/upstream-http';
import type { ServerResponse } from 'node:http';
import { closeUnsent, noteOutcome } from './note-attempts';
import { openCharges, type RequestCharges } from './request-charges';
import type { RequestGuard } from './guardrails/request-guard';
import { ClientGone, watchRequest, type WatchedRequest } from './watch-request';

export type RunParts = Pick<WorkerMetering, 'requests' | 'isMeteringReady'> & {
  readonly now: () => number;
  /** True where the edge is another process: it learns of routes from a header, which it removes. */
  readonly reportsOutcomes: boolean;
};

/**
 * One request at a worker, from its arrival to its release: who waits for it and until when, what it has cost, and all that was
 * taken for it. What is asked for and how it is served is added by each modality.
 */
export class RequestRun implements WatchedRequest, RunWatcher {
  /** As the guardrails let it pass. */
  forwarded: ForwardedRequest;
  readonly response: ServerResponse;
  readonly charges: RequestCharges;
  readonly signal: CancelSignal;
  readonly isClientGone: () => boolean;
  readonly isCrowded: () => boolean;
  readonly onClientGone: (listener: () => void) => void;
  readonly abort: (reason: Error) => void;
  readonly close: () => void;
  readonly meter: RequestMeter;
  private guardrails: RequestGuard | undefined;
  private outcomes = '';

  constructor(
    forwarded: ForwardedRequest,
    private readonly parts: RunParts,
  ) {
    this.forwarded = forwarded;
    this.response = forwarded.response;
    this.charges = openCharges(forwarded);
    this.meter = new RequestMeter(forwarded, parts.requests);
    const watch = watchRequest(forwarded, parts.now);
    this.signal = watch.signal;
    this.isClientGone = watch.isClientGone;
    this.isCrowded = watch.isCrowded;
    this.onClientGone = watch.onClientGone;
    this.abort = watch.abort;
    this.close = watch.close;
  }

  /** Absent where no guardrail holds. */
  get guard(): RequestGuard | undefined {
    return this.guardrails;
  }

  guardWith(guard: RequestGuard): void {
    this.guardrails = guard;
    this.meter.guard = guard;
  }

  /** Begins the request, has it served, and releases it however that went. Rejects with the error the caller should get. */
  async serve(serving: (run: this) => Promise<void>): Promise<void> {
    try {
      this.meter.begin();
      await this.meter.run(() => serving(this));
    } catch (error) {
      // Nothing can be answered any more.
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      this.release();
    }
  }

  /** Throws `overloaded` while usage could not be journalled: nothing runs unmetered. */
  checkMetering(): void {
    if (!this.parts.isMeteringReady()) throw describeUnmetered();
  }

  openAttempt(index: number, expected: ExpectedUse): OpenAttempt {
    return this.meter.openAttempt(index, expected);
  }

  onOutcome(place: AttemptPlace, outcome: AttemptOutcome): void {
    this.outcomes = noteOutcome(this.response, { place, outcome }, this.parts.reportsOutcomes ? this.outcomes : null);
  }

  onUnsent({ index }: AttemptPlace, error: unknown): void {
    closeUnsent(this.openAttempt(index, 0), error);
  }

  /** Whatever was taken for the request and not used is given back; what it has cost is settled. */
  private release(): void {
    this.close();
    this.meter.release();
  }
}
