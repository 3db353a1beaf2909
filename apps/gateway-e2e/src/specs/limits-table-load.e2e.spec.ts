import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMIT_MEASURES, type LimitMeasure } from '@weir/contracts';
import { compareLimitUsage, createDatabase, type Database } from '@weir/database';
import { describeWithRealParts, getPostgres, getRedis, waitUntil } from '@weir/testing';
import { createCallHarness } from '../harness/call-harness';
import { startFleet, type Fleet } from '../harness/start-fleet';

/** `LIMITS_LOAD=full` is the promise as it is worded: a million requests of 200 clients. A number is as many requests. */
const ASKED = process.env['LIMITS_LOAD'] ?? '';
const FULL_REQUESTS = 1_000_000;
const REQUESTS = ASKED === 'full' ? FULL_REQUESTS : Number(ASKED) > 0 ? Number(ASKED) : 1_400;
const IS_LONG = REQUESTS > 10_000;
const CLIENTS = IS_LONG ? 200 : 28;
const KILL_EVERY_MS = IS_LONG ? 15_000 : 2_500;
const KILLS_MIN = IS_LONG ? 4 : 1;
const HOLD_TTL_MS = 4_000;
const PATIENCE_MS = IS_LONG ? 4 * 3_600_000 : 90_000;
const PICO_PER_USD = 1e12;

/** A long run has more, so that it goes on for many kills before everything is used up. */
const SCALE = IS_LONG ? BigInt(Math.ceil(REQUESTS / 5_000)) : 1n;
/** Well below what the clients ask for, whatever the load. */
const AMOUNTS: Readonly<Record<LimitMeasure, bigint>> = {
  ...{ usd: 4_000_000_000n * SCALE, requests: 60n * SCALE },
  ...{ input_tokens: 2_000n * SCALE, output_tokens: 700n * SCALE, tokens: 3_000n * SCALE },
  ...{ concurrent_requests: 3n, concurrent_streams: 2n },
};
const MEASURES = LIMIT_MEASURES.map(({ name }) => name);
const isConcurrent = (measure: LimitMeasure): boolean => LIMIT_MEASURES.some((row) => row.name === measure && row.isConcurrent);

/** How many attempts of a limit ran at the same time; moments are known to a millisecond or two. */
const AT_ONCE = `SELECT coalesce(max(running), 0)::int AS running FROM (
  SELECT sum(change) OVER (ORDER BY at_ms, change ROWS UNBOUNDED PRECEDING) AS running FROM usage_event e
  CROSS JOIN LATERAL (VALUES ((e.payload ->> 'ended_at')::bigint - (e.payload ->> 'dur_ms')::bigint + 2, 1), ((e.payload ->> 'ended_at')::bigint - 2, -1)) AS m(at_ms, change)
  WHERE (e.payload ->> 'dur_ms')::bigint > 4 AND e.payload ->> 'hold_scopes' LIKE '%limit:' || $1 || ':%') moments`;

type Limited = { readonly measure: LimitMeasure; readonly key: string; readonly limitId: string; readonly max: bigint };

