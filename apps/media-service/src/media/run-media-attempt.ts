import { NO_USAGE } from '@weir/canonical';
import { checkLosses, ClientGone, describeFailure, OK, type Outcome } from '@weir/exchange';
import { openAttempt, type OpenAttempt } from '@weir/usage-journal';
import type { MediaAsk, MediaLane, MediaParts } from './media-kind';

export type AttemptPlan = {
  readonly lane: MediaLane;
  /** What a crash would have to charge: tokens of the text. */
  readonly promptEstimate: number;
};

/**
 * Runs one attempt whose losses are known. Its journal record is begun before the first byte leaves, so that nothing
 * dispatched goes uncounted; a failure settles it for nothing, because the caller gets nothing.
 */
export async function runMediaAttempt<Asked, Result>(
  { request, turn }: MediaAsk<Asked>,
  { lane, promptEstimate, ...parts }: AttemptPlan & Pick<MediaParts, 'till'>,
  act: (till: OpenAttempt) => Promise<Result>,
): Promise<Result> {
  const { passport } = request.work;
  checkLosses(lane.losses, passport.isStrict);
  if (request.isClientGone()) throw new ClientGone();
  const till = openAttempt(parts.till, passport, { index: turn.index, promptEstimate });
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

/** Settles an attempt that came to nothing. */
export function dropAttempt(till: OpenAttempt, turn: MediaAsk<unknown>['turn'], error: unknown): void {
  till.close({ usage: NO_USAGE, isLogical: turn.endsWith(error), ...describeFailure(error) });
}

export const CLIENT_CLOSED: Outcome = { ...OK, status: 'client_closed' };
