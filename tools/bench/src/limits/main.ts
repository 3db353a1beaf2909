// Measures what holding money costs the edge, per request: `node tools/bench/dist/limits/main.js [redis url]`.
import type { KeyRecord } from '@weir/access';
import { getEndpoint, type PassportHold } from '@weir/contracts';
import { createLeaseBook, createRequestHolds, type LeaseBook } from '@weir/edge-router';
import { BALANCE_SCOPE, createMemoryHoldStore, type HoldStore } from '@weir/limits';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createCircuit, createRedis, createRedisHoldStore, type Circuit, type Redis } from '@weir/redis-stores';
import { planAttempts } from '@weir/routing';
import { bindSixLimits } from './six-limits';

const ROUNDS = 10_000;
/** Enough for the compiler to be done. */
const WARM_UP = 10_000;
const LOADS = [1, 32];
const TTL_MS = 90_000;
const PLENTY = 1_000_000n * 10n ** 12n;
const log = { info: () => undefined, warn: () => undefined };

/** A key in a group of an organization with a balance: four scopes apply to each of its requests. */
const KEY = {
  apiKeyId: '11111111-1111-4111-8111-111111111111',
  organizationId: '22222222-2222-4222-8222-222222222222',
  userId: '33333333-3333-4333-8333-333333333333',
  groupId: '44444444-4444-4444-8444-444444444444',
  monthlyLimitPico: PLENTY,
  groupLimits: {
    monthlyLimitPico: null,
    monthlyBudgetPico: PLENTY,
    budgetPerUserPico: PLENTY,
    memberLimitPico: null,
    memberBudgetPico: null,
  },
  organization: { budgetMode: 'group', limitsUnavailable: 'deny', isClampedToLimit: false, creditPico: PLENTY },
} as unknown as KeyRecord;

type Counters = { readonly store: HoldStore; readonly circuit: Circuit; readonly leases: LeaseBook | null };

async function measure(name: string, { store, circuit, leases }: Counters): Promise<void> {
  const catalog = createBuiltInCatalog();
  const { attempts } = planAttempts('sandbox/chat', 'chat', { catalog, isRoutable: () => true });
  const holds = createRequestHolds({
    store,
    truth: {
      readBases: (_id, scopes) => Promise.resolve(scopes.map((scope) => ({ scope, base: 0n, version: 0n }))),
      findCommitted: () => Promise.resolve(new Set()),
    },
    catalog,
    policy: { isBalanceRequired: false },
    circuit,
    leases,
    holdTtlMs: TTL_MS,
    count: () => undefined,
    now: Date.now,
    log: { warn: () => undefined },
  });
  const json = {
    model: 'sandbox/chat',
    max_tokens: 100,
    messages: Array.from({ length: 10 }, () => ({ role: 'user', content: 'x'.repeat(200) })),
  };
  const text = JSON.stringify(json);
  const held: PassportHold[] = [];
  let next = 0;
  const holdOne = async (): Promise<void> => {
    const answer = await holds.hold({
      principal: { key: KEY },
      requestId: `bench-${(next += 1)}`,
      endpoint: getEndpoint('chat-completions'),
      attempts,
      parsed: { text, json },
      bodyBytes: text.length,
      admittedAtMs: Date.now(),
      setHeader: () => undefined,
    });
    if (answer?.hold.scopes.length !== 4 || !answer.hold.scopes.includes(BALANCE_SCOPE)) throw new Error('not every scope was held');
    held.push(answer.hold);
  };
  const settleOne = async (): Promise<void> => {
    const { id, scopes } = held.pop() as PassportHold;
    await store.settle({ organizationId: KEY.organizationId, holdId: id, scopes, spent: scopes.map(() => 1_234_567_000n) });
  };
  await timeBoth(name, holdOne, settleOne);
}

async function timeBoth(name: string, holdOne: () => Promise<void>, settleOne: () => Promise<void>): Promise<void> {
  for (const atOnce of LOADS) {
    await timeRounds(WARM_UP, atOnce, holdOne);
    await timeRounds(WARM_UP, atOnce, settleOne);
    console.log(`${name}, ${atOnce} at once: admission ${await timeRounds(ROUNDS, atOnce, holdOne)}`);
    console.log(`${name}, ${atOnce} at once: settling ${await timeRounds(ROUNDS, atOnce, settleOne)}`);
  }
}

/** Six limits of an organization's own, without what else an edge does; and what the server says that it spent on each call. */
async function measureSix(name: string, store: HoldStore, redis?: Redis): Promise<void> {
  const { admit, settle } = bindSixLimits(store, KEY);
  await timeRounds(WARM_UP, 1, admit);
  await timeRounds(WARM_UP, 1, settle);
  if (redis === undefined) return timeBoth(name, admit, settle);
  for (const [what, runOne] of [['admission', admit] as const, ['settling', settle] as const]) {
    await redis.config('RESETSTAT');
    const before = await serverCpu(redis);
    const spent = await timeRounds(ROUNDS, 32, runOne);
    const serverUs = ((await serverCpu(redis)) - before) / ROUNDS;
    const inScript = /cmdstat_evalsha:calls=\d+,usec=\d+,usec_per_call=([\d.]+)/.exec(await redis.info('commandstats'))?.[1];
    console.log(`${name}: ${what} ${spent}; server: ${serverUs.toFixed(1)} µs CPU, ${inScript} µs in the script`);
  }
}

/** Microseconds of CPU since the server began. */
async function serverCpu(redis: Redis): Promise<number> {
  const text = await redis.info('cpu');
  const of = (field: string): number => Number(new RegExp(`${field}:([\\d.]+)`).exec(text)?.[1] ?? 0);
  return (of('used_cpu_sys') + of('used_cpu_user')) * 1e6;
}

/** CPU of this process and the time that passed, per round. */
async function timeRounds(rounds: number, atOnce: number, runOne: () => Promise<void>): Promise<string> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let round = 0; round < Math.floor(rounds / atOnce); round += 1) await runOne();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  const elapsedMs = performance.now() - startedAt;
  return `${((user + system) / rounds).toFixed(1)} µs CPU, ${((elapsedMs / rounds) * atOnce).toFixed(2)} ms`;
}

async function main(url: string | undefined): Promise<void> {
  const memory = createMemoryHoldStore({ now: Date.now });
  await measure('memory, 4 scopes', { store: memory, circuit: (call) => call(), leases: null });
  await measureSix('memory, 6 limits', createMemoryHoldStore({ now: Date.now }));
  if (url === undefined) return;
  const redis = createRedis(url, log);
  const store = createRedisHoldStore(redis, log);
  await store.whenTrusted(10_000);
  // As an edge has it, but that a busy machine is not taken for a store that is away.
  const now = (): number => performance.now();
  const leases = createLeaseBook({ store, now });
  await measure('redis, 4 scopes', { store, circuit: createCircuit({ timeoutMs: 2_000, now }), leases });
  await measureSix('redis, 6 limits', store, redis);
  await leases.close();
  store.close();
  redis.disconnect();
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
