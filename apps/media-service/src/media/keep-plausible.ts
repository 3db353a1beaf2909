import type { MediaUsage } from '@weir/canonical';
import { boundMediaUsage, type MediaMost } from '@weir/limits';

/** What an attempt used, and what its provider reported where that cannot be. */
export type CountedUse = { readonly usage: MediaUsage; readonly doubted?: MediaUsage };

/**
 * What a provider reported, as far as the request explains it; what `count` makes of the request itself where it reported
 * nothing, or no number.
 */
export function keepPlausible(
  reported: MediaUsage | null,
  most: MediaMost,
  count: (reported: MediaUsage | null) => MediaUsage,
): CountedUse {
  if (reported === null) return { usage: count(null) };
  if (reported.isDoubtful === true) return { usage: count(null), doubted: reported };
  const bounded = boundMediaUsage(reported, most);
  return bounded === reported ? { usage: count(reported) } : { usage: { ...count(bounded), source: 'estimate' }, doubted: reported };
}
