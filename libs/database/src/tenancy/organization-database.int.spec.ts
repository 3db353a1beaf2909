import { randomBytes, randomUUID } from 'node:crypto';
import { makeUsageEvent, sequenceEvents, startCuttingProxy } from '@weir/testing';
import { HOUR_MS, parseUsageQuery } from '@weir/usage';
import { Client } from 'pg';
import { startTestServer, type TestServer } from '../__fixtures__/test-server';
import { createDatabase, type Database } from '../connection/create-database';
import { createSpendReader } from '../limits/create-spend-reader';
import { isDatabaseUnreachable } from '../postgres/is-database-unreachable';
import type { DatabaseLog } from '../postgres/database-log';
import { ensureUserAccount } from '../organizations/ensure-user-account';
import { migrateDatabase } from '../connection/migrate-database';
import { buildUsageSql } from '../usage/queries/build-usage-sql';
import { createUsageStore } from '../usage/create-usage-store';
import { comparePlaces } from '../usage/reconcile/compare-places';
import { TENANT_ROLE } from './tenant-role';

const NOW = Date.UTC(2026, 8, 4);
const MONTH = { startMs: Date.UTC(2026, 7), endMs: Date.UTC(2026, 8) };

type Furnished = { readonly id: string; readonly key: string; readonly group: string; readonly user: string };

let server: TestServer;
let ours: Furnished;
let theirs: Furnished;

beforeAll(async () => {
  server = await startTestServer();
  ours = await furnish('ours');
  theirs = await furnish('theirs');
});
afterAll(() => server.stop());

async function furnish(name: string): Promise<Furnished> {
  const { prisma, pool } = server.database;
  const { id: organizationId } = await prisma.organization.create({ data: { name } });
  const user = await prisma.userAccount.create({ data: { email: `${name}@example.com` } });
  await prisma.orgMember.create({ data: { organizationId, userId: user.id } });
  const group = await prisma.userGroup.create({ data: { organizationId, name, members: { create: { userId: user.id } } } });
  const secret = { hash: randomBytes(32), prefix: 'weir_', last4: name.slice(-4) };
  const key = await prisma.apiKey.create({ data: { organizationId, name, ...secret, groupId: group.id, userId: user.id } });
  const at = { org_id: organizationId, api_key_id: key.id, group_id: group.id, user_id: user.id, admitted_at: NOW - HOUR_MS * 100 };
  await createUsageStore({ pool, now: () => NOW }).applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent(at)]), null);
  return { id: organizationId, key: key.id, group: group.id, user: user.id };
}

describe('behind the wall, a query that forgets its organization', () => {
  test('reads, changes and deletes rows of its own only, with Prisma as with plain statements', async () => {
    const own = server.database.asOrganization(ours.id);

    const { rows } = await own.query<{ id: string }>({ text: 'SELECT * FROM api_key' });
    const changed = await own.transact(async (tx) => ({
      keys: await tx.apiKey.updateMany({ data: { name: 'renamed' } }),
      groups: await tx.groupMember.deleteMany({}),
      found: await tx.apiKey.findUnique({ where: { id: theirs.key } }),
      people: await tx.userAccount.findMany({}),
    }));

    expect(rows.map(({ id }) => id)).toEqual([ours.key]);
    expect(changed).toMatchObject({ keys: { count: 1 }, groups: { count: 1 }, found: null, people: [{ id: ours.user }] });
    const { prisma } = server.database;
    expect(await prisma.apiKey.findUniqueOrThrow({ where: { id: theirs.key } })).toMatchObject({ name: 'theirs' });
    expect(await prisma.groupMember.count({ where: { groupId: theirs.group } })).toBe(1);
  });

  test('cannot write for another, nor refer to what is another’s, and all of its transaction is undone', async () => {
    const own = server.database.asOrganization(ours.id);
    const write = (organizationId: string, groupId: string): Promise<unknown> =>
      own.transact(async (tx) => {
        await tx.userGroup.updateMany({ data: { name: 'half done' } });
        return tx.apiKey.create({ data: { organizationId, groupId, name: 'x', hash: randomBytes(32), prefix: 'weir_', last4: 'xxxx' } });
      });

    await expect(write(theirs.id, theirs.group)).rejects.toThrow(/row-level security/);
    await expect(write(ours.id, theirs.group)).rejects.toThrow(/row-level security/);
    expect(await server.database.prisma.userGroup.count({ where: { name: 'half done' } })).toBe(0);
    expect(await write(ours.id, ours.group)).toMatchObject({ organizationId: ours.id });
  });

  test('sums its own usage and spending only, whichever organization the query names', async () => {
    const own = server.database.asOrganization(ours.id);
    const sumPlaces = (): Promise<string[]> =>
      own.run(async (client) => {
        const { sums } = await comparePlaces(client, { ...MONTH, places: ['events', 'hour', 'day', 'month', 'spend', 'ledger'] });
        return [...sums.keys()];
      });
    const ofTheirs = parseUsageQuery({ start: '2026-08-01T00:00:00Z' }, { organizationId: theirs.id });
    const source = { ...MONTH, rollup: 'hour', cubeId: null } as const;
    const sql = buildUsageSql(ofTheirs, { requests: [], sources: [source], rowsMax: 10 });
    const spend = createSpendReader(own);
    const scopes = [
      ['key', 'key'],
      ['group', 'group'],
      ['organization', 'id'],
    ] as const;

    expect(await sumPlaces()).toEqual([ours.id]);
    expect((await own.query({ text: sql.text, values: [...sql.values] })).rows).toEqual([]);
    expect((await server.database.pool.query(sql.text, [...sql.values])).rows).toHaveLength(1);
    for (const [scope, name] of scopes) {
      expect([...(await spend.readSpend(scope, [ours[name], theirs[name]], MONTH.startMs)).keys()]).toEqual([ours[name]]);
    }
    const members = [ours, theirs].map(({ group, user }) => `${group}/${user}`);
    expect([...(await spend.readSpend('group_member', members, MONTH.startMs)).keys()]).toEqual([members[0]]);
    expect((await spend.readSpend('member', [ours.user, theirs.user], MONTH.startMs)).size).toBe(0);
  });

  test('adds people it cannot see, and sees of them no more than that they are its own now', async () => {
    const own = server.database.asOrganization(ours.id);
    const undo = new Error('undo');
    const adding = own.transact(async (tx) => {
      expect(await tx.userAccount.findUnique({ where: { email: 'theirs@example.com' } })).toBeNull();
      const userId = await ensureUserAccount(tx, { email: 'theirs@example.com', firstName: 'Renamed' });
      expect(userId).toBe(theirs.user);
      await tx.orgMember.create({ data: { organizationId: ours.id, userId } });
      expect(await tx.userAccount.findUnique({ where: { id: userId } })).toMatchObject({ firstName: '' });
      await expect(tx.userAccount.update({ where: { id: userId }, data: { firstName: 'Renamed' } })).rejects.toThrow(/permission denied/);
      throw undo;
    });

    await expect(adding).rejects.toBe(undo);
  });
});

