import { NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import { checkLosses, ClientGone, describeFailure } from '@weir/exchange';
import type { ExpectedUse, OpenAttempt } from '@weir/meter';
import type { CountedUse } from './keep-plausible';
import { boundUsage, findHeldPico, measureUsage, type UsageBound } from './bound-usage';
import { describeDoubted } from './close-media-attempt';
import type { MediaContext, MediaLane } from './media-modality';

export type AttemptPlan = {
  readonly lane: MediaLane;
  /** What it uses at least, as far as that is known now: what a crash would have to charge. */
  readonly expected: MediaUsage;
  /** See UsageBound. */
  readonly imageUnit?: string;
};

/** What an attempt is known to have used although nothing of it reached the caller. */
export type ReportedUse = CountedUse & { readonly imageUnit?: string };

/**
 * Runs one attempt whose losses are known. Its journal record is begun before the first byte leaves, so that nothing
 * dispatched goes uncounted. A failure settles it for nothing, because the caller gets nothing, unless their organization
 * pays for failures too: then for the usage that was reported last.
 */
export async function runMediaAttempt<Asked, Result>(
  context: MediaContext<Asked>,
  { lane, expected, imageUnit }: AttemptPlan,
  act: (attempt: OpenAttempt, report: (reported: ReportedUse) => void) => Promise<Result>,
): Promise<Result> {
  const { request, place } = context;
  const { passport } = request.forwarded;
  checkLosses(lane.losses, passport.isStrict);
  if (request.isClientGone()) throw new ClientGone();
  const promptEstimate = describeExpected(expected, { attempt: place.attempt, heldPico: findHeldPico(context), imageUnit });
  const attempt = request.openAttempt(place.index, promptEstimate);
  place.noteSent();
  let reported: ReportedUse | undefined;
  try {
    return await act(attempt, (use) => (reported = use));
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = request.signal.aborted ? request.signal.reason : thrown;
    dropAttempt(attempt, { ...context, reported }, error);
    throw error;
  }
}

function describeExpected(expected: MediaUsage, bound: UsageBound): Exclude<ExpectedUse, number> {
  const usage = boundUsage(expected, bound);
  return { usage: tokenUsage(usage), measured: measureUsage(usage, bound) };
}

type Drop = Pick<MediaContext<unknown>, 'request' | 'place' | 'charges'> & { readonly reported: ReportedUse | undefined };

/** Settles an attempt that came to nothing. Once: what it is charged is added to what the request costs. */
function dropAttempt(attempt: OpenAttempt, { request, place, charges, reported }: Drop, error: unknown): void {
  const { attempt: planned } = place;
  const use =
    reported === undefined
      ? { usage: NO_USAGE }
      : {
          ...describeExpected(reported.usage, {
            attempt: planned,
            heldPico: findHeldPico({ request, charges }),
            imageUnit: reported.imageUnit,
          }),
          ...describeDoubted(reported, planned),
        };
  const facts = { ...use, isUncharged: !charges.chargesFailures, isLogical: place.endsWith(error), ...describeFailure(error) };
  charges.earlierPico += attempt.close(facts).costPico;
}
