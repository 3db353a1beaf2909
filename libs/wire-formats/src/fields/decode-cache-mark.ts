import type { CacheMark } from '@weir/canonical';
import { findString, isObject, joinPath, refuseField, type JsonObject } from './field-readers';

const PLAIN: CacheMark = {};

/** Both spellings of "cache the prompt up to here": `cache_control` and `prompt_cache_breakpoint`. */
export function decodeCacheMark(holder: JsonObject, path: string): CacheMark | undefined {
  const control = holder['cache_control'];
  if (control !== undefined && control !== null) {
    const field = joinPath(path, 'cache_control');
    if (!isObject(control)) return refuseField(field, 'must be an object');
    const ttl = findString(control, 'ttl', field);
    if (ttl !== undefined && ttl !== '5m' && ttl !== '1h') return refuseField(`${field}.ttl`, 'must be "5m" or "1h"');
    return ttl === undefined ? PLAIN : { ttl };
  }
  return isObject(holder['prompt_cache_breakpoint']) ? PLAIN : undefined;
}