describe('a connection', () => {
  test('goes back to what it was, and on to the next organization, however a transaction ended', async () => {
    const one = createDatabase({ url: server.url, poolMax: 1 });
    const read = { text: 'SELECT id FROM organization' };
    const state = `SELECT current_user = session_user AS is_owner, coalesce(current_setting('weir.org_id', true), '') AS organization`;
    try {
      for (const id of [ours.id, theirs.id, ours.id]) {
        expect((await one.asOrganization(id).query(read)).rows).toEqual([{ id }]);
        await expect(one.asOrganization(id).query({ text: 'SELECT nonsense' })).rejects.toThrow('nonsense');
        await expect(one.asOrganization(id).transact(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
        expect((await one.pool.query(state)).rows).toEqual([{ is_owner: true, organization: '' }]);
        expect((await one.pool.query(read)).rows).toHaveLength(2);
      }
    } finally {
      await one.close();
    }
  });

  test('serves many organizations side by side without mixing them up', async () => {
    const asked = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? ours : theirs));
    const found = await Promise.all(
      asked.map(async ({ id }, at) => {
        const own = server.database.asOrganization(id);
        // Both would match: by a unique value, several of which Prisma may ask for at once.
        if (at % 3 === 0) return (await own.transact((tx) => tx.organization.findUnique({ where: { id } })))?.id;
        return (await own.query<{ id: string }>({ name: 'all', text: 'SELECT id FROM organization' })).rows[0]?.id;
      }),
    );

    expect(found).toEqual(asked.map(({ id }) => id));
  });

  test('to a database that falls silent is given up in seconds, before the first answer too, and works when it is back', async () => {
    const url = new URL(server.url);
    const proxy = await startCuttingProxy(Number(url.port));
    const silent = createDatabase({ url: Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) }).toString() });
    const own = silent.asOrganization(ours.id);
    try {
      for (let round = 0; round < 2; round += 1) {
        await silent.pool.query('SELECT 1');
        proxy.setMode({ kind: 'blackhole' });
        expect(isDatabaseUnreachable(await own.query({ text: 'SELECT 1' }).catch((error: unknown) => error))).toBe(true);
        proxy.setMode({ kind: 'pass' });
        expect((await own.query({ text: 'SELECT id FROM organization' })).rows).toEqual([{ id: ours.id }]);
      }
    } finally {
      await silent.close();
      await proxy.stop();
    }
  }, 60_000);

  test('is not opened for what is no organization', async () => {
    const own = server.database.asOrganization(`${ours.id}', true), set_config('role', 'none`);

    await expect(own.query({ text: 'SELECT 1' })).rejects.toThrow('an organization has a UUID');
  });
});

