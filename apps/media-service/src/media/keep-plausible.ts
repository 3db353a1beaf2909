import type { MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { boundMediaUsage } from '@weir/limits';
import { isPriced } from './bound-usage';

/** What an attempt used, and what its provider reported where that cannot be. */
export type CountedUse = { readonly usage: MediaUsage; readonly doubted?: MediaUsage };

type Plausible = {
  /** Held for the request: see findMostUsage. */
  readonly most: MediaUsage;
  readonly attempt: Attempt;
};

/**
 * What a provider reported, up to the most that was held for the request; what `count` makes of the request itself where it
 * reported nothing, nothing that its model is charged by, or no number.
 */
export function keepPlausible(
  reported: MediaUsage | null,
  { most, attempt }: Plausible,
  count: (reported: MediaUsage | null) => MediaUsage,
): CountedUse {
  if (reported === null) return { usage: count(null) };
  if (reported.isDoubtful === true) return { usage: count(null), doubted: reported };
  const bounded = boundMediaUsage(reported, most);
  const counted = count(bounded);
  if (!isPriced(counted, attempt)) return { usage: count(null), doubted: reported };
  return bounded === reported ? { usage: counted } : { usage: { ...counted, source: 'estimate' }, doubted: reported };
}
