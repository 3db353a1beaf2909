import { createHoldTruth, createUsageStore } from '@weir/database';
import { composeUsageAggregator } from '@weir/usage-aggregator';
import type { Bus } from '../parts/bus';
import { createCounterClient } from '../parts/counter-client';
import { openPool } from '../parts/postgres/open-pool';
import { Line } from '../physics/line';
import type { SimProcess } from '../physics/sim-process';
import type { World } from '../world/world';
import { createQuietLog } from './quiet-log';

const FETCH_EVERY_MS = 200;
const BUS_TIMEOUT_MS = 3_000;
const RETRY_MS = { first: 100, most: 5_000 };
const HOLD_CHECK_MS = 20_000;

type Parts = Parameters<typeof composeUsageAggregator>[0];
type Handler = Parameters<Parts['consumer']['start']>[0];

const NO_METRICS: Parts['metrics'] = {
  ...{ applied: () => undefined, duplicates: () => undefined, deadLettered: () => undefined, lagSeconds: () => undefined },
  ...{ writerRanges: () => undefined, missingSequences: () => undefined, deadLetters: () => undefined, unexplainedPico: () => undefined },
};

/** The product's aggregator: its handler, its store, its reports to counters; the bus, the database and the counters are simulated. */
export function startAggregator(world: World, process: SimProcess): void {
  const log = createQuietLog(process);
  const client = createCounterClient(process, world.counters);
  const pool = openPool(process, world.database);
  const failPoint = (name: string): void => process.step(name);
  const { now, timers } = process;
  const random = world.dice.database.next;
  const aggregator = composeUsageAggregator({
    ...{ now, log, failPoint, watermarks: client.watermarks, metrics: NO_METRICS },
    store: createUsageStore({ pool, now, log, failPoint, timers, random }),
    holds: { store: client.holds, truth: createHoldTruth(pool), timers, checkEveryMs: HOLD_CHECK_MS },
    consumer: {
      start: (handler) => {
        for (const place of world.bus.partitions.keys()) void consume(world, process, place, handler).catch(world.onEscaped);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
  });
  aggregator.start().catch(world.onEscaped);
}

/** As the product's consumer of Kafka does: a batch again and again until it is taken, then how far that was. */
async function consume(world: World, process: SimProcess, place: number, handler: Handler): Promise<void> {
  const line = new Line(process, world.bus);
  const { bus } = world;
  const isOurs = (): boolean => bus.isOwner(place, process.name);
  let offset: bigint | null = null;
  type Fetched = ReturnType<Bus['fetch']> | undefined;
  const fetch = (from: bigint | null): Promise<Fetched> =>
    line
      .call({ what: 'fetch', timeoutMs: BUS_TIMEOUT_MS }, () => bus.fetch(place, from ?? bus.partition(place).committed))
      .catch(rethrowDeath);
  for (;;) {
    if (!isOurs()) offset = null;
    const fetched: Fetched = isOurs() ? await fetch(offset) : undefined;
    if (fetched === undefined || fetched.events.length === 0) {
      await process.pause(FETCH_EVERY_MS);
      continue;
    }
    const batch = { source: { topic: 'usage', partition: place, nextOffset: fetched.next }, events: fetched.events };
    if (!(await handleUntilTaken(process, handler, batch, isOurs))) continue;
    offset = fetched.next;
    if (isOurs()) await line.call({ what: 'commit', timeoutMs: BUS_TIMEOUT_MS }, () => bus.commit(place, fetched.next)).catch(rethrowDeath);
  }
}

async function handleUntilTaken(
  process: SimProcess,
  handler: Handler,
  batch: Parameters<Handler>[0],
  isWanted: () => boolean,
): Promise<boolean> {
  for (let pauseMs = RETRY_MS.first; isWanted(); pauseMs = Math.min(RETRY_MS.most, pauseMs * 2)) {
    try {
      await handler(batch);
      return true;
    } catch (error) {
      rethrowDeath(error);
      process.world.trace.note(process.name, `could not handle a batch: ${String(error)}`);
      await process.pause(pauseMs);
    }
  }
  return false;
}

/** What does not get through is tried again; the death of the process is the end of it. */
function rethrowDeath(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ProcessDied') throw error;
  return undefined;
}
