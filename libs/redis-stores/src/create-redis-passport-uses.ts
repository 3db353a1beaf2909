import type { Redis } from 'ioredis';
import type { Circuit } from './create-circuit';

/** Which passports were used: `claim` answers whether the passport of this request is used for the first time. */
export type UsedPassports = { claim(requestId: string, untilMs: number): boolean | Promise<boolean> };

export type PassportUsesOptions = {
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
      const ttlMs = Math.max(1, Math.ceil(untilMs - now()));
      try {
        return (await circuit(() => redis.set(`weir:passport:${requestId}`, '1', 'PX', ttlMs, 'NX'))) === 'OK';
      } catch {
        onUnshared();
        return true;
      }
    },
  };
}
