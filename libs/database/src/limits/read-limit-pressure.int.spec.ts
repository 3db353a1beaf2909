import { randomUUID } from 'node:crypto';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { readLimitPressure } from './read-limit-pressure';

const NOW = Date.UTC(2026, 10, 24, 12, 30);
const HOUR = Date.UTC(2026, 10, 24, 12);
const DAY = Date.UTC(2026, 10, 24);

let server: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  server = await startTestDatabase();
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Example' } })).id;
}, 60_000);
afterAll(() => server.stop());

async function addLimit(
  document: Record<string, string>,
  uses: readonly (readonly [partition: string, startMs: number | null, used: bigint])[],
): Promise<void> {
  const { id } = await server.database.prisma.organizationRule.create({
    data: { organizationId, kind: 'limit', name: randomUUID(), document },
  });
  for (const [partition, startMs, used] of uses) {
    const scope = `limit:${id}:${document['measure']}:${partition}:${document['window']}${startMs === null ? '' : `@${startMs / 1000}`}`;
    const windowStart = startMs === null ? null : new Date(startMs);
    await server.database.prisma.limitUsage.create({
      data: { organizationId, scope, limitId: id, used: String(used), version: 1n, windowStart },
    });
  }
}

test('says how full the fullest of each kind is in the windows of now, and how many are nearly full', async () => {
  const { pool } = server.database;
  expect(await readLimitPressure(pool, NOW)).toEqual([]);
  await addLimit({ scope: 'each_key', measure: 'requests', window: 'hour', amount: '10' }, [
    ['a', HOUR, 9n],
    ['b', HOUR, 8n],
    ['c', HOUR, 3n],
    ['d', HOUR - 3_600_000, 10n], // of the hour before
  ]);
  await addLimit({ scope: 'organization', measure: 'usd', window: 'day', amount: '2' }, [['-', DAY, 1_500_000_000_000n]]);
  await addLimit({ scope: 'organization', measure: 'tokens', window: 'total', amount: '100' }, [['-', null, 20n]]);
  const found = await readLimitPressure(pool, NOW);
  expect([...found].sort((one, other) => one.measure.localeCompare(other.measure))).toEqual([
    { scope: 'each_key', measure: 'requests', fullest: 0.9, nearlyFull: 2 },
    { scope: 'organization', measure: 'tokens', fullest: 0.2, nearlyFull: 0 },
    { scope: 'organization', measure: 'usd', fullest: 0.75, nearlyFull: 0 },
  ]);
});
