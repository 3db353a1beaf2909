import { createKeyCache, createMemoryChangeNotices, watchChanges } from '@weir/access';
import { startCuttingProxy, waitUntil, type CuttingProxy } from '@weir/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestDatabase, type TestDatabase } from './__fixtures__/test-database';
import { createChangeLog } from './changes/create-change-log';
import { createDatabase, type Database } from './connection/create-database';
import { createKeyDirectory } from './keys/create-key-directory';
import { createOrganizationRules } from './organizations/create-organization-rules';
import { isDatabaseUnreachable } from './postgres/is-database-unreachable';
import { seedOrganization, type SeededOrganization } from './organizations/seed-organization';

const HASH = randomBytes(32);

let server: TestDatabase;
let proxy: CuttingProxy;
let database: Database;
let seeded: SeededOrganization;

beforeAll(async () => {
  server = await startTestDatabase();
  seeded = await seedOrganization({
    database: server.database,
    name: 'Acme',
    email: 'ada@example.com',
    apiKeyHash: HASH,
    apiKeyPrefix: 'weir_test_',
    apiKeyLast4: 'abcd',
  });
  const url = new URL(server.url);
  proxy = await startCuttingProxy(Number(url.port));
  url.port = String(proxy.port);
  url.hostname = '127.0.0.1';
  database = createDatabase({ url: url.toString() });
});
afterAll(async () => {
  await proxy.stop();
  await database.close();
  await server.stop();
});

test('a key that changed just before the database falls silent is served as it was changed', async () => {
  const cache = createKeyCache({ directory: createKeyDirectory(database.pool), now: Date.now });
  const name = HASH.toString('base64');
  await cache.find(name);
  const notices = createMemoryChangeNotices();
  const stop = await watchChanges({ changeLog: createChangeLog(database.pool), notices, cache, onError: () => undefined });

  await server.database.prisma.apiKey.update({ where: { id: seeded.apiKeyId }, data: { monthlyLimitPico: 7 } });
  const change = { entity: 'api-key', entityId: seeded.apiKeyId, organizationId: seeded.organizationId };
  await server.database.prisma.configChange.create({ data: change });
  await notices.notify();
  // No request comes in this second.
  await delay(1_000);
  proxy.setMode({ kind: 'blackhole' });
  expect(await cache.find(name)).toMatchObject({ status: 'active', monthlyLimitPico: 7n });
  proxy.setMode({ kind: 'pass' });
  await stop();
}, 60_000);

test('a database that falls silent refuses look-ups in seconds, and a key revoked meanwhile is dead soon after it is back', async () => {
  const changeLog = createChangeLog(database.pool);
  const cache = createKeyCache({ directory: createKeyDirectory(database.pool), now: Date.now });
  const rules = createOrganizationRules(database.pool);
  const failures: unknown[] = [];
  const stop = await watchChanges({
    changeLog,
    notices: createMemoryChangeNotices(),
    cache,
    onError: (error) => failures.push(error),
    pollMs: 100,
  });
  const name = HASH.toString('base64');
  await cache.find(name);
  await Promise.all(Array.from({ length: 5 }, () => rules.findRules(seeded.organizationId)));

  proxy.setMode({ kind: 'blackhole' });
  const startedAt = performance.now();
  const refused = await Promise.allSettled([
    cache.find(randomBytes(32).toString('base64')),
    rules.findRules(seeded.organizationId),
    waitUntil('the failing change log is reported', () => failures.length > 0, 14_000),
  ]);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  for (const one of refused) if (one.status === 'rejected') expect(isDatabaseUnreachable(one.reason)).toBe(true);
  expect(cache.find(name)).toMatchObject({ status: 'active' });

  await server.database.prisma.apiKey.update({ where: { id: seeded.apiKeyId }, data: { status: 'revoked' } });
  const change = { entity: 'api-key', entityId: seeded.apiKeyId, organizationId: seeded.organizationId };
  await server.database.prisma.configChange.create({ data: change });
  proxy.setMode({ kind: 'pass' });
  await waitUntil('the key is dead', async () => (await cache.find(name))?.status === 'revoked', 15_000);
  await stop();
}, 60_000);
