import { createAddressRule, createGuardedFetcher } from '@weir/guarded-fetch';
import type { InlineParts } from './inline-media';

type InlineSettings = {
  readonly FETCH_PORTS: readonly number[];
  readonly FETCH_PRIVATE_NETWORKS: readonly string[];
  readonly INLINE_BYTES_MAX: number;
};

/** What inlining needs, by a process's settings. Throws on a network that is none. */
export function openInlining(env: InlineSettings): InlineParts {
  const isAllowedAddress = createAddressRule(env.FETCH_PRIVATE_NETWORKS);
  return { fetcher: createGuardedFetcher({ ports: env.FETCH_PORTS, isAllowedAddress }), bytesMax: env.INLINE_BYTES_MAX };
}
