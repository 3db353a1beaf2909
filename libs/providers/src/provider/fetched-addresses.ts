import type { RemoteKind, RemoteMedia } from '@weir/canonical';

/**
 * How the addresses begin that a provider fetches itself when a request names media by them; what begins otherwise has
 * to come inside the request. A kind that is not listed is left to the provider: it fetches any address, or takes no such
 * media and says so.
 */
export type FetchedAddresses = Readonly<Partial<Record<RemoteKind, readonly string[]>>>;

/** For a provider that takes all its media inside the request. */
export const NO_ADDRESSES: FetchedAddresses = { image: [], document: [], video: [] };

const WEB = /^https?:\/\//i;

/** Whether we have to fetch what stands at an address. Addresses of storages are the provider's business in any case. */
export function needsFetching({ kind, source }: RemoteMedia, fetched: FetchedAddresses): boolean {
  const beginnings = fetched[kind];
  if (beginnings === undefined || !WEB.test(source.url)) return false;
  return !beginnings.some((beginning) => source.url.startsWith(beginning));
}
