import { BodyInPieces } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { UpstreamCall } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import type { AccountSpec } from './account-spec.schema';
import { createBucket, secondsUntil, type Bucket } from './bucket';

type Limits = Pick<AccountSpec, 'requests_per_minute' | 'tokens_per_minute' | 'concurrent'>;

/** What one account is sent by this process: the calls that run, and what may still be used at once. */
export type AccountLimiter = {
  limits: Limits;
  running: number;
  readonly requests: Bucket;
  /** Below zero where calls used more than was set aside for them. */
  readonly tokens: Bucket;
  /** Set aside for calls that run. */
  tokensHeld: number;
  /** What a call of this account used lately. */
  tokensUsual: number;
};

/** A call that runs ends at a time that no one knows. */
const BUSY_SECONDS = 1;
/** As many bytes of text are about a token. */
const BYTES_A_TOKEN = 4;
/** How much the newest call counts in what is usual. */
const NEWEST = 0.1;

export function createAccountLimiter(limits: Limits, nowMs: number): AccountLimiter {
  const { requests_per_minute: requests = 0, tokens_per_minute: tokens = 0 } = limits;
  return {
    ...{ limits, running: 0, tokensHeld: 0, tokensUsual: 0 },
    ...{ requests: createBucket(requests, nowMs), tokens: createBucket(tokens, nowMs) },
  };
}

/** A call has ended, and used so many tokens. */
export function noteTokens(limiter: AccountLimiter, tokens: number): void {
  if (tokens <= 0) return;
  limiter.tokens.left -= tokens;
  limiter.tokensUsual = limiter.tokensUsual === 0 ? tokens : limiter.tokensUsual + (tokens - limiter.tokensUsual) * NEWEST;
}

/** The same provider within the limits of the account. What is above them fails before it is sent, as if the provider had refused it. */
export function limitAccount(provider: Provider, name: string, limiter: AccountLimiter, now: () => number): Provider {
  const check = (held: number): void => {
    const waitSeconds = findWait(limiter, held, now());
    if (waitSeconds === 0) return;
    const message = `The account "${name}" of the provider ${provider.id} is at the limit that the operator set for it.`;
    throw new GatewayError('provider_rate_limited', message, { retryAfterSeconds: waitSeconds });
  };
  return {
    ...provider,
    authorize: (call, target) => {
      check(tokensOf(call.body, limiter));
      return provider.authorize(call, target);
    },
    transport: async (call) => {
      const held = tokensOf(call.body, limiter);
      check(held);
      limiter.requests.left -= 1;
      limiter.running += 1;
      limiter.tokensHeld += held;
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        limiter.running -= 1;
        limiter.tokensHeld -= held;
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

/**
 * What a call is expected to use: its text, and no less than is usual here. Never more than the limit: what is larger than that goes
 * alone, when all of it is there.
 */
function tokensOf(body: UpstreamCall['body'], { limits, tokensUsual }: AccountLimiter): number {
  const { tokens_per_minute: most } = limits;
  return most === undefined ? 0 : Math.min(most, Math.max(1, tokensUsual, bytesOf(body) / BYTES_A_TOKEN));
}

function bytesOf(body: UpstreamCall['body']): number {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof BodyInPieces ? body.length : 0;
}

/** Seconds until a call may be begun that is expected to use so many tokens; 0: now. */
function findWait({ limits, running, requests, tokens, tokensHeld }: AccountLimiter, held: number, nowMs: number): number {
  const { concurrent = Infinity, requests_per_minute: requestRate, tokens_per_minute: tokenRate } = limits;
  if (running >= concurrent) return BUSY_SECONDS;
  const forRequests = secondsUntil(requests, { needed: 1, rate: requestRate, nowMs });
  const forTokens = secondsUntil(tokens, { needed: held, rate: tokenRate, nowMs });
  if (forRequests > 0 || forTokens > 0) return Math.max(forRequests, forTokens);
  // Enough was there, but for calls that run: they use less, or more.
  return tokenRate !== undefined && tokens.left - tokensHeld < held ? BUSY_SECONDS : 0;
}
