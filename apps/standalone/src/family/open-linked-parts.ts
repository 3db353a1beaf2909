import { joinChangeNotices } from '@weir/access';
import { createCounterOwnerStore, createFreeSlotCounter, type Database } from '@weir/database';
import { refuseUncounted } from '@weir/limits';
import { linkChangeNotices, openLinkedStores, type Link } from '@weir/process-links';
import type { Logger } from '@weir/telemetry';
import type { StandaloneEnv } from '../env';
import type { SharedParts } from '../data-parts';
import { openShared } from '../open-shared';

/** What the processes of one gateway share: in Redis where one is given, in the process that started them otherwise. */
export function openLinkedParts(link: Link) {
  return async (env: StandaloneEnv, database: Database, log: Logger): Promise<SharedParts> => {
    if (env.REDIS_URL !== undefined) {
      const shared = await openShared(env, database, log);
      // Processes on other machines hear of changes by Redis; those on this one are waited for as well.
      return { ...shared, changeNotices: joinChangeNotices([linkChangeNotices(link), shared.changeNotices]) };
    }
    const store = createCounterOwnerStore(database.pool);
    link.serve({ 'owner.take': store.take, 'owner.renew': store.renew, 'owner.release': store.release });
    const { holds, ...stores } = openLinkedStores(link, {
      slotsKeptMs: env.HOLD_TTL_MS,
      countSlots: createFreeSlotCounter(database.pool),
    });
    return {
      ...stores,
      ...{ holdStore: holds, holdCircuit: null, counters: watchCounters(link) },
      showIn: () => undefined,
      close: () => Promise.resolve(),
    };
  };
}

/** Whether the process that keeps the counters owns them, as it says; it lets no request take anything of them where it does not. */
function watchCounters(link: Link): NonNullable<SharedParts['counters']> {
  let problem: string | null = null;
  link.serve({ counters: (now: string | null) => void (problem = now) });
  return {
    describe: () => problem,
    check: () => {
      if (problem !== null) throw refuseUncounted(problem);
    },
  };
}
