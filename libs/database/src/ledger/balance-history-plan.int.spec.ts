import { randomUUID } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { readBalanceHistory } from './read-balance-history';

const LIMIT = 10;
const OURS = randomUUID();
const NEWEST = Date.UTC(2026, 7, 1);

type PlanNode = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
};

let server: TestDatabase;

beforeAll(async () => {
  server = await startTestDatabase();
  await server.database.pool.query(`INSERT INTO organization (id, name) SELECT id, 'one of many' FROM
    unnest('${OURS}'::uuid || ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 4))) AS id`);
  await server.database.pool.query(`INSERT INTO ledger_account (org_id, kind) SELECT o.id, kind FROM organization o,
    unnest(ARRAY['cash', 'promo', 'gift', 'usage', 'clearing']) AS kind`);
  // Of each two top-ups a minute and three batches of usage an hour.
  const entries = `INSERT INTO ledger_entry (tx_id, line, account_id, amount) SELECT t.id, sign + 2, a.id, sign * 0.000000000001
    FROM made t CROSS JOIN unnest(ARRAY[-1, 1]) AS sign JOIN ledger_account a ON a.org_id = t.org_id AND a.kind = CASE
      WHEN (sign = 1) = (t.kind = 'top_up') THEN 'cash' WHEN t.kind = 'top_up' THEN 'clearing' ELSE 'usage' END`;
  const post = (kind: string, at: string): Promise<unknown> =>
    server.database.pool.query(`WITH made AS (INSERT INTO ledger_tx (org_id, idempotency_key, kind, effective_at)
      SELECT o.id, gen_random_uuid()::text, '${kind}', to_timestamp(${NEWEST / 1000}) - ${at} FROM organization o, generate_series(0, 1499) n
      RETURNING id, org_id, kind) ${entries}`);
  await post('top_up', "n / 2 * interval '1 minute'");
  await post('usage_hour', "n / 3 * interval '1 hour'");
  await server.database.pool.query('ANALYZE ledger_account; ANALYZE ledger_tx; ANALYZE ledger_entry');
});
afterAll(() => server.stop());

/** How many rows of a table a plan took into its hands, kept or not. */
function countRead(node: PlanNode, table: string): number {
  const { 'Actual Rows': kept = 0, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops = 1, Plans = [] } = node;
  const own = node['Relation Name'] === table ? (kept + removed) * loops : 0;
  return Plans.reduce((sum, child) => sum + countRead(child, table), own);
}

/** Reads one page and explains, behind the wall, the statement that read it. */
async function explainPage(mode: string, cursor: string | undefined): Promise<{ plan: PlanNode; next: string | null; lines: number }> {
  const own = server.database.asOrganization(OURS);
  let asked: QueryConfig | undefined;
  const { lines, next } = await readBalanceHistory(
    { query: (statement) => own.query((asked = statement)) },
    { organizationId: OURS, limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
  );
  const literal = (value: unknown): string =>
    Array.isArray(value) ? `'{${value.join(',')}}'` : typeof value === 'number' ? String(value) : `'${String(value)}'`;
  const plan = await own.run(async (client) => {
    await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await client.query(`PREPARE page AS ${asked?.text ?? ''}`);
    const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE page(${(asked?.values ?? []).map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained);
    await client.query('DEALLOCATE page');
    return rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  });
  return { plan, next, lines: lines.length };
}

// What a page costs must depend on the page, not on how much there is; a statement that is used often gets the generic plan.
test.each(['force_custom_plan', 'force_generic_plan'])('reads hardly more rows than the page shows, with %s', async (mode) => {
  let cursor: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const { plan, next, lines } = await explainPage(mode, cursor);

    expect(lines).toBe(LIMIT);
    // A kind of posting is read up to one line beyond the page, the hour of usage batch by batch; each batch has two entries.
    for (const [table, most] of [
      ['ledger_tx', 200],
      ['ledger_entry', 200],
    ] as const) {
      const read = countRead(plan, table);
      expect([table, read > LIMIT, read <= most ? 'few' : read]).toEqual([table, true, 'few']);
    }
    cursor = next ?? undefined;
  }
});
