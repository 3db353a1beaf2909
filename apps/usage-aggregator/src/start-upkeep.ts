import { repeatTasks, type RunningTasks, type Task } from '@weir/http-server';
import type { UsageUpkeep, WatermarkStore } from '@weir/usage';
import type { AggregatorLog } from './aggregator-log';

/** What the operator sees of the money path beside its flow. All but the first must be 0, and ranges 1. */
export type UpkeepMetrics = {
  writerRanges(most: number): void;
  missingSequences(count: number): void;
  deadLetters(waiting: ReadonlyMap<string, number>): void;
  unexplainedPico(pico: number): void;
};

type UpkeepParts = {
  readonly upkeep: UsageUpkeep;
  readonly watermarks: WatermarkStore;
  readonly metrics: UpkeepMetrics;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: AggregatorLog;
};

const SECOND = 1000;
/** Events of one journal may overtake each other for a moment; after this a hole is a loss. */
const GAP_TOLERATED_MS = 120 * SECOND;
/** The watermark of a journal at work is published with its batches, once the counters of limits know them; this is for the others. */
const SILENT_AFTER_MS = 180 * SECOND;

/** Starts what is done now and then. A task that fails says so and is done again at its next time. */
export function startUpkeep(parts: UpkeepParts): RunningTasks {
  const { upkeep, metrics } = parts;
  const tasks: Task[] = [
    { name: 'partitions', everyMs: 3600 * SECOND, run: () => upkeep.keepPartitions() },
    { name: 'limits', everyMs: 600 * SECOND, run: () => upkeep.forgetLimits() },
    { name: 'cubes', everyMs: 600 * SECOND, run: () => upkeep.buildCubes() },
    { name: 'writers', everyMs: 10 * SECOND, run: () => reportWriters(parts) },
    { name: 'dead letters', everyMs: 60 * SECOND, run: async () => metrics.deadLetters(await upkeep.countDeadLetters()) },
    {
      name: 'checks',
      everyMs: 300 * SECOND,
      run: async () => metrics.unexplainedPico(Number((await upkeep.checkUsage()).unexplainedPico)),
    },
  ];
  return repeatTasks(tasks, parts.log);
}

/** Watermarks are published again and again: a store that lost them must not keep a journal from trimming until it writes next. */
async function reportWriters({ upkeep, watermarks, metrics, now, log }: UpkeepParts): Promise<void> {
  const writers = await upkeep.readWriters();
  metrics.writerRanges(writers.reduce((most, { ranges }) => Math.max(most, ranges), 1));
  metrics.missingSequences(Number(writers.reduce((sum, { missing }) => sum + missing, 0n)));
  for (const { writerId, missing, firstGapAtMs } of writers) {
    if (firstGapAtMs !== null && now() - firstGapAtMs > GAP_TOLERATED_MS) {
      log.warn({ writerId, missing: String(missing), since: new Date(firstGapAtMs).toISOString() }, 'usage of a journal is missing');
    }
  }
  const silent = writers.filter(({ updatedAtMs }) => now() - updatedAtMs > SILENT_AFTER_MS);
  const known = silent.flatMap(({ writerId, watermark }) => (watermark === null ? [] : [[writerId, watermark] as const]));
  if (known.length > 0) await watermarks.publish(new Map(known));
}
