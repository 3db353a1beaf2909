import { randomBytes, randomUUID } from 'node:crypto';
import { makeUsageEvent, sequenceEvents } from '@weir/testing';
import { startTestServer, type TestServer } from '../__fixtures__/test-server';
import { postCredit } from '../ledger/post-credit';
import { verifyLedger } from '../ledger/verify-ledger';
import { migrateDatabase } from '../connection/migrate-database';
import { createDatabase } from '../connection/create-database';
import { createUsageStore } from '../usage/create-usage-store';
import { readMissingGuards } from './read-missing-guards';

const NOW = Date.UTC(2026, 7, 7, 13);
const USD = 1_000_000_000_000n;

let server: TestServer;
let organizationId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  organizationId = (await server.database.prisma.organization.create({ data: { name: 'Example' } })).id;
});

const query = (sql: string, values: unknown[] = []): Promise<unknown> => server.database.pool.query(sql, values);

/** As an owner of the tables who disables their triggers. */
const tamper = (sql: string): Promise<unknown> => query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${sql}; COMMIT`);

async function fillLedger(): Promise<void> {
  const { pool } = server.database;
  for (const [kind, amountPico] of [
    ['top_up', 10n * USD],
    ['gift', 3n * USD],
  ] as const)
    await postCredit(pool, { organizationId, kind, amountPico, idempotencyKey: randomUUID(), atMs: NOW - 1 });
  const event = makeUsageEvent({ org_id: organizationId, admitted_at: NOW, cost_p: '5', billed_p: '5' });
  expect(await createUsageStore({ pool, now: () => NOW }).applyBatch(sequenceEvents(randomUUID(), [event]), null)).toMatchObject({
    applied: 1,
  });
}

describe('tables that are only added to', () => {
  it.each([
    'audit_log',
    'ledger_tx',
    'ledger_entry',
    'ledger_account',
    'ledger_credit',
    'top_up_charge',
    'label_set',
    'organization_rule_version',
    'log_anchor',
  ])('cannot be emptied, not even by their owner: %s', async (table) => {
    await expect(query(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(/never changed/);
  });

  it('keep their rows: label sets, accounts, credits and counts cannot be deleted, and a count cannot go down', async () => {
    await fillLedger();
    await server.database.prisma.labelSet.create({ data: { organizationId, kind: 'key', labels: {}, sha256: randomBytes(32) } });

    for (const table of ['label_set', 'ledger_credit', 'ledger_account', 'log_anchor']) {
      await expect(query(`DELETE FROM ${table}`)).rejects.toThrow(/never changed/);
    }
    await expect(query('UPDATE log_anchor SET rows = rows - 1')).rejects.toThrow(/only ever added to/);
  });

  it('name the guards that were taken away', async () => {
    expect(await readMissingGuards(server.database.pool)).toEqual([]);

    await query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_not_emptied');
    const missing = await readMissingGuards(server.database.pool);
    await query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_not_emptied');

    expect(missing).toEqual(['audit_log_not_emptied']);
  });
});

describe('verification of a ledger', () => {
  const verify = async (): Promise<string[]> =>
    (await verifyLedger(server.database.pool, organizationId)).map(({ what, expected, found }) => `${what} ${expected} ${found}`);

  it('finds nothing in one that is whole', async () => {
    await fillLedger();

    expect(await verify()).toEqual([]);
    expect(await verifyLedger(server.database.pool)).toEqual([]);
  });

  it('reports what is gone when everything was emptied', async () => {
    await fillLedger();

    await tamper('TRUNCATE ledger_entry, ledger_tx, ledger_account, ledger_credit');

    expect(await verify()).toEqual(['transactions 4 0', 'usage 0.000000000005 0']);
    await tamper('TRUNCATE log_anchor, usage_month');
  });

  it.each([
    [
      'the newest transaction',
      "DELETE FROM ledger_entry WHERE tx_id IN (SELECT id FROM ledger_tx WHERE kind = 'gift'); DELETE FROM ledger_tx WHERE kind = 'gift'",
      ['transactions 4 3', 'clearing account -13 -10', 'gift account 2.999999999995 -0.000000000005'],
    ],
    ['an entry', 'DELETE FROM ledger_entry WHERE amount = 3', ['entries 0 3', 'gift account 2.999999999995 -0.000000000005']],
    [
      'a changed amount',
      'UPDATE ledger_entry SET amount = 4 WHERE amount = 3',
      ['entries 0 1', 'gift account 2.999999999995 3.999999999995'],
    ],
    ['a changed balance', "UPDATE ledger_account SET balance = 99 WHERE kind = 'cash'", ['cash account 99 10']],
    ['a gift that was filled up', 'UPDATE ledger_credit SET remaining = 3', ['credits 2.999999999995 3']],
  ])('reports %s', async (_, change, found) => {
    await tamper('TRUNCATE ledger_entry, ledger_tx, ledger_account, ledger_credit, log_anchor, usage_month');
    await fillLedger();

    await tamper(change);

    expect(await verify()).toEqual(found);
  });
});

describe('a database from before logs were counted', () => {
  it('counts what is there, and what is added', async () => {
    const url = await server.createBefore('20261123090000_logs_are_not_emptied', 'before_counts');
    const database = createDatabase({ url });
    // Prisma names every column there is by now.
    const { rows } = await database.pool.query<{ id: string }>("INSERT INTO organization (name) VALUES ('Old') RETURNING id");
    const id = rows[0]?.id ?? '';
    const add = async (hash: Uint8Array<ArrayBuffer>): Promise<bigint> =>
      (await database.prisma.auditLog.create({ data: { organizationId: id, actorKind: 'operator', action: 'a', targetKind: 'key', hash } }))
        .sequence;
    await add(randomBytes(32));
    await add(randomBytes(32));

    await migrateDatabase({ url });
    await database.prisma.auditLog.createMany({ data: [] });
    const hash = randomBytes(32);
    const sequence = await add(hash);

    expect(await database.prisma.logAnchor.findMany()).toMatchObject([
      { organizationId: id, log: 'audit', rows: 3n, newestSequence: sequence },
    ]);
    expect(Buffer.from((await database.prisma.logAnchor.findMany())[0]?.newestHash ?? [])).toEqual(hash);
    await database.close();
  });
});
