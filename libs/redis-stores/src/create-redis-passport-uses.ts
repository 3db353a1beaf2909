import { randomUUID } from 'node:crypto';
import type { Redis } from './client/create-redis';
import { slotOf } from './client/create-script';
import type { Circuit } from './create-circuit';

/** Which passports were used: `claim` returns whether the passport of this request is used for the first time. */
export type UsedPassports = { claim(requestId: string, untilMs: number): boolean | Promise<boolean> };

type PassportUsesOptions = {
  readonly redis: Redis;
  readonly circuit: Circuit;
  /** Those of this process. */
  readonly own: UsedPassports;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Redis could not be asked: a passport was compared with those of this process alone. */
  readonly onUnshared: () => void;
};

/** Passports used in any process. While Redis is away, those of this process: requests go on. */
export function createRedisPassportUses({ redis, circuit, own, now, onUnshared }: PassportUsesOptions): UsedPassports {
  return {
    claim: async (requestId, untilMs) => {
      if (!(await own.claim(requestId, untilMs))) return false;
      const key = `weir:passport:${requestId}`;
      const ttlMs = Math.max(1, Math.ceil(untilMs - now()));
      try {
        return await circuit(() => claimKey(redis, key, ttlMs), partOf(key));
      } catch {
        onUnshared();
        return true;
      }
    },
  };
}

const SLOTS_OF_PART = 256;

/** A request is asked about once. What its neighbours in a cluster have met says whether its node is there. */
function partOf(key: string): string {
  return String(Math.floor(slotOf(key) / SLOTS_OF_PART));
}

/**
 * The client sends a command again when its connection was reset before the reply came, so the server may have run it
 * already. Each claim therefore writes a value of its own: a claim that finds its own value was the first.
 */
async function claimKey(redis: Redis, key: string, ttlMs: number): Promise<boolean> {
  const nonce = randomUUID();
  return (await redis.set(key, nonce, 'PX', ttlMs, 'NX')) === 'OK' || (await redis.get(key)) === nonce;
}
