import { setTimeout as pause } from 'node:timers/promises';
import { monthlyScope, type ScopeState } from '@weir/limits';
import { createRedis, createRedisHoldStore, type Redis, type RedisHoldStore } from '@weir/redis-stores';
import { describeWithRealParts, getPostgres, getRedis, startCuttingProxy, type CuttingProxy } from '@weir/testing';
import { startFleet, type Fleet } from '../harness/start-fleet';

/** `LIMITS_LOAD=full` runs 200 clients with 50 requests each against a dollar, as the promise is worded. */
const FULL = process.env['LIMITS_LOAD'] === 'full';
const LOAD = FULL ? { clients: 200, each: 50, limit: 1 } : { clients: 24, each: 25, limit: 0.06 };
const HOLD_TTL_MS = 3_000;
const PICO_PER_USD = 1e12;

type Served = { readonly status: number; readonly cost: number; readonly headers: Headers };

describeWithRealParts(['postgres', 'redis'], 'limits over four gateways with one Redis', () => {
  let fleet: Fleet;
  let proxy: CuttingProxy;
  let redis: Redis;
  let store: RedisHoldStore;
  let organizationId: string;
  const stops: (() => Promise<unknown> | void)[] = [];
  const log = { info: () => undefined, warn: () => undefined };

  beforeAll(async () => {
    const [postgres, server] = await Promise.all([getPostgres(), getRedis()]);
    if (server === undefined) throw new Error('redis was found but could not be started');
    const { hostname, port } = new URL(server.url);
    proxy = await startCuttingProxy(Number(port), hostname);
    redis = createRedis(server.url, log);
    store = createRedisHoldStore(redis, log);
    stops.push(
      () => store.close(),
      () => redis.disconnect(),
      () => proxy.stop(),
      () => server.stop(),
      () => postgres.stop(),
    );
    fleet = await startFleet(4, {
      DATABASE_URL: await postgres.createDatabase(),
      // Under full load this process has no time to pass Redis' traffic on.
      REDIS_URL: FULL ? server.url : `redis://127.0.0.1:${proxy.port}`,
      HOLD_TTL_MS: String(HOLD_TTL_MS),
      // A machine that is busy with tests is slow, not away.
      LIMITS_TIMEOUT_MS: '2000',
    });
    organizationId = String(((await manage('GET', '/v1/manage/org'))['organization'] as { id: string }).id);
    stops.unshift(() => fleet.stop());
  }, 180_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
  }, 60_000);

  const harness = (index: number) => fleet.harnesses[index % fleet.harnesses.length] as Fleet['harnesses'][number];

  async function manage(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const reply = await fetch(`${harness(0).url}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness(0).apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  }

  async function createKey(limit: number): Promise<{ key: string; scope: string; id: string }> {
    const made = await manage('POST', '/v1/manage/apikey', { name: 'loaded', monthly_limit: limit, permissions: { completions: 'write' } });
    const id = String(made['api_key_id']);
    return { key: String(made['api_key']), id, scope: monthlyScope('key', id, Date.now()) };
  }

  async function ask(key: string, index: number, tokens: number): Promise<Served> {
    const reply = await fetch(`${harness(index).url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'sandbox/chat', max_tokens: 100, messages: [{ role: 'user', content: `!tokens ${tokens}` }] }),
    });
    const body = (await reply.json()) as { usage?: { cost: number } };
    return { status: reply.status, cost: Math.round((body.usage?.cost ?? 0) * PICO_PER_USD), headers: reply.headers };
  }

  async function askFree(index: number, content: string): Promise<number> {
    const reply = await fetch(`${harness(index).url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${harness(0).apiKey}` },
      body: JSON.stringify({ model: 'sandbox/chat-free', max_tokens: 5, messages: [{ role: 'user', content }] }),
    });
    await reply.text();
    return reply.status;
  }

  /** Clients that ask one after the other, each of its own gateway, until each has had its replies. */
  async function load(key: string, { clients, each }: { clients: number; each: number }): Promise<Served[]> {
    const deadline = Date.now() + (FULL ? 600_000 : 60_000);
    const replies = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const mine: Served[] = [];
        for (let decided = 0; decided < each && Date.now() < deadline;) {
          const gone = { status: 0, cost: 0, headers: new Headers() };
          const served = await ask(key, client, 1 + ((client * 7919 + decided * 104_729) % 100)).catch(() => gone);
          mine.push(served);
          // A gateway that is away, or cannot decide, is asked again, but not a thousand times a second.
          if (served.status === 0 || served.status === 503) await pause(FULL ? 1_000 : 100);
          else decided += 1;
        }
        return mine;
      }),
    );
    return replies.flat();
  }

  const max = (limit: number): bigint => BigInt(Math.round(limit * PICO_PER_USD));
  const sum = (replies: readonly Served[]): bigint => replies.reduce((total, { cost }) => total + BigInt(cost), 0n);
  const isLease = (holdId: string): boolean => holdId.startsWith('lease:');
  /** All that is still held is what gateways keep for an outage. */
  const isAtRest = ({ settled, open }: ScopeState): boolean => settled.length === 0 && open.every(({ holdId }) => isLease(holdId));

  async function waitForRest(scope: string, isExpected: (state: ScopeState) => boolean = isAtRest): Promise<ScopeState> {
    // A settlement that came after its confirmation stays until counters are compared with what is committed, once a minute.
    const deadline = Date.now() + 90_000;
    for (;;) {
      const state = await store.readScope(organizationId, scope);
      if (isExpected(state)) return state;
      if (Date.now() > deadline) throw new Error(`still held: ${state.open.length} open, ${state.settled.length} settled`);
      await pause(100);
    }
  }

  async function readSpent(id: string): Promise<bigint> {
    const { usage } = (await manage('GET', `/v1/manage/apikey/${id}/usage?start=${new Date().toISOString().slice(0, 10)}T00:00:00Z`)) as {
      usage: Record<string, { spend: string }>;
    };
    return Object.values(usage).reduce((total, { spend }) => total + max(Number(spend)), 0n);
  }

  it(`is never overspent by ${LOAD.clients} clients, and at least 95 % of it can be used`, async () => {
    const { key, id, scope } = await createKey(LOAD.limit);
    const startedAt = Date.now();
    const replies = await load(key, LOAD);
    const spent = sum(replies);
    const state = await waitForRest(scope);
    const count = (status: number) => replies.filter((answer) => answer.status === status).length;
    process.stdout.write(
      `limit ${LOAD.limit} USD, spent ${Number(spent) / PICO_PER_USD} USD; ${count(200)} served, ${count(412)} refused of ${replies.length} in ${Date.now() - startedAt} ms\n`,
    );

    expect(spent <= max(LOAD.limit)).toBe(true);
    expect(spent >= (max(LOAD.limit) * 95n) / 100n).toBe(true);
    expect(count(200) + count(412)).toBe(LOAD.clients * LOAD.each);
    expect(state.base).toBe(spent);
    expect(await readSpent(id)).toBe(spent);
  }, 900_000);

  it('holds when a gateway is killed in mid-request and comes back: nothing overspent, nothing locked for ever', async () => {
    const { key, id, scope } = await createKey(0.05);
    const slow = fetch(`${harness(3).url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'sandbox/chat',
        stream: true,
        max_tokens: 400,
        messages: [{ role: 'user', content: '!tokens 400 !gap 50' }],
      }),
    }).then((reply) => reply.text());
    const isCut = slow.then(
      () => false,
      () => true,
    );
    const silent = askFree(3, '!hang').catch(() => 0);
    const places = `weir:free-day:{${organizationId}}:${new Date().toISOString().slice(0, 10)}`;
    while ((await redis.zcard(places)) === 0) await pause(20);
    await waitForRest(scope, ({ open }) => open.some(({ holdId }) => !isLease(holdId)));
    const loading = load(key, { clients: 12, each: 30 });
    await pause(150);
    await harness(3).process.kill();
    await fleet.restart(3);
    await loading;

    expect([await isCut, await silent]).toEqual([true, 0]);
    // What was set aside and never begun is no one's once it has expired; the next request gets it.
    await waitForRest(
      scope,
      ({ settled, open }) => settled.length === 0 && open.every(({ holdId, isExpired }) => isExpired || isLease(holdId)),
    );
    await pause(HOLD_TTL_MS);
    await ask(key, 0, 1);
    const state = await waitForRest(scope);
    const spent = await readSpent(id);
    expect(spent <= max(0.05)).toBe(true);
    expect(state.base).toBe(spent);
  }, 180_000);

  it('lets exactly 200 requests to free models through, whichever gateways 64 clients ask, and Postgres counts the same; the place of one that was killed came back', async () => {
    const served: number[] = [];
    await Promise.all(
      Array.from({ length: 64 }, async (_, client) => {
        for (let count = 0; count < 4;) {
          const status = await askFree(client + count, 'hi');
          // A gateway that could not count is asked again: its refusal took no place.
          if (status === 503) {
            await pause(100);
            continue;
          }
          served.push(status);
          count += 1;
        }
      }),
    );
    expect(served.filter((status) => status === 200)).toHaveLength(200);
    expect(served.filter((status) => status === 429)).toHaveLength(56);

    const today = new Date().toISOString().slice(0, 10);
    const countFree = async (): Promise<number> => {
      const start = `${today}T00:00:00Z`;
      const query = `start=${start}&group_by=model_used`;
      const { usage } = (await manage('GET', `/v1/manage/org/usage?${query}`)) as {
        usage: Record<string, { grouped_data: { total_requests: number; group_by_values: { model_used: string } }[] }>;
      };
      const rows = Object.values(usage).flatMap(({ grouped_data }) => grouped_data);
      return rows.find(({ group_by_values }) => group_by_values.model_used === 'sandbox/chat-free')?.total_requests ?? 0;
    };
    const deadline = Date.now() + 20_000;
    // The one that was killed before its first token is a request all the same.
    while ((await countFree()) < 201 && Date.now() < deadline) await pause(100);
    expect(await countFree()).toBe(201);
  }, 60_000);

  it('holds when Redis loses everything under load', async () => {
    const { key, id, scope } = await createKey(0.05);
    const loading = load(key, { clients: 12, each: 40 });
    await pause(150);
    await redis.flushall();
    const replies = await loading;
    const state = await waitForRest(scope);
    const spent = await readSpent(id);

    expect(replies.some(({ status }) => status === 503)).toBe(true);
    expect(replies.filter(({ status }) => status === 412).length).toBeGreaterThan(0);
    expect(spent <= max(0.05)).toBe(true);
    expect(spent >= sum(replies)).toBe(true);
    expect(state.base).toBe(spent);
  }, 180_000);

  it.each(['refuse', 'blackhole'] as const)(
    'spends no more than its lease while Redis is out of reach (%s), says so, and catches up',
    async (kind) => {
      const limit = 0.2;
      const { key, id, scope } = await createKey(limit);
      const unlimited = harness(0).apiKey;
      expect((await ask(key, 0, 10)).status).toBe(200);
      await waitForRest(scope, ({ open }) => open.some(({ holdId }) => isLease(holdId)));
      proxy.setMode({ kind });
      try {
        const replies: Served[] = [];
        for (let tries = 0; tries < 12; tries += 1) replies.push(await ask(key, 0, 100));
        const reported = new Set(replies.map(({ status, headers }) => `${status} ${headers.get('x-weir-limits-unavailable')}`));
        expect(reported).toEqual(new Set(['200 lease', '503 deny']));
        expect(replies.at(-1)?.headers.get('retry-after')).toBe('5');
        expect(sum(replies) <= max(limit / 100)).toBe(true);
        expect((await ask(unlimited, 0, 5)).status).toBe(200);
      } finally {
        proxy.setMode({ kind: 'pass' });
        proxy.cut(); // what was swallowed is lost: both sides begin anew
      }
      const deadline = Date.now() + 20_000;
      while ((await ask(key, 0, 1)).status !== 200) {
        if (Date.now() > deadline) throw new Error('limited requests are still not served');
        await pause(200);
      }
      const state = await waitForRest(scope);
      expect(await readSpent(id)).toBe(state.base);
    },
    180_000,
  );

  it.each([
    ['deny', 503],
    ['allow', 200],
  ])(
    'obeys the policy %s while Redis is out of reach',
    async (policy, status) => {
      const { key } = await createKey(1);
      await manage('PATCH', '/v1/manage/org', { limits_unavailable: policy });
      expect((await ask(key, 0, 1)).status).toBe(200);
      proxy.setMode({ kind: 'refuse' });
      try {
        const answer = await ask(key, 0, 1);
        expect([answer.status, answer.headers.get('x-weir-limits-unavailable')]).toEqual([status, policy]);
      } finally {
        proxy.setMode({ kind: 'pass' });
        await manage('PATCH', '/v1/manage/org', { limits_unavailable: 'lease' });
      }
    },
    60_000,
  );
});
