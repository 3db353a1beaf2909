import type { ForwardedRequest } from '@weir/http-server';
import { describeUnmetered, RequestMeter, type ExpectedUse, type OpenAttempt, type WorkerMetering } from '@weir/meter';
import type { AttemptOutcome, AttemptPlace, RunWatcher } from '@weir/routing';
import { closeUnsent, noteOutcome } from './note-attempts';
import { openCharges, type RequestCharges } from './request-charges';
import type { RequestGuard } from './guardrails/request-guard';
import { ClientGone, WatchedRequest } from './watched-request';

export type RunParts = Pick<WorkerMetering, 'requests' | 'isMeteringReady'> & {
  readonly now: () => number;
  /** True where the edge is another process: it learns of routes from a header, which it removes. */
  readonly reportsOutcomes: boolean;
};

/**
 * One request at a worker, from its arrival to its release: who waits for it and until when, what it has cost, and all that was
 * taken for it. What is asked for and how it is served is added by each modality.
 */
export class RequestRun extends WatchedRequest implements RunWatcher {
  readonly charges: RequestCharges;
  readonly meter: RequestMeter;
  private guardrails: RequestGuard | undefined;
  private outcomes = '';

  constructor(
    forwarded: ForwardedRequest,
    private readonly parts: RunParts,
  ) {
    super(forwarded, parts.now);
    this.charges = openCharges(forwarded);
    this.meter = new RequestMeter(forwarded, parts.requests);
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
  serve(serving: (run: this) => Promise<void>): Promise<void> {
    return this.begin(serving).then(
      () => this.release(),
      (error: unknown) => {
        this.release();
        // Nothing can be answered any more.
        if (!(error instanceof ClientGone) && !this.endBegun(error)) throw error;
      },
    );
  }

  /** Ends a response that has begun in its own words; false where none has, or where there are none. */
  protected endBegun(_error: unknown): boolean {
    return false;
  }

  private begin(serving: (run: this) => Promise<void>): Promise<void> {
    try {
      this.meter.begin();
      return this.meter.run(() => serving(this));
    } catch (error) {
      return Promise.reject(error as Error);
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

  onLeave(listener: (reason: Error) => void): void {
    this.onClientGone(() => listener(new ClientGone()));
  }

  /** Reported in the head of whatever the caller gets. */
  onQueued(milliseconds: number): void {
    if (!this.response.headersSent) this.response.setHeader('x-weir-queued-ms', String(Math.round(milliseconds)));
  }

  /** Whatever was taken for the request and not used is given back; what it has cost is settled. */
  private release(): void {
    this.close();
    this.meter.release();
  }
}
