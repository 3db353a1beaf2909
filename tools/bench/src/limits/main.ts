// Measures what holding money costs the edge, per request: `node tools/bench/dist/limits/main.js [redis url]`.
import type { KeyRecord } from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { createRequestHolds } from '@weir/edge-router';
import { BALANCE_SCOPE, createMemoryHoldStore, type HoldStore } from '@weir/limits';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createRedis, createRedisHoldStore } from '@weir/redis-stores';
import { planAttempts } from '@weir/routing';

const ROUNDS = 10_000;
const WARM_UP = 3_000;
const AT_ONCE = 32;
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

async function measure(name: string, store: HoldStore): Promise<void> {
  const catalog = createBuiltInCatalog();
  const { attempts } = planAttempts('sandbox/chat', 'chat', { catalog, isRoutable: () => true });
  const holds = createRequestHolds({
    store,
    truth: {
      readBases: (_id, scopes) => Promise.resolve(scopes.map((scope) => ({ scope, basePico: 0n, version: 0n }))),
      findCommitted: () => Promise.resolve(new Set()),
    },
    catalog,
    policy: { isBalanceRequired: false },
    circuit: (call) => call(),
    leases: null,
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
  let next = 0;
  const holdOne = async (): Promise<void> => {
    const held = await holds.hold({
      principal: { key: KEY },
      requestId: `bench-${(next += 1)}`,
      endpoint: getEndpoint('chat-completions'),
      attempts,
      parsed: { text, json },
      bodyBytes: text.length,
      admittedAtMs: Date.now(),
      setHeader: () => undefined,
    });
    if (held?.hold.scopes.length !== 4 || !held.hold.scopes.includes(BALANCE_SCOPE)) throw new Error('not every scope was held');
  };
  const run = async (rounds: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let round = 0; round < rounds / AT_ONCE; round += 1) await holdOne();
      }),
    );
  };
  await run(WARM_UP);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await run(ROUNDS);
  const { user, system } = process.cpuUsage(before);
  const elapsedMs = performance.now() - startedAt;
  console.log(
    `${name}: ${((user + system) / ROUNDS).toFixed(1)} µs CPU a request, ${(elapsedMs / (ROUNDS / AT_ONCE)).toFixed(2)} ms each, ${AT_ONCE} at once`,
  );
}

async function main(url: string | undefined): Promise<void> {
  await measure('memory, 4 scopes', createMemoryHoldStore({ now: Date.now }));
  if (url === undefined) return;
  const redis = createRedis(url, log);
  const store = createRedisHoldStore(redis, log);
  await store.whenTrusted(10_000);
  await measure('redis, 4 scopes', store);
  store.close();
  redis.disconnect();
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
