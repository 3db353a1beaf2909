import { NO_USAGE } from '@weir/canonical';
import type { Attempt, Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { AttemptMetrics } from '@weir/telemetry';
import { JournalUnavailableError } from '@weir/usage-journal';
import type { HoldKeeper, KeptHold } from '../holds/hold-keeper';
import type { ClosingFacts, ExpectedUse, Meter, OpenAttempt } from '../meter';
import type { FreeSlotKeeper, KeptSlot } from './free-slot-keeper';
import { enterState, type RunState } from './run-states';
import { RequestAttempt, type VerdictSource } from './request-attempt';
import type { ObservedRequest, RequestObserver, RequestView } from './request-observer';

export type RequestMeterParts = {
  readonly meter: Meter;
  readonly slots: FreeSlotKeeper;
  /** Absent where nothing is limited, and nothing shown: in tests of single workers. */
  readonly holds?: HoldKeeper;
  readonly observer?: RequestObserver;
  /** Learns what each attempt used, input and output together, when it has ended; absent: no one counts it by account. */
  readonly noteTokens?: (attempt: Attempt, tokens: number) => void;
};

type RefusalFacts = Omit<ClosingFacts, 'usage' | 'measured' | 'isLogical' | 'isUncharged'>;

const RETRY_AFTER_SECONDS = 30;

/** Why a request is refused while its usage could not be journalled: nothing runs unmetered. */
export function describeUnmetered(cause?: unknown): GatewayError {
  return new GatewayError('overloaded', 'The gateway cannot record usage at the moment. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * All that is accounted of one request at a worker: its attempts, the money and the slot that were taken for it, its trace and
 * the guardrails' verdict. Its owner begins it, and releases it however the request went.
 */
export class RequestMeter {
  readonly passport: Passport;
  readonly hold: KeptHold | undefined;
  readonly view: RequestView | undefined;
  /** Of a request that may use one, once it is begun. */
  slot: KeptSlot | undefined;
  /** Absent where no guardrail holds. */
  guard: VerdictSource | undefined;
  private state: RunState = 'arrived';

  constructor(
    request: ObservedRequest,
    private readonly parts: RequestMeterParts,
  ) {
    const { hold, caller } = request.passport;
    this.passport = request.passport;
    this.hold = hold === null ? undefined : parts.holds?.take(hold, caller.organizationId);
    this.view = parts.observer?.begin(request);
  }

  get metrics(): AttemptMetrics | undefined {
    return this.parts.observer?.metrics;
  }

  get noteTokens(): RequestMeterParts['noteTokens'] {
    return this.parts.noteTokens;
  }

  /** Throws `overloaded` when the slot of the request may be another one's by now. */
  begin(): void {
    this.state = enterState(this.state, 'begun');
    this.slot = this.parts.slots.begin(this.passport);
  }

  /** See RequestObserver. */
  run<Result>(serve: () => Promise<Result>): Promise<Result> {
    const { observer } = this.parts;
    return observer === undefined ? serve() : observer.run(this.view, serve);
  }

  /** Journals that an attempt is about to be sent. Throws when the journal accepts nothing, or the hold covers nothing any more: then nothing may be sent. */
  openAttempt(index: number, expected: ExpectedUse): OpenAttempt {
    const { passport, hold } = this;
    const state = enterState(this.state, 'sent');
    hold?.check();
    const promptMax = passport.hold?.bounds[index]?.promptTokens ?? Infinity;
    const bounded = typeof expected === 'number' ? Math.min(expected, promptMax) : expected;
    const journalled = this.journal(index, bounded);
    this.state = state;
    this.metrics?.opened();
    return new RequestAttempt(this, journalled, passport.attempts[index] as Attempt, index);
  }

  /** Journals a request that guardrails refused before any provider was called: one request that cost nothing. */
  recordRefusal(facts: RefusalFacts): void {
    this.openAttempt(0, 0).close({ usage: NO_USAGE, isLogical: true, ...facts });
  }

  /** The request is over: what is still held of it is settled, and a slot that nothing used is given back. */
  release(): void {
    this.state = enterState(this.state, 'released');
    this.slot?.finish();
    this.hold?.finish();
  }

  /** A journal that filled up or failed since the request was let in refuses it like any other. */
  private journal(index: number, expected: ExpectedUse): OpenAttempt {
    try {
      return this.parts.meter.openAttempt(this.passport, index, expected);
    } catch (error) {
      throw error instanceof JournalUnavailableError ? describeUnmetered(error) : error;
    }
  }
}
