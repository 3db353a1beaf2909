// This library fetches addresses that callers name: only public ones, within bounds of size, time and redirects.
export * from './create-guarded-fetcher';
export * from './guarded-fetcher';
export { createAddressRule } from './is-public-address';
export { MEDIA_KINDS, type MediaKind } from './media-kinds';
export { createNameResolver, type ResolveName } from './resolve-name';
export { sniffMedia } from './sniff-media';
