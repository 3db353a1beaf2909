import { NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import { checkLosses, ClientGone, describeFailure, OK, type Outcome } from '@weir/exchange';
import { openAttempt, watchVerdict, type ExpectedUse, type OpenAttempt } from '@weir/usage-journal';
import { boundUsage, measureUsage, type UsageBound } from './bound-usage';
import type { MediaAsk, MediaLane, MediaParts } from './media-kind';

export type AttemptPlan = {
  readonly lane: MediaLane;
  /** What it uses at least, as far as that is known now: what a crash would have to charge. */
  readonly expected: MediaUsage;
  /** See UsageBound. */
  readonly imageUnit?: string;
};

/**
 * Runs one attempt whose losses are known. Its journal record is begun before the first byte leaves, so that nothing
 * dispatched goes uncounted; a failure settles it for nothing, because the caller gets nothing.
 */
export async function runMediaAttempt<Asked, Result>(
  { request, turn, guard }: MediaAsk<Asked>,
  { lane, expected, imageUnit, ...parts }: AttemptPlan & Pick<MediaParts, 'till'>,
  act: (till: OpenAttempt) => Promise<Result>,
): Promise<Result> {
  const { passport } = request.work;
  checkLosses(lane.losses, passport.isStrict);
  if (request.isClientGone()) throw new ClientGone();
  const promptEstimate = describeExpected(expected, { attempt: turn.attempt, hold: passport.hold, imageUnit });
  const till = watchVerdict(openAttempt(parts.till, passport, { index: turn.index, promptEstimate }), guard);
  turn.noteSent();
  try {
    return await act(till);
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = request.signal.aborted ? request.signal.reason : thrown;
    dropAttempt(till, turn, error);
    throw error;
  }
}

function describeExpected(expected: MediaUsage, bound: UsageBound): ExpectedUse {
  const usage = boundUsage(expected, bound);
  return { usage: tokenUsage(usage), measured: measureUsage(usage, bound) };
}

/** Settles an attempt that came to nothing. */
export function dropAttempt(till: OpenAttempt, turn: MediaAsk<unknown>['turn'], error: unknown): void {
  till.close({ usage: NO_USAGE, isLogical: turn.endsWith(error), ...describeFailure(error) });
}

export const CLIENT_CLOSED: Outcome = { ...OK, status: 'client_closed' };
