import { randomUUID } from 'node:crypto';
import type { SequencedUsageEvent } from '@weir/contracts';
import { createDatabase, createUsageStore, createUsageUpkeep, type Database } from '@weir/database';
import { createInProcessUsageBus, type UsageBus } from '@weir/event-bus';
import { getPostgres, type RealPostgres } from '@weir/testing';
import { createMemoryWatermarkStore, type WatermarkStore } from '@weir/usage';
import { SILENT_METRICS } from './__fixtures__/silent-metrics';
import { composeUsageAggregator, type UsageAggregator } from './compose';

const WRITER = randomUUID();
const ORGANIZATION = randomUUID();

function buildEvents(count: number): SequencedUsageEvent[] {
  const units = { in: 10, out: 5, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0 };
  return Array.from({ length: count }, (_, at) => ({
    writerId: WRITER,
    epoch: 1,
    sequence: BigInt(at),
    payload: JSON.stringify({
      ...{ v: 1, event_id: `r${at}:1`, request_id: `r${at}`, attempt_no: 1, logical: true, admitted_at: Date.now(), ended_at: Date.now() },
      ...{ dur_ms: 1, ttft_ms: null, org_id: ORGANIZATION, api_key_id: randomUUID(), user_id: null, group_id: null },
      ...{ key_label_set_id: null, group_label_set_id: null, endpoint: 'chat-completions', modality: 'chat', model_requested: 'm' },
      ...{ model_used: 'm', provider_used: 'p', region: null, is_byok: false, is_free: false, origin_title: null, end_user_id: null },
      ...{ trace_id: null, extra: {}, units: { ...units, images: 0, chars: 0, ms_audio: 0, searches: 0 }, unit_source: 'provider' },
      ...{ price_version: 'v1', cost_p: String(at), billed_p: String(at), reserve_p: '0', hold_id: null, hold_scopes: [] },
      ...{ status: 'ok', http_status: 200, error_origin: null, guardrail: null },
    }),
  }));
}

type Harness = {
  readonly aggregator: UsageAggregator;
  readonly bus: UsageBus;
  readonly database: Database;
  readonly counts: Record<string, number>;
};

function startAggregator(url: string, watermarks: WatermarkStore): Harness {
  const database = createDatabase({ url });
  const bus = createInProcessUsageBus();
  const counts: Record<string, number> = {};
  const add = (name: string) => (count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  const aggregator = composeUsageAggregator({
    consumer: bus.consumer,
    store: createUsageStore({ pool: database.pool, now: Date.now }),
    watermarks,
    metrics: { ...SILENT_METRICS, applied: add('applied'), duplicates: add('duplicates'), deadLettered: add('deadLettered') },
    upkeep: createUsageUpkeep({ pool: database.pool, now: Date.now }),
    now: Date.now,
    log: { info: () => undefined, warn: () => undefined },
  });
  return { aggregator, bus, database, counts };
}

let postgres: RealPostgres;
beforeAll(async () => {
  postgres = await getPostgres();
}, 120_000);
afterAll(() => postgres.stop());

test('two aggregators that are given the same events at once count each once, and the journal may trim all of them', async () => {
  const url = await postgres.createDatabase();
  const watermarks = createMemoryWatermarkStore();
  const events = buildEvents(3_000);
  const harnesses = [startAggregator(url, watermarks), startAggregator(url, watermarks)];
  for (const { aggregator } of harnesses) await aggregator.start();
  await Promise.all(harnesses.map(({ bus }) => bus.publisher.publish(events)));
  const sum = (name: string) => harnesses.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
  expect({ applied: sum('applied'), duplicates: sum('duplicates'), deadLettered: sum('deadLettered') }).toEqual({
    applied: 3_000,
    duplicates: 3_000,
    deadLettered: 0,
  });
  expect(await watermarks.read(WRITER)).toBe(2_999n);
  const { rows } = await harnesses[0]!.database.pool.query(
    "SELECT cost_pico::text AS cost, requests::text AS requests FROM spend_month WHERE scope = 'organization'",
  );
  expect(rows).toEqual([{ cost: String((2_999 * 3_000) / 2), requests: '3000' }]);
  for (const { aggregator, bus, database } of harnesses) {
    await aggregator.stop();
    await bus.publisher.close();
    await database.close();
  }
}, 60_000);
