import { randomUUID } from 'node:crypto';
import { createScript } from '../../client/create-script';
import type { RedisCluster } from '../../client/redis-cluster';
import { refuseAway, SETTLING_MS } from '../scopes/trusted-counters';
import { COMMON, COMMON_ORGANIZATIONS, COMMON_WRITERS, LOOK_AT_COMMON } from './cluster-scripts';
import { measureClocks } from './measure-clocks';

type CommonOptions = {
  /** After what is common was lost, writers that are there have reported by then. */
  readonly writersBackMs: number | undefined;
  readonly onLoss: (about: object) => void;
  /** Those for which something may have been set aside. */
  readonly listOrganizations: () => readonly string[];
};

export type CommonWatch = {
  /** The generation of what organizations have in common. Throws while it is not known. */
  require(): string;
  /** A moment on the clock of every node, since when every writer has reported; 0 while that is not known. */
  reportedMs(): number;
  isSettled(): boolean;
  close(): void;
};

type Seen = { readonly id: string; readonly bornMs: number; readonly losses: string };

const LOOK_EVERY_MS = 500;
const WRITERS_BACK_MS = 30_000;

/** Watches what all organizations have in common: which writers there are, which organizations, and how often counters were lost. */
export function watchCommon(cluster: RedisCluster, options: CommonOptions): CommonWatch {
  const { writersBackMs = WRITERS_BACK_MS, onLoss, listOrganizations } = options;
  const { run } = createScript(cluster, LOOK_AT_COMMON);
  let seen: Seen | undefined;
  let reportedMs = 0;
  let isLooking = false;
  let isMeasuring = false;

  /** Beside what else is looked at: a node that hangs says late what time it is, and losses are to be heard of soon. */
  const compareClocks = (reported: number): void => {
    if (isMeasuring) return;
    isMeasuring = true;
    void measureClocks(cluster)
      .then((apartMs) => {
        reportedMs = reported - apartMs;
      })
      .catch(() => undefined) // what was known before is earlier: expired holds wait somewhat longer
      .finally(() => (isMeasuring = false));
  };
  const look = async (): Promise<void> => {
    const [id, ageMs, losses, reported] = (await run([COMMON, COMMON_WRITERS], [randomUUID()])) as [string, number, string, string];
    const before = seen;
    if (before !== undefined && before.id !== id) await enlistAll(cluster, listOrganizations());
    seen = { id, losses, bornMs: performance.now() - ageMs };
    if (before !== undefined && (before.id !== id || before.losses !== losses)) onLoss({ generation: id, losses });
    // Of writers that have not enrolled again nothing is known yet.
    const isKnown = ageMs >= writersBackMs && reported !== '0';
    if (!isKnown) reportedMs = 0;
    else compareClocks(Number(reported));
  };
  const tryLook = (): void => {
    if (isLooking || cluster.status !== 'ready') return;
    isLooking = true;
    // A node that is away is logged by its connection; what was seen last holds on.
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  };
  cluster.on('ready', tryLook);
  const timer = setInterval(tryLook, LOOK_EVERY_MS);
  timer.unref();
  tryLook();
  return {
    require: () => {
      if (seen === undefined) throw refuseAway();
      return seen.id;
    },
    reportedMs: () => Math.max(0, reportedMs),
    isSettled: () => seen !== undefined && performance.now() - seen.bornMs >= SETTLING_MS,
    close: () => {
      clearInterval(timer);
      cluster.off('ready', tryLook);
    },
  };
}

const ENLISTED_AT_ONCE = 1_000;

async function enlistAll(cluster: RedisCluster, organizationIds: readonly string[]): Promise<void> {
  for (let from = 0; from < organizationIds.length; from += ENLISTED_AT_ONCE)
    await cluster.sadd(COMMON_ORGANIZATIONS, ...organizationIds.slice(from, from + ENLISTED_AT_ONCE));
}
