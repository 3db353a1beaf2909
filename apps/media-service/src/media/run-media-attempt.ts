import { NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import { checkLosses, ClientGone, describeFailure } from '@weir/exchange';
import { openAttempt, watchVerdict, type ExpectedUse, type OpenAttempt } from '@weir/usage-journal';
import type { CountedUse } from './believe-told';
import { boundUsage, measureUsage, type UsageBound } from './bound-usage';
import { describeDoubted } from './close-media-attempt';
import type { MediaAsk, MediaLane, MediaParts } from './media-kind';

export type AttemptPlan = {
  readonly lane: MediaLane;
  /** What it uses at least, as far as that is known now: what a crash would have to charge. */
  readonly expected: MediaUsage;
  /** See UsageBound. */
  readonly imageUnit?: string;
};

/** What an attempt is known to have used although nothing of it reached the caller. */
export type ToldUse = CountedUse & { readonly imageUnit?: string };

/**
 * Runs one attempt whose losses are known. Its journal record is begun before the first byte leaves, so that nothing
 * dispatched goes uncounted. A failure settles it for nothing, because the caller gets nothing, unless their organization
 * pays for failures too: then for what was told of its use last.
 */
export async function runMediaAttempt<Asked, Result>(
  ask: MediaAsk<Asked>,
  { lane, expected, imageUnit, ...parts }: AttemptPlan & Pick<MediaParts, 'till'>,
  act: (till: OpenAttempt, tell: (told: ToldUse) => void) => Promise<Result>,
): Promise<Result> {
  const { request, turn, guard } = ask;
  const { passport } = request.work;
  checkLosses(lane.losses, passport.isStrict);
  if (request.isClientGone()) throw new ClientGone();
  const promptEstimate = describeExpected(expected, { attempt: turn.attempt, hold: passport.hold, imageUnit });
  const till = watchVerdict(openAttempt(parts.till, passport, { index: turn.index, promptEstimate }), guard);
  turn.noteSent();
  let told: ToldUse | undefined;
  try {
    return await act(till, (use) => (told = use));
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = request.signal.aborted ? request.signal.reason : thrown;
    dropAttempt(till, { ...ask, told }, error);
    throw error;
  }
}

function describeExpected(expected: MediaUsage, bound: UsageBound): Exclude<ExpectedUse, number> {
  const usage = boundUsage(expected, bound);
  return { usage: tokenUsage(usage), measured: measureUsage(usage, bound) };
}

type Drop = Pick<MediaAsk<unknown>, 'request' | 'turn' | 'charges'> & { readonly told: ToldUse | undefined };

/** Settles an attempt that came to nothing. Once: what it is charged is added to what the request costs. */
function dropAttempt(till: OpenAttempt, { request, turn, charges, told }: Drop, error: unknown): void {
  const { hold } = request.work.passport;
  const { attempt } = turn;
  const use =
    told === undefined
      ? { usage: NO_USAGE }
      : { ...describeExpected(told.usage, { attempt, hold, imageUnit: told.imageUnit }), ...describeDoubted(told, attempt) };
  const facts = { ...use, isUncharged: !charges.chargesFailures, isLogical: turn.endsWith(error), ...describeFailure(error) };
  charges.earlierPico += till.close(facts).costPico;
}
