import type { PoolClient } from 'pg';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createDatabase } from '../connection/create-database';

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

/** How many statements one connection had under way at most. */
function watch(client: PoolClient, report: (underWay: number) => void): void {
  const query = client.query.bind(client) as (...all: unknown[]) => Promise<unknown>;
  let underWay = 0;
  const watched = async (...all: unknown[]): Promise<unknown> => {
    underWay += 1;
    report(underWay);
    return query(...all).finally(() => (underWay -= 1));
  };
  client.query = watched as unknown as typeof client.query;
}

test('a transaction that reads several relations sends one statement at a time', async () => {
  const database = createDatabase({ url: server.url });
  let most = 0;
  database.pool.on('connect', (client) => watch(client, (underWay) => (most = Math.max(most, underWay))));
  try {
    const { name } = await database.prisma.$transaction(async (tx) => {
      const { id } = await tx.organization.create({ data: { name: 'Acme' } });
      return tx.organization.update({ where: { id }, data: { tier: 'paying' }, include: { members: true, groups: true, apiKeys: true } });
    });
    expect({ name, most }).toEqual({ name: 'Acme', most: 1 });
    await expect(database.prisma.$transaction((tx) => tx.$queryRaw`SELECT no_such_column`)).rejects.toThrow();
  } finally {
    await database.close();
  }
});
