import { NO_MEDIA_USAGE, NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { describeFailure, totalCost, type Outcome } from '@weir/exchange';
import type { ClosingFacts, OpenAttempt } from '@weir/meter';
import { boundUsage, findHeldPico, measureUsage, pricedUnits } from './bound-usage';
import type { CountedUse } from './keep-plausible';
import type { MediaContext } from './media-modality';

/** What an attempt used, and as decimal text what that is worth, with what failed attempts before it are charged. */
export type PricedMedia = { readonly usage: MediaUsage; readonly costUsd: string };

type ClosingMedia = CountedUse & {
  readonly outcome: Outcome;
  /** The unit that pictures are charged by, where it is not the plain one. */
  readonly imageUnit?: string;
  /** See ClosingFacts. */
  readonly isUncharged?: boolean;
};

type ClosingContext = Pick<MediaContext<unknown>, 'request' | 'place' | 'charges' | 'log'>;

/** Prices what an attempt used and journals it. It is charged within the hold; a warning names the rest. */
export function closeMediaAttempt(attempt: OpenAttempt, context: ClosingContext, closing: ClosingMedia): PricedMedia {
  const { usage: found, outcome, imageUnit, isUncharged = false } = closing;
  const { attempt: planned } = context.place;
  const usage = boundUsage(found, { attempt: planned, heldPico: findHeldPico(context), imageUnit });
  const measured = measureUsage(usage, { attempt: planned, imageUnit });
  if (usage !== found) {
    const { eventId } = attempt;
    context.log?.warn({ eventId, modelId: planned.modelId, found, charged: usage }, 'usage beyond the hold is not charged');
  }
  // A hold may pay for nothing whole; that is no unit that a price is missing for.
  const isNothing = usage !== found && Object.keys(measured).length === 0;
  const charged = isNothing ? { usage: NO_USAGE } : { usage: tokenUsage(usage), measured };
  const receipt = attempt.close({
    ...charged,
    isLogical: true,
    isUncharged,
    ...outcome,
    ...describeDoubted(doubtBeyond(closing, usage), planned),
  });
  return { usage, costUsd: totalCost(context.charges, receipt, charged.usage) };
}

/** The reported usage, also where only the hold had to cut it. */
function doubtBeyond(closing: ClosingMedia, charged: MediaUsage): Pick<ClosingMedia, 'doubted' | 'imageUnit'> {
  const { usage, doubted } = closing;
  return doubted === undefined && usage !== charged && usage.source === 'provider' ? { ...closing, doubted: usage } : closing;
}

/** What the event keeps of a reported usage that is not plausible. */
export function describeDoubted(
  { doubted, imageUnit }: Pick<ClosingMedia, 'doubted' | 'imageUnit'>,
  attempt: Attempt,
): Pick<ClosingFacts, 'doubted'> {
  return doubted === undefined ? {} : { doubted: { usage: tokenUsage(doubted), measured: measureUsage(doubted, { attempt, imageUnit }) } };
}

type FailedUse = { readonly context: ClosingContext; readonly reported: CountedUse | undefined };

/**
 * Journals an attempt that broke off after its reply had begun, and that its caller got nothing of. Nothing is charged,
 * unless their organization pays for failures: then what was reported.
 */
export function failMediaAttempt(attempt: OpenAttempt, error: unknown, failed?: FailedUse): PricedMedia {
  if (failed?.reported !== undefined) {
    const { context, reported } = failed;
    return closeMediaAttempt(attempt, context, {
      ...reported,
      outcome: describeFailure(error),
      isUncharged: !context.charges.chargesFailures,
    });
  }
  const { costUsd } = attempt.close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) });
  return { usage: NO_MEDIA_USAGE, costUsd };
}

/** Whether a model is charged by what it says or draws in tokens. */
export function isPricedByTokens(attempt: Attempt): boolean {
  return Object.keys(pricedUnits(attempt)).some((unit) => unit.endsWith('_token'));
}
