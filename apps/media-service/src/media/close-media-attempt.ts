import { measuredUnits, NO_MEDIA_USAGE, NO_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { describeFailure, type Outcome } from '@weir/exchange';
import type { OpenAttempt } from '@weir/usage-journal';

/** What an attempt used, and what that is worth as decimal text. */
export type PricedMedia = { readonly usage: MediaUsage; readonly costUsd: string };

export type ClosingMedia = {
  readonly usage: MediaUsage;
  readonly outcome: Outcome;
  /** The unit that pictures are charged by, where it is not the plain one. */
  readonly imageUnit?: string;
};

/** Prices what an attempt used and journals it. */
export function closeMediaAttempt(till: OpenAttempt, attempt: Attempt, { usage, outcome, imageUnit = 'image' }: ClosingMedia): PricedMedia {
  const { image, ...measured } = measuredUnits(usage, pricedUnits(attempt));
  const { costUsd } = till.close({
    usage: tokenUsage(usage),
    measured: { ...measured, ...(image === undefined ? {} : { [imageUnit]: image }) },
    isLogical: true,
    ...outcome,
  });
  return { usage, costUsd };
}

/** Journals an attempt that broke off after its reply had begun, and of which nothing is charged. */
export function failMediaAttempt(till: OpenAttempt, error: unknown): PricedMedia {
  const { costUsd } = till.close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) });
  return { usage: NO_MEDIA_USAGE, costUsd };
}

export function pricedUnits({ prices }: Attempt): Readonly<Record<string, string>> {
  return prices.kind === 'units' ? prices.units : {};
}

/** Whether a model is charged by what it says or draws in tokens. */
export function isPricedByTokens(attempt: Attempt): boolean {
  return Object.keys(pricedUnits(attempt)).some((unit) => unit.endsWith('_token'));
}
