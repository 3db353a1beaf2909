import { randomUUID } from 'node:crypto';
import { HoldsUnavailableError } from '@weir/limits';
import type { Redis } from 'ioredis';
import { createScript } from '../client/create-script';
import type { RedisLog } from '../client/create-redis';
import { LEARN_GENERATION } from './hold-scripts';

const GENERATION_KEY = 'weir:holds:generation';
const WRITERS_KEY = 'weir:holds:writers';
/** Workers have this long to report their holds again, once counters were lost. */
const SETTLING_MS = 2_000;
const LOOK_EVERY_MS = 500;

type Known = { readonly id: string; readonly trustedFromMs: number };

export type HoldGeneration = {
  /** The generation that counters must carry. Throws while it is not known, or workers may not have reported their holds yet. */
  require(): string;
  /** The latest moment, on the server's clock, since when every writer has reported. */
  reportedMs(): number;
  /** Looks again now. Rejects when the server cannot be reached. */
  learn(): Promise<void>;
  /** Resolves when counters can be trusted, or the server could not be reached in time. */
  whenTrusted(timeoutMs: number): Promise<void>;
  onLoss(listener: () => void): () => void;
  close(): void;
};

/**
 * Watches whether the server still has what it had. It forgets everything when emptied and its last second when it dies;
 * both begin a new generation, in which no counter is trusted before it was seeded and workers had time to report their holds.
 */
export function watchGeneration(redis: Redis, log: RedisLog): HoldGeneration {
  const { run: runLearn } = createScript(redis, LEARN_GENERATION);
  const listeners = new Set<() => void>();
  let known: Known | undefined;
  let lastId: string | undefined;
  let runId: string | undefined;
  let reportedMs = 0;

  const learn = async (): Promise<void> => {
    runId ??= /run_id:(\w+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
    const asked = runId;
    const [id, ageMs] = (await runLearn([GENERATION_KEY], [asked, randomUUID()])) as [string, number];
    if (asked !== runId) return; // the connection was lost meanwhile: the handler of that event looks again
    if (known?.id !== id) known = { id, trustedFromMs: performance.now() + Math.max(0, SETTLING_MS - ageMs) };
    if (lastId === id) return;
    const isLoss = lastId !== undefined;
    lastId = id;
    if (!isLoss) return;
    log.warn({ generation: id }, 'the counters of limits may have lost something; they are built anew');
    for (const listener of listeners) listener();
  };
  const look = async (): Promise<void> => {
    await learn();
    const [, score] = await redis.zrange(WRITERS_KEY, '0', '0', 'WITHSCORES');
    reportedMs = score === undefined ? 0 : Number(score);
  };
  // An unreachable server is logged by its connection; the generation stays unknown until it is back.
  const tryLook = (): void => void look().catch(() => undefined);
  const forget = (): void => {
    known = undefined;
    runId = undefined;
  };
  redis.on('close', forget);
  redis.on('ready', tryLook);
  const timer = setInterval(() => {
    if (redis.status === 'ready') tryLook();
  }, LOOK_EVERY_MS);
  timer.unref();
  if (redis.status === 'ready') tryLook();

  return {
    require: () => {
      if (redis.status !== 'ready' || known === undefined) throw new HoldsUnavailableError('the counters of limits cannot be reached');
      if (performance.now() < known.trustedFromMs) throw new HoldsUnavailableError('the counters of limits are being built anew');
      return known.id;
    },
    reportedMs: () => reportedMs,
    learn,
    whenTrusted: async (timeoutMs) => {
      const until = performance.now() + timeoutMs;
      while (performance.now() < until) {
        if (known !== undefined && performance.now() >= known.trustedFromMs) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    onLoss: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      clearInterval(timer);
      redis.off('close', forget);
      redis.off('ready', tryLook);
    },
  };
}

export { WRITERS_KEY };
