import type { Pool } from 'pg';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { CopyEncoder } from './copy-encoder';
import { copyRows } from './copy-rows';
import { runInTransaction } from './run-in-transaction';

const COPY = 'COPY copied (id, place, at, flag, words, payload) FROM STDIN (FORMAT binary)';
const ID = '0190b7e2-0001-7000-8000-00000000000a';

let server: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  server = await startTestDatabase();
  ({ pool } = server.database);
  await pool.query('CREATE TABLE copied (id uuid, place bigint, at timestamptz(3), flag boolean, words text, payload json)');
});
afterAll(() => server.stop());

test('what is copied is what was written, whatever it is made of and however many there are', async () => {
  const texts = ['', 'plain', 'tab\t, line\n, \\ and "', 'größer 漢字 🙂', '🙂'.repeat(5_000)];
  const places = [0n, -1n, 2n ** 62n];
  const instants = [0, 946_684_800_000, 1_795_000_000_123];
  const rows = new CopyEncoder(16);
  for (let at = 0; at < 500; at += 1) {
    rows
      .row(6)
      .uuid(ID)
      .bigint(places[at % 3] ?? 0n);
    rows.timestamp(instants[at % 3] ?? 0).boolean(at % 2 === 0);
    rows.text(texts[at % 5] ?? '').text(JSON.stringify({ at }));
  }
  await runInTransaction(pool, (client) => copyRows(client, COPY, rows.end()));
  const { rows: kept } = await pool.query<{ id: string; place: string; ms: string; flag: boolean; words: string; at: number }>(
    `SELECT id, place::text, (extract(epoch FROM at) * 1000)::bigint::text AS ms, flag, words, (payload ->> 'at')::int AS at FROM copied ORDER BY 6`,
  );
  expect(kept).toHaveLength(500);
  for (const [at, row] of kept.entries()) {
    const expected = { place: String(places[at % 3]), ms: String(instants[at % 3]), flag: at % 2 === 0, words: texts[at % 5] };
    expect(row).toEqual({ id: ID, at, ...expected });
  }
});

test('what Postgres refuses has its code, undoes all of it, and leaves the connection usable', async () => {
  await pool.query('TRUNCATE copied');
  const rows = new CopyEncoder(0);
  for (const payload of ['{}', '{"half":']) rows.row(6).uuid(ID).bigint(1n).timestamp(0).boolean(true).text('').text(payload);
  await expect(runInTransaction(pool, (client) => copyRows(client, COPY, rows.end()))).rejects.toMatchObject({ code: '22P02' });
  await expect(
    runInTransaction(pool, (client) => copyRows(client, COPY.replace('copied', 'absent'), new CopyEncoder(0).end())),
  ).rejects.toMatchObject({ code: '42P01' });
  expect((await pool.query('SELECT count(*)::int AS count FROM copied')).rows).toEqual([{ count: 0 }]);
  expect(pool.totalCount).toBe(1);
});
