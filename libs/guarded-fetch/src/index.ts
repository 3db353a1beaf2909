// This library fetches addresses that callers name: only public ones, within bounds of size, time and redirects.
export { createGuardedFetcher } from './create-guarded-fetcher';
export type { MediaQuestion, GuardedFetcher } from './guarded-fetcher';
export { createAddressRule } from './is-public-address';
export type { MediaKind } from './media-kinds';
export { sniffMedia } from './sniff-media';
