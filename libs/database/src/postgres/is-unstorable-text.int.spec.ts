import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { isUnstorableText } from './is-unstorable-text';

const failureOf = (query: () => Promise<unknown>): Promise<unknown> =>
  query().then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('a text that Postgres cannot keep', () => {
  let server: TestDatabase;

  beforeAll(async () => {
    server = await startTestDatabase();
  });
  afterAll(() => server.stop());

  it('is recognized, by the pool and by Prisma, in texts and in JSON', async () => {
    const { pool, prisma } = server.database;
    for (const query of [
      () => pool.query('SELECT $1::text', ['a\0']),
      () => pool.query('SELECT $1::jsonb', [JSON.stringify({ a: '\0' })]),
      () => pool.query('SELECT $1::jsonb', [JSON.stringify({ a: '\ud800' })]),
      () => prisma.organization.create({ data: { name: 'a\0' } }),
      () => prisma.organization.findMany({ where: { name: 'a\0' } }),
      () => prisma.$queryRaw`SELECT ${'a\0'}::text`,
      () => prisma.$transaction((tx) => tx.organization.create({ data: { name: 'a\0' } })),
    ]) {
      const failure = await failureOf(query);
      expect([String(query), isUnstorableText(failure)]).toEqual([String(query), true]);
    }
  });

  it('is no other mistake', async () => {
    const { pool, prisma } = server.database;
    for (const query of [() => pool.query('SELECT nothing'), () => pool.query("SELECT '{'::jsonb"), () => prisma.$queryRaw`SELECT nothing`])
      expect(isUnstorableText(await failureOf(query))).toBe(false);
  });
});
