import { foldBatch } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { DatabaseLog } from '../../postgres/database-log';
import { writeFreeDays } from '../../free-models/write-free-days';
import type { UsageBounds } from '../bounds/create-usage-bounds';
import type { FreshSequences } from './mark-seen';
import type { SeriesDirectory } from '../rollups/series-directory';
import { writeEvents, type CountableEvent } from './write-events';
import { writeLedger } from './write-ledger';
import { writeLimitUsage } from './write-limit-usage';
import { writeRollups } from '../rollups/write-rollups';

export type CountingParts = {
  readonly log: DatabaseLog;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly series: SeriesDirectory;
  readonly bounds: UsageBounds;
};

/** Writes what events add up to, in the caller's transaction. Returns a function to call once that has committed, which remembers what was decided. */
export async function countEvents(
  parts: CountingParts,
  client: PoolClient,
  countable: readonly CountableEvent[],
  fresh: readonly FreshSequences[],
): Promise<() => void> {
  if (countable.length === 0) return () => undefined;
  const events = countable.map(({ decoded }) => decoded);
  const bounds = await parts.bounds.open(client, events);
  const folded = foldBatch(events, bounds);
  const met = await bounds.writeMet(client);
  if (met.length > 0) parts.log.warn({ met: met.slice(0, 10), count: met.length }, 'free text of usage is too varied to be kept apart');
  const seriesIds = await parts.series.resolve(client, folded.series);
  // Raw events are this batch's own and take longest; rollup rows are everybody's, so they are locked last and shortly.
  await writeEvents(client, countable);
  await writeRollups(client, folded, seriesIds);
  await writeLedger(client, { billed: folded.billed, events, fresh });
  await writeFreeDays(client, events);
  await writeLimitUsage(client, events, parts);
  return () => {
    bounds.remember();
    parts.series.remember(seriesIds);
  };
}
