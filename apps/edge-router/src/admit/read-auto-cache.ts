import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readExtension } from '../request/read-request-metadata';

/**
 * `weir.auto_cache`: the gateway may place cache breakpoints where the provider profits from them, for five minutes
 * (`true`, `"5m"`) or an hour (`"1h"`). Returns undefined where it may not. Throws `invalid_request` for anything else.
 */
export function readAutoCache(json: Record<string, unknown>): Pick<Passport, 'autoCache'> | undefined {
  const asked = readExtension(json)?.['auto_cache'];
  if (asked === undefined || asked === null || asked === false) return undefined;
  if (asked === true || asked === '5m') return { autoCache: '5m' };
  if (asked === '1h') return { autoCache: '1h' };
  throw new GatewayError('invalid_request', 'weir.auto_cache must be true, false, "5m" or "1h".', { field: 'weir.auto_cache' });
}
