import type { IdempotentResponses } from './idempotent-responses';
import type { OnceAsk, ReplayAsk } from './replay-ask';
import type { ResponseCache } from './response-cache';

/** Where an earlier response was kept: under its Idempotency-Key, or in the response cache. */
export type ReplayKind = 'idempotency' | 'cache';

type ReplaysParts = {
  readonly idempotent: IdempotentResponses;
  readonly cache: ResponseCache;
  /** Called for each request that got a stored response. */
  readonly count: (kind: ReplayKind) => void;
};

/** Responses that were sent before. */
export type Replays = {
  /** Whether a request asks for either. Throws `invalid_request` where it does so in words that are none. */
  concern(asked: Pick<ReplayAsk, 'headers' | 'extension'>): boolean;
  /** Of a request that one concerns: true when a stored response was sent; false lets it go on. Rejects with `invalid_request` and 409s. */
  answer(ask: ReplayAsk): Promise<boolean>;
  /** The same for responses that no other request may share: by its key alone. */
  answerOnce(ask: OnceAsk): Promise<boolean>;
};

/** The key of a request comes first: its response is kept under it, also when that comes out of the cache. */
export function createReplays({ idempotent, cache, count }: ReplaysParts): Replays {
  const answerOnce = async (ask: OnceAsk): Promise<boolean> => {
    if (ask.headers['idempotency-key'] === undefined || (await idempotent.claim(ask)) === 'open') return false;
    count('idempotency');
    return true;
  };
  const answer = async (ask: ReplayAsk): Promise<boolean> => {
    if (await answerOnce(ask)) return true;
    const isHit = await cache.answer(ask);
    if (isHit) count('cache');
    return isHit;
  };
  return {
    answerOnce,
    concern: (asked) => asked.headers['idempotency-key'] !== undefined || cache.isAsked(asked),
    answer,
  };
}
