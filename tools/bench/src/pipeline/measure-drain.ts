import { setTimeout as pause } from 'node:timers/promises';
import { readClock } from './feeder-job';
import { startPipeline } from './start-pipeline';

type DrainOptions = { readonly events: number; readonly writers: number; readonly aggregators: number };

type DrainResult = {
  readonly eventsPerSecond: number;
  /** Of the second half alone: programs are compiled and caches filled by then. */
  readonly warmPerSecond: number;
  readonly transactions: number;
  /** Microseconds of CPU an event, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  /** The most memory of an aggregator, in MiB. */
  readonly peakMebibytes: number;
};

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 300_000;

/** How fast usage-aggregators fold what has piled up on the bus, with broker and database on the same machine. */
export async function measureDrain({ events, writers, aggregators }: DrainOptions): Promise<DrainResult> {
  const pipeline = await startPipeline();
  try {
    const { brokers } = pipeline;
    await pipeline.feed({ kind: 'backlog', brokers, events, writers });
    await pipeline.startAggregators(aggregators);
    const total = Math.ceil(events / writers) * writers;
    const sights: { readonly at: number; readonly committed: number }[] = [];
    const giveUpAt = readClock() + PATIENCE_MS;
    const before = pipeline.readCpu();
    for (let committed = 0; committed < total; await pause(LOOK_EVERY_MS)) {
      if (readClock() > giveUpAt) throw new Error(`${committed} of ${total} events were folded in ${PATIENCE_MS} ms`);
      committed = await pipeline.countCommitted();
      if (committed > 0) sights.push({ at: readClock(), committed });
    }
    const after = pipeline.readCpu();
    const perSecond = (share: number): number => {
      const from = sights.find(({ committed }) => committed >= total * share);
      const to = sights.at(-1);
      return from === undefined || to === undefined ? 0 : ((to.committed - from.committed) / (to.at - from.at)) * 1000;
    };
    return {
      eventsPerSecond: perSecond(0),
      warmPerSecond: perSecond(0.5),
      transactions: await pipeline.countTransactions(),
      peakMebibytes: pipeline.readPeakMemory(),
      cpu: Object.fromEntries(Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / total])),
    };
  } finally {
    await pipeline.stop();
  }
}