describeWithRealParts(['postgres', 'redis'], 'limits of every measure under racing requests, with kills', () => {
  let fleet: Fleet;
  let database: Database;
  let limited: Limited[];
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const [postgres, redis] = await Promise.all([getPostgres(), getRedis()]);
    if (redis === undefined) throw new Error('redis was found but could not be started');
    const databaseUrl = await postgres.createDatabase();
    stops.push(
      () => redis.stop(),
      () => postgres.stop(),
    );
    fleet = await startFleet(IS_LONG ? 4 : 2, {
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, HOLD_TTL_MS: String(HOLD_TTL_MS), LIMITS_TIMEOUT_MS: '2000' },
    });
    stops.unshift(() => fleet.stop());
    database = createDatabase({ url: databaseUrl, poolMax: 2 });
    stops.unshift(() => database.close());
    limited = await Promise.all(MEASURES.map(limitKey));
  }, 120_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
  }, 60_000);

  const at = (index: number): Fleet['harnesses'][number] => fleet.harnesses[index % fleet.harnesses.length] as Fleet['harnesses'][number];

  async function limitKey(measure: LimitMeasure): Promise<Limited> {
    const call = createCallHarness(at(0));
    const name = `loaded ${randomUUID()}`;
    const made = await call('POST /v1/manage/apikey', { name, permissions: { completions: 'write' } });
    const max = AMOUNTS[measure];
    const amount = measure === 'usd' ? String(Number(max) / PICO_PER_USD) : String(max);
    const window = isConcurrent(measure) ? {} : { window: 'total' };
    const limit = { name, scope: 'key', api_key_id: made.json['api_key_id'], measure, amount, ...window };
    const { status, text, json } = await call('POST /v1/manage/limit', limit);
    if (status !== 201) throw new Error(`the limit could not be made: ${status} ${text}`);
    return { measure, max, key: String(made.json['api_key']), limitId: String(json['id']) };
  }

  /** Returns the status, 0 where the gateway was killed under it; null where none was there to take it. */
  async function ask(index: number, seed: number): Promise<number | null> {
    const { key, measure } = limited[index % limited.length] as Limited;
    const content = `!tokens ${1 + (seed % 20)}${isConcurrent(measure) ? ' !gap 5' : ''}`;
    try {
      const reply = await fetch(`${at(index).url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          ...{ model: 'sandbox/chat', max_tokens: 20, messages: [{ role: 'user', content }] },
          stream: isConcurrent(measure),
        }),
      });
      await reply.text();
      return reply.status;
    } catch (error) {
      return ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? null : 0;
    }
  }

  const count = new Map<number, number>();

  async function runClients(): Promise<void> {
    let left = REQUESTS;
    const deadline = Date.now() + PATIENCE_MS;
    const runClient = async (index: number): Promise<void> => {
      for (let seed = index; left > 0 && Date.now() < deadline; seed += 7_919) {
        left -= 1;
        const status = await ask(index, seed);
        // What reached no gateway is none of the requests.
        if (status === null) left += 1;
        else count.set(status, (count.get(status) ?? 0) + 1);
        if (status === null || status === 0 || status === 503) await pause(100);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => runClient(index)));
  }

  async function killNowAndThen(isOver: () => boolean): Promise<number> {
    let kills = 0;
    for (; !isOver() || kills < KILLS_MIN; kills += 1) {
      const until = Date.now() + KILL_EVERY_MS;
      while (Date.now() < until && !(isOver() && kills >= KILLS_MIN)) await pause(50);
      if (isOver() && kills >= KILLS_MIN) break;
      const victim = kills % fleet.harnesses.length;
      await at(victim).process.kill();
      await fleet.restart(victim);
    }
    return kills;
  }

  async function readUsed(): Promise<ReadonlyMap<string, bigint>> {
    const { rows } = await database.pool.query<{ limit_id: string; used: string }>('SELECT limit_id, used::text AS used FROM limit_usage');
    return new Map(rows.map(({ limit_id: id, used }) => [id, BigInt(used)]));
  }

  it(
    `none is overspent by ${REQUESTS} requests of ${CLIENTS} clients, and all of each can be used`,
    async () => {
      let isOver = false;
      const load = runClients().then(() => (isOver = true));
      const kills = await killNowAndThen(() => isOver);
      await load;
      // Whatever the killed had begun is counted by those that follow them.
      let before = '';
      await waitUntil(
        'all is counted',
        async () => {
          const now = JSON.stringify([...(await readUsed())].map(String));
          const isQuiet = now === before;
          before = now;
          if (!isQuiet) await pause(2_000);
          return isQuiet;
        },
        60_000,
      );
      expect(await compareLimitUsage(database.pool)).toEqual([]);
      const used = await readUsed();
      const found: string[] = [];
      for (const { measure, limitId, max } of limited) {
        const { rows } = await database.pool.query<{ running: number }>(AT_ONCE, [limitId]);
        const taken = isConcurrent(measure) ? BigInt(rows[0]?.running ?? 0) : (used.get(limitId) ?? 0n);
        expect({ measure, taken, isWithin: taken <= max }).toEqual({ measure, taken, isWithin: true });
        expect(taken).toBeGreaterThan(0n);
        found.push(`${measure} ${taken} of ${max}`);
      }
      if (IS_LONG) process.stdout.write(`${JSON.stringify({ kills, statuses: Object.fromEntries(count), found })}\n`);
      expect(kills).toBeGreaterThanOrEqual(KILLS_MIN);
    },
    PATIENCE_MS + 120_000,
  );
});
