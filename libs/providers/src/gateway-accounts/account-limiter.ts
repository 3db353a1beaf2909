import { GatewayError } from '@weir/errors';
import type { Provider } from '../provider/provider';
import type { AccountSpec } from './account-spec.schema';

type Limits = Pick<AccountSpec, 'requests_per_minute' | 'concurrent'>;

/** What one account is sent by this process: the calls that run, and how many may still be begun at once. */
export type AccountLimiter = {
  limits: Limits;
  running: number;
  /** Of `requests_per_minute`: all at once at the beginning, then one each part of a minute. */
  left: number;
  countedAtMs: number;
};

const MINUTE_MS = 60_000;
/** A call that runs ends at a time that no one knows. */
const BUSY_SECONDS = 1;

export function createAccountLimiter(limits: Limits, nowMs: number): AccountLimiter {
  return { limits, running: 0, left: limits.requests_per_minute ?? 0, countedAtMs: nowMs };
}

/** The same provider within the limits of the account. What is above them fails before it is sent, as if the provider had refused it. */
export function limitAccount(provider: Provider, name: string, limiter: AccountLimiter, now: () => number): Provider {
  const check = (): void => {
    const waitSeconds = findWait(limiter, now());
    if (waitSeconds === 0) return;
    const message = `The account "${name}" of the provider ${provider.id} is at the limit that the operator set for it.`;
    throw new GatewayError('provider_rate_limited', message, { retryAfterSeconds: waitSeconds });
  };
  return {
    ...provider,
    authorize: (call, target) => {
      check();
      return provider.authorize(call, target);
    },
    transport: async (call) => {
      check();
      limiter.left -= 1;
      limiter.running += 1;
      let isOver = false;
      const end = (): void => {
        if (!isOver) limiter.running -= 1;
        isOver = true;
      };
      try {
        const reply = await provider.transport(call);
        reply.body.on('close', end);
        return reply;
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** Seconds until a call may be begun; 0: now. */
function findWait(limiter: AccountLimiter, nowMs: number): number {
  const { concurrent = Infinity, requests_per_minute: rate } = limiter.limits;
  if (limiter.running >= concurrent) return BUSY_SECONDS;
  if (rate === undefined) return 0;
  limiter.left = Math.min(rate, limiter.left + ((nowMs - limiter.countedAtMs) * rate) / MINUTE_MS);
  limiter.countedAtMs = nowMs;
  return limiter.left >= 1 ? 0 : Math.max(1, Math.ceil((((1 - limiter.left) / rate) * MINUTE_MS) / 1000));
}
