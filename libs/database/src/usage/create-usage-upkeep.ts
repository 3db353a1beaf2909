import { DAY_MS, type UsageUpkeep, type WriterSequence } from '@weir/usage';
import type { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { forgetLimitUsage } from '../limits/forget-limit-usage';
import { buildCubes } from './cubes/build-cubes';
import { countDeadLetters } from './dead-letters/count-dead-letters';
import { keepPartitions, type UsageRetention } from './partitions/keep-partitions';
import { checkUsage } from './reconcile/check-usage';
import { readWriters, type WriterState } from './reconcile/read-writers';

type UsageUpkeepOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
  readonly retention?: UsageRetention;
};

/** A journal that was silent for longer is drained or gone: no one waits for its watermark. */
const WRITERS_OF_DAYS = 40;

export function createUsageUpkeep({ pool, now, log = SILENT_LOG, retention }: UsageUpkeepOptions): UsageUpkeep {
  return {
    readWriters: async () => (await readWriters(pool, now() - WRITERS_OF_DAYS * DAY_MS)).map(describeWriter),
    countDeadLetters: () => countDeadLetters(pool),
    checkUsage: () => checkUsage({ pool, now, log }),
    buildCubes: () => buildCubes({ pool, now, log }),
    forgetLimits: () => forgetLimitUsage(pool, now()),
    keepPartitions: () => keepPartitions({ pool, now, log, ...(retention === undefined ? {} : { retention }) }),
  };
}

function describeWriter({ writerId, watermark, holes, firstGapAtMs, updatedAtMs }: WriterState): WriterSequence {
  return {
    writerId,
    watermark,
    missing: holes.reduce((sum, { from, to }) => sum + (to - from), 0n),
    // A hole at the very start has no range before it.
    ranges: holes.length + (holes[0]?.from === 0n ? 0 : 1),
    firstGapAtMs,
    updatedAtMs,
  };
}
