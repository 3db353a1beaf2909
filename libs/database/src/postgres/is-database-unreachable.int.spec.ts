import { getPostgres } from '@weir/testing';
import { createDatabase } from '../connection/create-database';
import { isDatabaseUnreachable } from './is-database-unreachable';

const failureOf = (query: () => Promise<unknown>): Promise<unknown> =>
  query().then(
    () => 'no failure',
    (error: unknown) => error,
  );

it('recognizes a database that cannot be reached, from errors of the pool and of Prisma', async () => {
  const database = createDatabase({ url: 'postgresql://user:password@127.0.0.1:9/none' });
  for (const query of [
    () => database.prisma.apiKey.count(),
    () => database.prisma.$transaction((tx) => tx.apiKey.count()),
    () => database.pool.query('SELECT 1'),
  ]) {
    expect(isDatabaseUnreachable(await failureOf(query))).toBe(true);
  }
  await database.close();
});

it('knows a connection that was cut and a transaction that got no turn, but no mistake of ours', async () => {
  const postgres = await getPostgres();
  const database = createDatabase({ url: await postgres.createDatabase(), poolMax: 1 });
  try {
    expect(isDatabaseUnreachable(await failureOf(() => database.pool.query('SELECT pg_terminate_backend(pg_backend_pid())')))).toBe(true);
    const late = failureOf(() => database.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 AS slept FROM pg_sleep(0.3)`, { timeout: 50 }));
    expect(isDatabaseUnreachable(await late)).toBe(true);
    for (const mistake of [
      () => database.pool.query('SELECT nothing'),
      () => database.prisma.$queryRaw`SELECT nothing`,
      () => database.prisma.apiKey.findFirstOrThrow(),
    ]) {
      expect(isDatabaseUnreachable(await failureOf(mistake))).toBe(false);
    }
  } finally {
    await database.close();
    await postgres.stop();
  }
});
