import { randomUUID } from 'node:crypto';
import { createScript } from '../client/create-script';
import { isCluster, type Redis, type RedisLog } from '../client/create-redis';
import type { RedisCluster } from '../client/redis-cluster';
import { watchClusterGenerations } from './cluster/watch-cluster-generations';
import { LEARN_GENERATION } from './hold-scripts';
import {
  hearLosses,
  refuseAnew,
  refuseAway,
  SETTLING_MS,
  waitUntilTrusted,
  type HoldGeneration,
  type TrustedCounters,
} from './scopes/trusted-counters';

const GENERATION_KEY = 'weir:holds:generation';
export const WRITERS_KEY = 'weir:holds:writers';
const LOOK_EVERY_MS = 500;

type Known = TrustedCounters & { readonly trustedFromMs: number };

/** Of one server the same for all organizations; in a cluster each has its own, as its counters are on one node. */
export function watchGeneration(redis: Redis, log: RedisLog, writersBackMs?: number): HoldGeneration {
  return isCluster(redis) ? watchClusterGenerations(redis, log, writersBackMs) : watchServer(redis, log);
}

/**
 * Watches whether the server still has what it had. It forgets everything when emptied and its last second when it dies;
 * both begin a new generation, in which no counter is trusted before it was seeded and workers had time to report their holds.
 */
function watchServer(redis: Exclude<Redis, RedisCluster>, log: RedisLog): HoldGeneration {
  const { run: runLearn } = createScript(redis, LEARN_GENERATION);
  const { onLoss, report } = hearLosses(log);
  let known: Known | undefined;
  let lastId: string | undefined;
  let runId: string | undefined;
  let reportedMs = 0;

  const learn = async (): Promise<void> => {
    runId ??= /run_id:(\w+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
    const asked = runId;
    const [id, ageMs] = (await runLearn([GENERATION_KEY], [asked, randomUUID()])) as [string, number];
    if (asked !== runId) return; // the connection was lost meanwhile: the handler of that event looks again
    if (known?.id !== id) known = { id, node: redis, trustedFromMs: performance.now() + Math.max(0, SETTLING_MS - ageMs) };
    if (lastId === id) return;
    const isLoss = lastId !== undefined;
    lastId = id;
    if (!isLoss) return;
    report({ generation: id });
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
      if (redis.status !== 'ready' || known === undefined) throw refuseAway();
      if (performance.now() < known.trustedFromMs) throw refuseAnew();
      return known;
    },
    reportedMs: () => reportedMs,
    learn,
    whenTrusted: (timeoutMs) => waitUntilTrusted(() => known !== undefined && performance.now() >= known.trustedFromMs, timeoutMs),
    noteHeld: () => undefined,
    explain: (_, error) => error,
    onLoss,
    close: () => {
      clearInterval(timer);
      redis.off('close', forget);
      redis.off('ready', tryLook);
    },
  };
}
