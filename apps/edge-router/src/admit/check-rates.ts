import type { Principal } from '@weir/access';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError, type RefusingLimit } from '@weir/errors';
import { encodeRateHeaders, type RateLimiter, type RateVerdict } from '@weir/limits';
import { BUILT_IN_LIMITS } from './holds/describe-limit';
import { reportLimit } from './holds/refuse-limit';
import { showLimit, type ShownReply } from './holds/show-limits';

/**
 * Counts a request against its member's rate and reports it in the response's headers; done at once where there is none. Rejects
 * with `rate_limited` above the rate.
 */
export function checkRates({ key }: Principal, response: ShownReply, rates: RateLimiter, dialect?: ChatDialect): Promise<void> | undefined {
  if (key.memberRateLimitRpm === null || key.userId === null) return undefined;
  return takeRate(rates.take(`${key.organizationId}/${key.userId}`, key.memberRateLimitRpm), response, dialect);
}

async function takeRate(taken: ReturnType<RateLimiter['take']>, response: ShownReply, dialect: ChatDialect | undefined): Promise<void> {
  const verdict = await taken;
  for (const [name, value] of Object.entries(encodeRateHeaders(verdict))) response.setHeader(name, value);
  if (dialect === 'messages') showToMessages(verdict, response);
  if (verdict.isAllowed) return;
  throw new GatewayError(
    'rate_limited',
    `This member may send ${verdict.limit} requests a minute, over all of their keys. Try again when the time in Retry-After is over.`,
    { retryAfterSeconds: verdict.retryAfterMs / 1000, limit: reportRate(verdict) },
  );
}

/** Clients of this dialect read their vendor's own headers. */
function showToMessages({ limit, remaining, resetMs }: RateVerdict, response: ShownReply): void {
  const nowMs = Date.now();
  const shown = { measure: 'requests', limit: BigInt(limit), remaining: BigInt(remaining), resetAtMs: nowMs + resetMs } as const;
  showLimit(response, shown, { dialect: 'messages', nowMs });
}

function reportRate({ limit, remaining, retryAfterMs }: RateVerdict): RefusingLimit {
  const described = { id: null, ...BUILT_IN_LIMITS.member_rate, measure: 'requests', window: 'minute' } as const;
  return reportLimit(
    { ...described, freesAtMs: Date.now() + Math.ceil(retryAfterMs) },
    { max: BigInt(limit), remaining: BigInt(remaining), asked: 1n },
  );
}
