import { randomUUID } from 'node:crypto';
import { createUsageStore } from '@weir/database';
import { readCpuTime } from '../measure/cpu-time';
import { buildBatch, buildPayloads } from './build-batch';
import { startDatabase } from './start-database';

type FoldingResult = {
  readonly eventsPerSecond: number;
  /** Microseconds of CPU an event costs in this process and in Postgres; null where the system does not report it. */
  readonly ownMicroseconds: number | null;
  readonly postgresMicroseconds: number | null;
  /** What an event takes on the disk of Postgres, with its indexes. */
  readonly rowBytes: number;
};

type FoldingOptions = { readonly seconds: number; readonly lanes: number; readonly batchSize: number };

const WARM_UP_BATCHES = 10;

const EVENT_BYTES = `SELECT sum(pg_total_relation_size(inhrelid))::float8 AS bytes FROM pg_inherits WHERE inhparent = 'usage_event'::regclass`;

/** Folds batches as an aggregator does that finds the bus full: each lane has a writer of its own, as a partition has. */
export async function measureFolding({ seconds, lanes, batchSize }: FoldingOptions): Promise<FoldingResult> {
  const { database, pid, stop } = await startDatabase();
  try {
    const store = createUsageStore({ pool: database.pool, now: Date.now });
    const payloads = buildPayloads();
    const writers = Array.from({ length: lanes }, () => ({ id: randomUUID(), next: 0 }));
    const applyNext = async (writer: { readonly id: string; next: number }): Promise<void> => {
      const batch = buildBatch(payloads, { writerId: writer.id, first: writer.next, count: batchSize });
      writer.next += batchSize;
      await store.applyBatch(batch, null);
    };
    for (let at = 0; at < WARM_UP_BATCHES; at += 1) await Promise.all(writers.map(applyNext));
    const folded = writers.reduce((sum, { next }) => sum + next, 0);
    const before = readCpuTime(pid);
    const own = process.cpuUsage();
    const startedAt = performance.now();
    const deadline = startedAt + seconds * 1000;
    await Promise.all(
      writers.map(async (writer) => {
        while (performance.now() < deadline) await applyNext(writer);
      }),
    );
    const elapsed = (performance.now() - startedAt) / 1000;
    const events = writers.reduce((sum, { next }) => sum + next, 0) - folded;
    const { user, system } = process.cpuUsage(own);
    const after = readCpuTime(pid);
    const { rows } = await database.pool.query<{ bytes: number }>(EVENT_BYTES);
    return {
      eventsPerSecond: events / elapsed,
      rowBytes: (rows[0]?.bytes ?? 0) / (events + folded),
      ownMicroseconds: (user + system) / events,
      postgresMicroseconds:
        before === null || after === null
          ? null
          : (after.ownMicroseconds + after.childrenMicroseconds - before.ownMicroseconds - before.childrenMicroseconds) / events,
    };
  } finally {
    await stop();
  }
}
