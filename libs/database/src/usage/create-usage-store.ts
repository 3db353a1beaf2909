import { NO_FAIL_POINT, NODE_TIMERS, type FailPoint, type Timers } from '@weir/contracts';
import type { AppliedBatch, UsageStore } from '@weir/usage';
import { DatabaseError, type Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { applyBatch, type ApplyParts, type Batch } from './counting/apply-batch';
import { createUsageBounds } from './bounds/create-usage-bounds';
import { decodeBatch } from './counting/decode-batch';
import { createPerformanceReader } from './performance/read-performance';
import { createQueryQueue } from './queries/create-query-queue';
import { createUsageReader } from './queries/read-usage';
import { createSeriesDirectory } from './rollups/series-directory';

type UsageStoreOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
  readonly failPoint?: FailPoint;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
  /** From 0 up to 1. */
  readonly random?: () => number;
};

type StoreParts = ApplyParts & { readonly timers: Timers; readonly random: () => number };

/** Of whichever kind. */
const QUERIES_PER_ORGANIZATION = { runningMax: 4, waitingMax: 32 };

export function createUsageStore({ pool, now, log = SILENT_LOG, failPoint = NO_FAIL_POINT, ...waiting }: UsageStoreOptions): UsageStore {
  const { timers = NODE_TIMERS, random = Math.random } = waiting;
  const parts: StoreParts = {
    ...{ pool, log, now, failPoint, timers, random },
    series: createSeriesDirectory(),
    bounds: createUsageBounds(),
  };
  const reading = { pool, now, queue: createQueryQueue(QUERIES_PER_ORGANIZATION) };
  return {
    applyBatch: (events, source) => applyBisecting(parts, { events: decodeBatch(events, now()), source }),
    readUsage: createUsageReader(reading),
    readPerformance: createPerformanceReader(reading),
  };
}

/** Serialization failure, deadlock, lock timeout: the same again may well succeed. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);
const TRIES_MAX = 5;
/** Data exceptions and broken constraints: the same again cannot succeed. */
const UNSTORABLE = /^2[23]/;

/**
 * One event that Postgres will not take must not hold up all behind it: the batch is halved until that event stands
 * alone, and it becomes a dead letter.
 */
async function applyBisecting(parts: StoreParts, batch: Batch): Promise<AppliedBatch> {
  try {
    return await applyRetrying(parts, batch);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !UNSTORABLE.test(error.code ?? '') || batch.isUnstorable === true) throw error;
    const { events, source } = batch;
    if (events.length > 1) {
      const middle = events.length >> 1;
      // Only the last part moves the offset: all before it is committed by then.
      const first = await applyBisecting(parts, { events: events.slice(0, middle), source: null });
      return addApplied(first, await applyBisecting(parts, { events: events.slice(middle), source }));
    }
    parts.log.error({ error, writer: events[0]?.writerId, sequence: String(events[0]?.sequence) }, 'a usage event cannot be stored');
    return applyRetrying(parts, { ...batch, isUnstorable: true });
  }
}

async function applyRetrying(parts: StoreParts, batch: Batch): Promise<AppliedBatch> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyBatch(parts, batch);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !RETRYABLE.has(error.code ?? '') || attempt === TRIES_MAX) throw error;
      parts.log.warn({ error, attempt }, 'usage batch will be tried again');
      await waitWithJitter(attempt, parts);
    }
  }
}

function waitWithJitter(attempt: number, { timers, random }: Pick<StoreParts, 'timers' | 'random'>): Promise<void> {
  return new Promise((resolve) => {
    timers.setTimeout(resolve, random() * 25 * 2 ** attempt);
  });
}

function addApplied(first: AppliedBatch, second: AppliedBatch): AppliedBatch {
  return {
    applied: first.applied + second.applied,
    duplicates: first.duplicates + second.duplicates,
    deadLettered: first.deadLettered + second.deadLettered,
    holds: [...first.holds, ...second.holds],
    watermarks: new Map([...first.watermarks, ...second.watermarks]),
  };
}
