import { NO_MEDIA_USAGE, NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { describeFailure, totalCost, type Outcome } from '@weir/exchange';
import type { ClosingFacts, OpenAttempt } from '@weir/usage-journal';
import { boundUsage, measureUsage, pricedUnits } from './bound-usage';
import type { CountedUse } from './keep-plausible';
import type { MediaAsk } from './media-modality';

/** What an attempt used, and as decimal text what that is worth, with what failed attempts before it are charged. */
export type PricedMedia = { readonly usage: MediaUsage; readonly costUsd: string };

export type ClosingMedia = CountedUse & {
  readonly outcome: Outcome;
  /** The unit that pictures are charged by, where it is not the plain one. */
  readonly imageUnit?: string;
  /** See ClosingFacts. */
  readonly isUncharged?: boolean;
};

export type ClosingPlace = Pick<MediaAsk<unknown>, 'request' | 'turn' | 'charges' | 'log'>;

/** Prices what an attempt used and journals it. What no one told is charged within the hold, and somebody hears of the rest. */
export function closeMediaAttempt(meter: OpenAttempt, place: ClosingPlace, closing: ClosingMedia): PricedMedia {
  const { usage: found, outcome, imageUnit, isUncharged = false } = closing;
  const { attempt } = place.turn;
  const { hold } = place.request.forwarded.passport;
  const usage = boundUsage(found, { attempt, hold, imageUnit });
  const measured = measureUsage(usage, { attempt, imageUnit });
  if (usage !== found) {
    const { eventId } = meter;
    place.log?.warn({ eventId, modelId: attempt.modelId, found, charged: usage }, 'more was measured than the hold pays for');
  }
  // A hold may pay for nothing whole; that is no unit that a price is missing for.
  const isNothing = usage !== found && Object.keys(measured).length === 0;
  const charged = isNothing ? { usage: NO_USAGE } : { usage: tokenUsage(usage), measured };
  const receipt = meter.close({
    ...charged,
    isLogical: true,
    isUncharged,
    ...outcome,
    ...describeDoubted(closing, attempt),
  });
  return { usage, costUsd: totalCost(place.charges, receipt, charged.usage) };
}

/** What the event keeps of a told usage that no one believes. */
export function describeDoubted(
  { doubted, imageUnit }: Pick<ClosingMedia, 'doubted' | 'imageUnit'>,
  attempt: Attempt,
): Pick<ClosingFacts, 'doubted'> {
  return doubted === undefined ? {} : { doubted: { usage: tokenUsage(doubted), measured: measureUsage(doubted, { attempt, imageUnit }) } };
}

export type FailedUse = { readonly place: ClosingPlace; readonly reported: CountedUse | undefined };

/**
 * Journals an attempt that broke off after its reply had begun, and that its caller got nothing of. Nothing is charged,
 * unless their organization pays for failures: then what was told.
 */
export function failMediaAttempt(meter: OpenAttempt, error: unknown, failed?: FailedUse): PricedMedia {
  if (failed?.reported !== undefined) {
    const { place, reported } = failed;
    return closeMediaAttempt(meter, place, { ...reported, outcome: describeFailure(error), isUncharged: !place.charges.chargesFailures });
  }
  const { costUsd } = meter.close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) });
  return { usage: NO_MEDIA_USAGE, costUsd };
}

/** Whether a model is charged by what it says or draws in tokens. */
export function isPricedByTokens(attempt: Attempt): boolean {
  return Object.keys(pricedUnits(attempt)).some((unit) => unit.endsWith('_token'));
}