describe('where the login may not make roles', () => {
  const reported: string[] = [];
  const report = (_: object, message: string): void => void reported.push(message);
  const log: DatabaseLog = { info: report, warn: report, error: report };

  async function createOwned(name: string, privileges: string): Promise<string> {
    const url = new URL(await server.createEmpty(name));
    await withClient(server.url, (client) =>
      client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x' NOSUPERUSER ${privileges}; ALTER DATABASE ${name} OWNER TO ${name}`),
    );
    [url.username, url.password] = [name, 'x'];
    return url.toString();
  }

  async function countOrganizations(database: Database): Promise<number> {
    const first = await database.prisma.organization.create({ data: { name: 'first' } });
    await database.prisma.organization.create({ data: { name: 'second' } });
    return database.asOrganization(first.id).transact((tx) => tx.organization.count({}));
  }

  beforeEach(() => reported.splice(0));

  test('the migration goes on and says so, requests are served without the wall, and an administrator’s statement ends that', async () => {
    const url = await createOwned('managed', 'NOCREATEROLE');
    await migrateDatabase({ url, log });
    expect(reported.filter((line) => line.includes('row-level security is not in force'))).toHaveLength(1);
    reported.splice(0);

    const before = createDatabase({ url, log });
    expect([await countOrganizations(before), before.rowSecurity.isInForce]).toEqual([2, false]);
    expect(reported).toEqual([expect.stringContaining('row-level security is not in force')]);
    await before.close();

    await withClient(server.url, (client) => client.query(`GRANT ${TENANT_ROLE} TO managed`));
    expect(await migrateDatabase({ url, log })).toEqual([]);
    const after = createDatabase({ url, log });
    expect([await countOrganizations(after), after.rowSecurity.isInForce]).toEqual([1, true]);
    await after.close();
  });

  test('one that may make roles is no superuser and needs no one', async () => {
    const { url: elsewhere, stop } = await startTestServer();
    try {
      // Whatever was granted in the database that comes with it.
      await withClient(elsewhere, (client) =>
        client.query(`DROP OWNED BY ${TENANT_ROLE}; DROP ROLE ${TENANT_ROLE};
        CREATE ROLE maker LOGIN PASSWORD 'x' NOSUPERUSER CREATEROLE`),
      );
      await withClient(elsewhere, (client) => client.query('CREATE DATABASE made OWNER maker'));
      const url = new URL(elsewhere);
      [url.username, url.password, url.pathname] = ['maker', 'x', '/made'];
      await migrateDatabase({ url: url.toString(), log });
      const database = createDatabase({ url: url.toString(), log });

      expect([await countOrganizations(database), database.rowSecurity.isInForce]).toEqual([1, true]);
      expect(reported.filter((line) => line.includes('not in force'))).toEqual([]);
      await database.close();
    } finally {
      await stop();
    }
  });

  test('a login that was given tables before the wall was built goes on seeing all organizations', async () => {
    const url = await server.createBefore('20261122130000_row_level_security', 'served');
    await withClient(url, (client) =>
      client.query(`CREATE ROLE service LOGIN PASSWORD 'x' NOSUPERUSER; GRANT SELECT, INSERT ON organization, api_key TO service;
        INSERT INTO organization (name) VALUES ('one'), ('two')`),
    );
    await migrateDatabase({ url });
    const login = Object.assign(new URL(url), { username: 'service', password: 'x' }).toString();

    await withClient(login, (client) => client.query("INSERT INTO organization (name) VALUES ('three')"));
    expect((await withClient(login, (client) => client.query('SELECT id FROM organization'))).rowCount).toBe(3);
  });

  test('preparing corrects what is missing and what is too much, and otherwise touches nothing', async () => {
    const url = await server.createEmpty('corrected');
    await migrateDatabase({ url });
    await withClient(url, (client) =>
      client.query(`REVOKE SELECT ON api_key FROM ${TENANT_ROLE}; GRANT SELECT ON usage_hour_other, usage_offset TO ${TENANT_ROLE};
        GRANT UPDATE (email) ON user_account TO ${TENANT_ROLE}`),
    );
    const read = `SELECT has_table_privilege('${TENANT_ROLE}', 'api_key', 'SELECT') AS key, has_table_privilege('${TENANT_ROLE}', 'usage_offset', 'SELECT')
      AS shared, has_table_privilege('${TENANT_ROLE}', 'usage_hour_other', 'SELECT') AS partition, has_column_privilege('${TENANT_ROLE}', 'user_account', 'email', 'UPDATE') AS email`;
    await migrateDatabase({ url });
    expect((await withClient(url, (client) => client.query(read))).rows).toEqual([
      { key: true, shared: false, partition: false, email: false },
    ]);

    const versions = `SELECT sum(xmin::text::bigint)::text AS versions FROM pg_class WHERE relnamespace = 'public'::regnamespace`;
    const { rows: before } = await withClient(url, (client) => client.query(versions));
    await migrateDatabase({ url });
    expect((await withClient(url, (client) => client.query(versions))).rows).toEqual(before);
  });
});

async function withClient<Answer>(url: string, run: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
