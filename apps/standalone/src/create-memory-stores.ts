import { createMemoryChangeNotices, createMemoryProcessReports, createMemoryReplyCache } from '@weir/access';
import {
  createMemoryFreeModelDays,
  createMemoryHoldStore,
  createMemoryRateLimiter,
  type CountFreeSlots,
  type HoldStore,
} from '@weir/limits';
import type { SharedStores } from '@weir/process-links';
import { createMemoryWatermarkStore } from '@weir/usage';
import type { StandaloneEnv } from './env';

type MemorySettings = Pick<StandaloneEnv, 'HOLD_TTL_MS' | 'RESPONSE_CACHE_BYTES_MAX'>;

type MemoryParts = {
  readonly countSlots: CountFreeSlots;
  /** Throws where another process may count in place of this one. */
  readonly check: () => void;
};

/** What is counted and passed on where no Redis is given: in the memory of one process, for that one or for all that it started. */
export function createMemoryStores(env: MemorySettings, { countSlots, check }: MemoryParts): SharedStores & { readonly holds: HoldStore } {
  const now = (): number => performance.now();
  const holds = createMemoryHoldStore({ now: Date.now });
  const days = createMemoryFreeModelDays({ countSlots, keptMs: env.HOLD_TTL_MS, now });
  return {
    watermarks: createMemoryWatermarkStore(),
    changeNotices: createMemoryChangeNotices(),
    rates: createMemoryRateLimiter({ now }),
    freeModelDays: {
      ...days,
      take: async (slot, limit) => {
        check();
        return days.take(slot, limit);
      },
    },
    replyCache: createMemoryReplyCache({ bytesMax: env.RESPONSE_CACHE_BYTES_MAX, now: Date.now }),
    processReports: createMemoryProcessReports({ now }),
    holds: {
      ...holds,
      reserve: (request) => {
        check();
        return holds.reserve(request);
      },
    },
  };
}
