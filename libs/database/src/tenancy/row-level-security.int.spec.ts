import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { enterSql, TENANT_PRIVILEGES, TENANT_ROLE } from './tenant-role';

const OURS = randomUUID();
const THEIRS = randomUUID();
const DENIED = '42501';

/** Tables of no one in particular; everything else must have a policy. */
const SHARED = [
  '_prisma_migrations',
  'rerate',
  'catalog_proposal',
  'catalog_version',
  'counter_owner',
  'data_format',
  'exchange_rate',
  'export_cursor',
  'usage_check',
  'usage_dead_letter',
  'usage_exported',
  'usage_fed',
  'usage_feed',
  'usage_offset',
  'usage_writer',
];

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isFilled: boolean };

let server: TestDatabase;
let client: Client;
let columns: readonly Column[];
let tables: readonly string[];

beforeAll(async () => {
  server = await startTestDatabase();
  client = new Client({ connectionString: server.url });
  await client.connect();
  columns = await readColumns();
  tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !SHARED.includes(table));
  await forgetConstraints();
  for (const organization of [OURS, THEIRS]) for (const table of tables) await client.query(insertSql(table, organization));
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

async function readColumns(): Promise<Column[]> {
  const { rows } = await client.query<Column>(`SELECT c.table_name AS table, c.column_name AS name, c.udt_name AS type,
      c.is_nullable = 'YES' OR c.column_default IS NOT NULL AS "isFilled"
    FROM information_schema.columns c JOIN pg_class t ON t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
    WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY c.table_name, c.ordinal_position`);
  return rows;
}

/** Rows of this spec say whose they are and mean nothing else: only policies are to refuse them. */
async function forgetConstraints(): Promise<void> {
  await client.query("SET session_replication_role = 'replica'");
  const { rows } = await client.query<{
    sql: string;
  }>(`SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', conrelid::regclass, conname) AS sql
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') AND conparentid = 0`);
  for (const { sql } of rows) await client.query(sql);
}

const VALUES: Readonly<Record<string, (organization: string) => string>> = {
  uuid: (organization) => `'${organization}'`,
  text: (organization) => `'${organization}'`,
  bytea: (organization) => `decode(md5('${organization}'), 'hex')`,
  timestamptz: () => `'2026-08-01T00:00:00Z'`,
  bool: () => 'false',
  json: () => `'{}'`,
  jsonb: () => `'{}'`,
};

/** A row in which every id is that of its organization, so that rows of one organization refer to one another. */
function insertSql(table: string, organization: string): string {
  const filled = columns.filter((column) => column.table === table && (!column.isFilled || column.type === 'uuid'));
  const value = ({ name, type }: Column): string => (name === 'scope' ? `'organization'` : (VALUES[type]?.(organization) ?? '1'));
  return `INSERT INTO "${table}" (${filled.map(({ name }) => `"${name}"`).join(', ')}) VALUES (${filled.map(value).join(', ')})`;
}

/** In a transaction that is rolled back, as a tenant who may do anything that privileges give: what is left is policies. */
async function asTenant<Answer>(table: string, organization: string | null, work: () => Promise<Answer>): Promise<Answer> {
  await client.query('BEGIN');
  try {
    await client.query(`GRANT ALL ON "${table}" TO ${TENANT_ROLE}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${TENANT_ROLE}`);
    await client.query(organization === null ? `SET LOCAL ROLE ${TENANT_ROLE}` : enterSql(organization));
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

const count = async (sql: string): Promise<number> => (await client.query(sql)).rowCount ?? 0;

async function codeOf(sql: string): Promise<string | undefined> {
  await client.query('SAVEPOINT before');
  const code = await client.query(sql).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
  await client.query('ROLLBACK TO SAVEPOINT before');
  return code;
}

function ownColumn(table: string): string | undefined {
  return columns.find((column) => column.table === table && ['org_id', 'organization_id'].includes(column.name))?.name;
}

it('finds tables of organizations and a policy on each', async () => {
  expect(tables.filter((table) => ownColumn(table) !== undefined).length).toBeGreaterThan(25);
  expect(columns.filter(({ table }) => SHARED.includes(table) && ownColumn(table) !== undefined)).toEqual([]);

  const { rows } = await client.query<{ relname: string }>(`SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace
    AND relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) ORDER BY relname`);

  expect(rows.map(({ relname }) => relname)).toEqual([...tables].sort());
});

it('shows a tenant the rows of its own organization, and no one’s without one, where a query has no condition at all', async () => {
  for (const table of tables) {
    const read = async (): Promise<string> =>
      (await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t`)).rows.map(({ row }) => row).join();

    const ours = await asTenant(table, OURS, read);

    expect([table, ours]).toEqual([table, expect.stringContaining(OURS)]);
    expect(ours).not.toContain(THEIRS);
    expect(await asTenant(table, null, read)).toBe('');
    expect(await read()).toContain(THEIRS); // the owner is not held back
  }
});

it('lets no statement without a condition change or delete a row of another', async () => {
  for (const table of tables) {
    const first = columns.find((column) => column.table === table)?.name ?? '';

    const changed = await asTenant(table, OURS, () => count(`UPDATE "${table}" SET "${first}" = "${first}"`));
    const deleted = await asTenant(table, OURS, () => count(`DELETE FROM "${table}"`));
    const named = await asTenant(table, OURS, () => count(`DELETE FROM "${table}" WHERE "${table}"::text LIKE '%${THEIRS}%'`));

    expect([table, changed, deleted, named]).toEqual([table, 1, 1, 0]);
  }
});

it('lets no row of another be written, and none be given away', async () => {
  for (const table of tables) {
    const own = ownColumn(table);
    const outcome = await asTenant(table, OURS, async () => {
      // Of what the row hangs on, as user accounts on memberships, nothing may be visible by chance: theirs is there, ours goes.
      const given = own === undefined ? DENIED : await codeOf(`UPDATE "${table}" SET "${own}" = '${THEIRS}'`);
      await client.query(`DELETE FROM "${table}"`);
      return [await codeOf(insertSql(table, THEIRS)), given, await codeOf(insertSql(table, OURS))];
    });

    expect([table, outcome]).toEqual([table, [DENIED, DENIED, undefined]]);
  }
});

it('lets no row refer to what is another’s', async () => {
  for (const [table, column] of [
    ['api_key', 'group_id'],
    ['api_key', 'label_set_id'],
    ['api_key', 'access_list_id'],
    ['user_group', 'label_set_id'],
    ['user_group', 'access_list_id'],
    ['group_member', 'group_id'],
    ['group_member', 'user_id'],
    ['access_list_entry', 'list_id'],
    ['provider_credential', 'dek_id'],
    ['alert', 'dek_id'],
    ['ledger_entry', 'account_id'],
  ] as const) {
    const refused = await asTenant(table, OURS, () => codeOf(`UPDATE "${table}" SET "${column}" = '${THEIRS}'`));

    expect([table, column, refused]).toEqual([table, column, DENIED]);
  }
});

it('gives the role no partition, no more than its list, and nothing to the public', async () => {
  const { rows } = await client.query<{ name: string; privileges: string[] }>(`SELECT c.relname AS name,
      array_agg(a.privilege_type ORDER BY a.privilege_type) AS privileges
    FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace = 'public'::regnamespace AND a.grantee IN (0, '${TENANT_ROLE}'::regrole)
    GROUP BY c.relname`);
  const meant = Object.entries(TENANT_PRIVILEGES)
    .map(([name, privileges]) => ({ name, privileges: privileges.filter((one) => !one.includes(' ')).sort() }))
    .filter(({ privileges }) => privileges.length > 0);

  expect(rows.sort((a, b) => a.name.localeCompare(b.name))).toEqual(meant.sort((a, b) => a.name.localeCompare(b.name)));
});
