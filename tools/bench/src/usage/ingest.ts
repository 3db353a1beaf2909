import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, createUsageStore } from '@weir/database';
import { buildBatch, buildPayloads } from './build-batch';

/** What the process is asked to do, and what it returns when it is asked to stop. */
export type IngestJob = { readonly url: string; readonly perSecond: number };
export type IngestReply = { readonly events: number; readonly seconds: number };

/** As often as an aggregator commits when events come evenly. */
const EVERY_MS = 250;
const BATCH_MAX = 2_000;

/** Counts events at an even rate until it is asked to stop: a process of its own, as an aggregator is. */
async function ingest({ url, perSecond }: IngestJob, isOver: () => boolean): Promise<IngestReply> {
  const database = createDatabase({ url });
  const store = createUsageStore({ pool: database.pool, now: Date.now });
  const payloads = buildPayloads();
  const writerId = randomUUID();
  const startedAt = performance.now();
  let events = 0;
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  while (!isOver()) {
    await pause(EVERY_MS - (elapsed() % (EVERY_MS / 1000)) * 1000);
    for (let due = Math.floor(elapsed() * perSecond) - events; due > 0; due -= BATCH_MAX) {
      const count = Math.min(due, BATCH_MAX);
      await store.applyBatch(buildBatch(payloads, { writerId, first: events, count }), null);
      events += count;
    }
  }
  const answer = { events, seconds: elapsed() };
  await database.close();
  return answer;
}

let isOver = false;
// The parent process is gone.
process.on('disconnect', () => process.exit());
process.on('message', (message: IngestJob | 'stop') => {
  if (message === 'stop') isOver = true;
  else
    ingest(message, () => isOver).then(
      (answer) => process.send?.(answer, () => process.disconnect()),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
});
