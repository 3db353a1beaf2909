import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../revocations/percentile';
import { readClock } from './feeder-job';
import { startPipeline, type Pipeline } from './start-pipeline';

type LagOptions = { readonly perSecond: number; readonly seconds: number; readonly warmUpSeconds: number };

type LagResult = {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly transactions: number;
  /** Milliseconds of CPU a second, by process. */
  readonly cpu: Readonly<Record<string, number>>;
};

const LOOK_EVERY_MS = 20;
const SETTLE_MS = 30_000;

/** From an event being in its worker's journal until a reader of the database sees it in the rollups, at an even rate. */
export async function measureLag({ perSecond, seconds, warmUpSeconds }: LagOptions): Promise<LagResult> {
  const pipeline = await startPipeline();
  try {
    await pipeline.startAggregators(1);
    const total = perSecond * (seconds + warmUpSeconds);
    const first = perSecond * warmUpSeconds;
    const { brokers, redisUrl, directory } = pipeline;
    const [{ endedAt }, seenAt, cpu] = await Promise.all([
      pipeline.feed({ kind: 'stream', brokers, redisUrl, directory, perSecond, seconds: seconds + warmUpSeconds }),
      watchCommits(pipeline, total),
      sampleCpu(pipeline, { seconds, warmUpSeconds }),
    ]);
    const lags = endedAt.slice(first).map((at, index) => findSeen(seenAt, first + index) - at);
    return {
      events: lags.length,
      p50Ms: percentile(lags, 0.5),
      p99Ms: percentile(lags, 0.99),
      maxMs: percentile(lags, 1),
      transactions: await pipeline.countTransactions(),
      cpu,
    };
  } finally {
    await pipeline.stop();
  }
}

async function sampleCpu(
  pipeline: Pipeline,
  { seconds, warmUpSeconds }: Pick<LagOptions, 'seconds' | 'warmUpSeconds'>,
): Promise<LagResult['cpu']> {
  await pause(warmUpSeconds * 1000);
  const before = pipeline.readCpu();
  const startedAt = readClock();
  await pause(seconds * 1000);
  const elapsed = (readClock() - startedAt) / 1000;
  const after = Object.entries(pipeline.readCpu());
  return Object.fromEntries(after.map(([name, used]) => [name, (used - (before[name] ?? 0)) / 1000 / elapsed]));
}

/** So many events were committed at that moment, as a reader sees it. */
type Sight = { readonly at: number; readonly committed: number };

async function watchCommits(pipeline: Pipeline, total: number): Promise<Sight[]> {
  const sights: Sight[] = [];
  const giveUpAt = (): number => (sights.at(-1)?.at ?? readClock()) + SETTLE_MS;
  for (let committed = 0; committed < total && readClock() < giveUpAt(); await pause(LOOK_EVERY_MS)) {
    const now = await pipeline.countCommitted();
    if (now === committed) continue;
    committed = now;
    sights.push({ at: readClock(), committed });
  }
  return sights;
}

/** When an event of the only writer was seen: its sequence is below what was committed. Never: without end. */
function findSeen(sights: readonly Sight[], sequence: number): number {
  let [low, high] = [0, sights.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sights[middle]?.committed ?? 0) > sequence) high = middle;
    else low = middle + 1;
  }
  return sights[low]?.at ?? Infinity;
}
