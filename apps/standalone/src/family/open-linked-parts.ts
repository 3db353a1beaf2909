import { createFreeSlotCounter, type Database } from '@weir/database';
import { openLinkedStores, type Link } from '@weir/process-links';
import type { Logger } from '@weir/telemetry';
import type { StandaloneEnv } from '../env';
import type { SharedParts } from '../data-parts';
import { openShared } from '../open-shared';

/** What the processes of one gateway share: in Redis where one is given, in the process that started them otherwise. */
export function openLinkedParts(link: Link) {
  return (env: StandaloneEnv, database: Database, log: Logger): Promise<SharedParts> => {
    if (env.REDIS_URL !== undefined) return openShared(env, database, log);
    const { holds, ...stores } = openLinkedStores(link, {
      slotsKeptMs: env.HOLD_TTL_MS,
      countSlots: createFreeSlotCounter(database.pool),
    });
    return Promise.resolve({ ...stores, holdStore: holds, holdCircuit: null, showIn: () => undefined, close: () => Promise.resolve() });
  };
}
