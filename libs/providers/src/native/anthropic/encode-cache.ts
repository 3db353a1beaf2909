import type { CacheMark } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';

export function encodeCache(mark: CacheMark): JsonRecord {
  return { type: 'ephemeral', ...(mark.ttl === undefined ? {} : { ttl: mark.ttl }) };
}
