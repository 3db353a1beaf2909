import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { getPostgres, getRedis, startCuttingProxy, type CuttingProxy, type ProxyMode } from '@weir/testing';
import { setTimeout as wait } from 'node:timers/promises';

type OutageOptions = {
  readonly mode: ProxyMode;
  readonly seconds: number;
  /** Of each kind of key. */
  readonly perSecond: number;
};

/** What one kind of key was answered, by `<status> <what acted>`, with how long each answer took. */
export type Replies = Map<string, number[]>;

type OutageFigures = {
  readonly before: ReadonlyMap<string, Replies>;
  readonly during: ReadonlyMap<string, Replies>;
  /** What limited keys under `lease` spent during the outage, and what their lease was, in USD. */
  readonly spentUsd: number;
  readonly leaseUsd: number;
  /** Until a limited request was held again. */
  readonly backAfterMs: number;
  /** What is counted at the end of the key under `lease`, and what its replies said they cost: the same. */
  readonly countedUsd: number;
  readonly reportedUsd: number;
};

const LIMIT_USD = 2;
const LEASE_USD = LIMIT_USD / 100;
const QUIET_MS = 5_000;

type Rig = { readonly harness: Harness; readonly proxy: CuttingProxy; stop(): Promise<void> };
type Caller = { readonly name: string; readonly key: string };

/** Takes Redis away from a whole gateway for a while, as `mode` says, while keys of all kinds go on asking. */
export async function measureOutage(options: OutageOptions): Promise<OutageFigures> {
  const rig = await openRig();
  try {
    return await runOutage(rig, options);
  } finally {
    await rig.stop();
  }
}

async function openRig(): Promise<Rig> {
  const [postgres, redis] = await Promise.all([getPostgres(), getRedis()]);
  if (redis === undefined) throw new Error('redis-server is not on the PATH');
  const { hostname, port } = new URL(redis.url);
  const proxy = await startCuttingProxy(Number(port), hostname);
  const harness = await startStandalone({
    env: { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
  });
  return {
    harness,
    proxy,
    stop: async () => {
      await harness.process.terminate();
      await proxy.stop();
      await redis.stop();
      await postgres.stop();
    },
  };
}

async function runOutage({ harness, proxy }: Rig, { mode, seconds, perSecond }: OutageOptions): Promise<OutageFigures> {
  const limited = await createKey(harness);
  const callers: Caller[] = [
    { name: 'unlimited', key: harness.apiKey },
    { name: 'limited', key: limited.key },
  ];
  let reportedUsd = 0;
  const load = async (ms: number): Promise<Map<string, Replies>> => {
    const replies = new Map(callers.map(({ name }) => [name, new Map() as Replies]));
    const asking: Promise<void>[] = [];
    for (const until = performance.now() + ms; performance.now() < until; await wait(1000 / perSecond)) {
      for (const { name, key } of callers) {
        const note = (reply: Reply): void => {
          if (name === 'limited') reportedUsd += reply.costUsd;
          const kind = `${reply.status} ${reply.acted ?? 'counters'}`;
          const known = replies.get(name) as Replies;
          known.set(kind, [...(known.get(kind) ?? []), reply.ms]);
        };
        asking.push(ask(harness, key).then(note));
      }
    }
    await Promise.all(asking);
    return replies;
  };
  await load(1_000); // what is compiled is compiled, and the lease is taken
  const before = await load(QUIET_MS);
  const spentBefore = reportedUsd;
  proxy.setMode(mode);
  const during = await load(seconds * 1000);
  const spentUsd = reportedUsd - spentBefore;
  proxy.setMode({ kind: 'pass' });
  proxy.cut();
  const backAt = performance.now();
  for (let reply = await ask(harness, limited.key); ; reply = await ask(harness, limited.key)) {
    reportedUsd += reply.costUsd;
    if (reply.status === 200 && reply.acted === null) break;
    await wait(50);
  }
  const backAfterMs = performance.now() - backAt;
  return {
    before,
    during,
    spentUsd,
    leaseUsd: LEASE_USD,
    backAfterMs,
    countedUsd: await readCounted(harness, limited.id, reportedUsd),
    reportedUsd,
  };
}

type Reply = { readonly status: number; readonly acted: string | null; readonly ms: number; readonly costUsd: number };

async function ask(harness: Harness, key: string): Promise<Reply> {
  const startedAt = performance.now();
  const reply = await fetch(`${harness.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'sandbox/chat', max_tokens: 100, messages: [{ role: 'user', content: '!tokens 20' }] }),
  });
  const { usage } = (await reply.json()) as { usage?: { cost: number } };
  const acted = reply.headers.get('x-weir-limits-unavailable');
  return { status: reply.status, acted, ms: performance.now() - startedAt, costUsd: usage?.cost ?? 0 };
}

async function createKey(harness: Harness): Promise<{ key: string; id: string }> {
  const made = (await manage(harness, 'POST /v1/manage/apikey', {
    ...{ name: 'limited', monthly_limit: LIMIT_USD, permissions: { completions: 'write' } },
  })) as { api_key: string; api_key_id: string };
  return { key: made.api_key, id: made.api_key_id };
}

/** Waits until everything that replies reported is counted, for at most 30 seconds. */
async function readCounted(harness: Harness, id: string, reportedUsd: number): Promise<number> {
  let counted = 0;
  for (const until = Date.now() + 30_000; Date.now() < until; await wait(200)) {
    const start = `${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`;
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const query = `start=${start}&end=${end}&resolution=month`;
    const { usage } = (await manage(harness, `GET /v1/manage/apikey/${id}/usage?${query}`)) as { usage: Record<string, { spend: string }> };
    counted = Object.values(usage).reduce((sum, { spend }) => sum + Number(spend), 0);
    if (Math.abs(counted - reportedUsd) < 1e-9) return counted;
  }
  return counted;
}

/** `what`: method and path. */
async function manage(harness: Harness, what: string, body?: unknown): Promise<unknown> {
  const [method = '', path = ''] = what.split(' ');
  const reply = await fetch(`${harness.managementUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${what} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}
