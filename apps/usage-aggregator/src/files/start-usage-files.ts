import type { UsageFileSettings } from '@weir/config';
import { countWaitingExports, createFileExportStore, findDueExports, forgetExports, type Database, type ExportScope } from '@weir/database';
import { repeatTasks, type RunningTasks } from '@weir/http-server';
import { createUsageFileMetrics, type MetricsRegistry } from '@weir/telemetry';
import { DAY_MS, periodStart } from '@weir/usage';
import { createS3FileStore } from '@weir/usage-files';
import type { AggregatorLog } from '../aggregator-log';
import { exportDay } from './export-day';
import type { ExportParts } from './export-parts';

type UsageFileParts = {
  /** Absent: nothing is exported. */
  readonly settings: UsageFileSettings | undefined;
  readonly database: Pick<Database, 'pool' | 'asOrganization'>;
  /** Events are kept for so many days. */
  readonly eventDays: number;
  readonly registry: MetricsRegistry;
  readonly log: AggregatorLog;
  readonly now?: () => number;
};

const EVERY_MS = 60_000;
/** Renewed every half a minute; a process that died is followed by another after this. */
const LEASE_MS = 180_000;
const DAYS_AT_ONCE = 50;
/** Of exports in the table; nothing can change a day that is older by far. */
const KEPT_DAYS = 800;

/** Starts what exports days that are over. Any number of processes may: each day is at work in one of them. */
export function startUsageFiles({ settings, database, eventDays, registry, log, now = Date.now }: UsageFileParts): RunningTasks {
  if (settings === undefined) return { stop: () => Promise.resolve() };
  const stopping = new AbortController();
  const files = createS3FileStore(settings);
  const metrics = createUsageFileMetrics(registry);
  const exports = createFileExportStore(database.pool, { leaseMs: LEASE_MS });
  const parts = { database, exports, files, settings, leaseMs: LEASE_MS, eventDays, metrics, now, log, stopping: stopping.signal };
  const startedMs = now();
  const run = (): Promise<void> => exportDays(parts, { pool: database.pool, settings, startedMs });
  const tasks = repeatTasks([{ name: 'usage as files', everyMs: EVERY_MS, run }], log);
  return {
    stop: async () => {
      stopping.abort();
      await tasks.stop();
      files.close();
    },
  };
}

type Round = {
  readonly pool: Database['pool'];
  readonly settings: Pick<UsageFileSettings, 'days' | 'organizations'>;
  /** UTC epoch milliseconds: since when this process exports. */
  readonly startedMs: number;
};

/** Exports all that is due, the oldest days first, one after the other; what fails is left for a later round. */
export async function exportDays(parts: ExportParts, { pool, settings, startedMs }: Round): Promise<void> {
  const untilMs = periodStart('day', parts.now());
  const scope: ExportScope = { fromMs: untilMs - settings.days * DAY_MS, untilMs, organizations: settings.organizations };
  for (;;) {
    let published = 0;
    for (const day of await findDueExports(pool, scope, DAYS_AT_ONCE)) {
      if (parts.stopping.aborted) return;
      if ((await exportDay(parts, day)) === 'published') published += 1;
    }
    const { days, sinceMs } = await countWaitingExports(pool, scope, startedMs);
    parts.metrics.waiting(days, sinceMs === null ? 0 : Math.max(0, (parts.now() - sinceMs) / 1000));
    if (published === 0) break;
  }
  await forgetExports(pool, untilMs - KEPT_DAYS * DAY_MS);
}
