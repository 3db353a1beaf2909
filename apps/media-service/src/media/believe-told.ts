import type { MediaUsage } from '@weir/canonical';
import { isMediaBelievable, type MediaMost } from '@weir/limits';

/** What an attempt used, and what its provider told where that cannot be. */
export type CountedUse = { readonly usage: MediaUsage; readonly doubted?: MediaUsage };

/** What a provider told, where that can be true; else what `count` makes of the request itself. */
export function believeTold(told: MediaUsage | null, most: MediaMost, count: (told: MediaUsage | null) => MediaUsage): CountedUse {
  if (told === null || isMediaBelievable(told, most)) return { usage: count(told) };
  return { usage: count(null), doubted: told };
}
