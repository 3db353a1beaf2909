import type { Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { encodeRateHeaders, type RateLimiter } from '@weir/limits';
import type { ServerResponse } from 'node:http';

/**
 * Counts a request against its member's rate and reports it in the response's headers; done at once where there is none. Rejects
 * with `rate_limited` above the rate.
 */
export function checkRates({ key }: Principal, response: ServerResponse, rates: RateLimiter): Promise<void> | undefined {
  if (key.memberRateLimitRpm === null || key.userId === null) return undefined;
  return takeRate(rates.take(`${key.organizationId}/${key.userId}`, key.memberRateLimitRpm), response);
}

async function takeRate(taken: ReturnType<RateLimiter['take']>, response: ServerResponse): Promise<void> {
  const verdict = await taken;
  for (const [name, value] of Object.entries(encodeRateHeaders(verdict))) response.setHeader(name, value);
  if (verdict.isAllowed) return;
  throw new GatewayError(
    'rate_limited',
    `This member may send ${verdict.limit} requests a minute, over all of their keys. Try again when the time in Retry-After is over.`,
    { retryAfterSeconds: verdict.retryAfterMs / 1000 },
  );
}
