import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import { randomUUID } from 'node:crypto';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createDataKeyStore } from '../secrets/create-data-key-store';
import { findContents, type KeptContents } from './find-contents';
import { keepContents, type NewContents } from './keep-contents';
import { purgeContents } from './purge-contents';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 24, 6);

let server: TestDatabase;
let vault: Vault;
let ours: string;
let theirs: string;

beforeAll(async () => {
  server = await startTestDatabase();
  vault = createVault({
    keyRing: createKeyRing('a key-encryption key of 32 or more characters'),
    store: createDataKeyStore(server.database.pool),
  });
});
afterAll(() => server.stop());

beforeEach(async () => {
  await server.database.pool.query('DELETE FROM request_content');
  [ours, theirs] = [await addOrganization(7), await addOrganization(7)];
});

async function addOrganization(days: number | null): Promise<string> {
  const { id } = await server.database.prisma.organization.create({ data: { name: 'Acme', settings: { keep_contents_days: days } } });
  return id;
}

async function change(organizationId: string, days: number | null, more: { isZeroDataRetention?: boolean } = {}): Promise<void> {
  await server.database.prisma.organization.update({
    where: { id: organizationId },
    data: { settings: { keep_contents_days: days }, ...more },
  });
}

function contents(organizationId: string, requestId: string, more: Partial<NewContents> = {}): NewContents {
  return {
    organizationId,
    requestId,
    apiKeyId: randomUUID(),
    userId: null,
    receivedAtMs: NOW,
    days: 7,
    contents: {
      request: { body: '{"messages":"a secret question"}', isCut: false },
      response: { body: 'a secret ünswer', isCut: true, status: 200, contentType: 'text/event-stream' },
    },
    ...more,
  };
}

const keep = (...batch: NewContents[]): Promise<void> => keepContents({ pool: server.database.pool, vault }, batch);

function find(organizationId: string, requestId: string, nowMs = NOW): Promise<KeptContents | undefined> {
  const database = server.database.asOrganization(organizationId);
  return findContents({ database, vault }, { organizationId, requestId, nowMs });
}

async function countRows(organizationId: string): Promise<number> {
  const { rows } = await server.database.pool.query<{ count: string }>('SELECT count(*) FROM request_content WHERE organization_id = $1', [
    organizationId,
  ]);
  return Number(rows[0]?.count);
}

describe('contents of requests', () => {
  it('come back as they were kept, for their organization alone, and only once where a batch is repeated', async () => {
    const [one, other] = [contents(ours, 'r-1', { userId: randomUUID() }), contents(theirs, 'r-2')];
    await keep(one, other);
    await keep(one);

    expect(await find(ours, 'r-1')).toEqual({
      ...one.contents,
      apiKeyId: one.apiKeyId,
      userId: one.userId,
      keptUntil: new Date(NOW + 7 * DAY_MS),
    });
    expect(await find(theirs, 'r-2')).toMatchObject(other.contents);
    expect(await find(ours, 'r-2')).toBeUndefined();
    expect(await find(theirs, 'r-1')).toBeUndefined();
    expect(await countRows(ours)).toBe(1);
  });

  it('are in the table sealed: nothing of them can be read there, and a row opens nowhere else', async () => {
    await keep(contents(ours, 'r-1'), contents(theirs, 'r-1'), contents(ours, 'r-2'));

    const { rows } = await server.database.pool.query<{ row: string; sealed: Buffer }>(
      'SELECT to_jsonb(c)::text AS row, sealed FROM request_content c',
    );
    for (const { row, sealed } of rows) for (const place of [row, sealed.toString('latin1')]) expect(place).not.toMatch(/secret|messages/);

    await server.database.pool.query(
      `UPDATE request_content SET sealed = (SELECT sealed FROM request_content WHERE organization_id = $1 AND request_id = 'r-2')
       WHERE organization_id = $1 AND request_id = 'r-1'`,
      [ours],
    );
    await expect(find(ours, 'r-1')).rejects.toThrow();
    await server.database.pool.query(
      `UPDATE request_content t SET sealed = o.sealed, dek_id = o.dek_id FROM request_content o
       WHERE o.organization_id = $1 AND o.request_id = 'r-2' AND t.organization_id = $2`,
      [ours, theirs],
    );
    await expect(find(theirs, 'r-1')).rejects.toThrow();
  });

  it('are gone when their time is over, before anything deletes them, and deleted by the next purge', async () => {
    await keep(contents(ours, 'r-1'), contents(ours, 'r-2', { days: 1 }));

    expect(await find(ours, 'r-1', NOW + 7 * DAY_MS - 1)).toBeDefined();
    expect(await find(ours, 'r-1', NOW + 7 * DAY_MS)).toBeUndefined();
    expect(await purgeContents(server.database.pool, NOW + DAY_MS)).toBe(1);
    expect(await find(ours, 'r-2', NOW)).toBeUndefined();
    expect(await purgeContents(server.database.pool, NOW + 7 * DAY_MS)).toBe(1);
    expect(await countRows(ours)).toBe(0);
  });

  it('follow their organization: fewer days, off, or zero retention hold for what is there already, more days do not', async () => {
    await keep(contents(ours, 'r-1'), contents(theirs, 'r-1'));
    const later = NOW + 3 * DAY_MS;

    await change(ours, 2);
    expect(await find(ours, 'r-1', later)).toBeUndefined();
    expect((await find(ours, 'r-1', NOW))?.keptUntil).toEqual(new Date(NOW + 2 * DAY_MS));
    await change(ours, null);
    expect(await find(ours, 'r-1', NOW)).toBeUndefined();
    await change(ours, 7, { isZeroDataRetention: true });
    expect(await find(ours, 'r-1', NOW)).toBeUndefined();
    await change(theirs, 30);
    expect((await find(theirs, 'r-1', NOW))?.keptUntil).toEqual(new Date(NOW + 7 * DAY_MS));

    expect(await purgeContents(server.database.pool, later)).toBe(1);
    expect([await countRows(ours), await countRows(theirs)]).toEqual([0, 1]);
    await change(theirs, 2);
    expect(await purgeContents(server.database.pool, later)).toBe(1);
  });

  it('are purged in steps until none is left', async () => {
    const { pool } = server.database;
    await keep(contents(ours, 'r-0'), contents(theirs, 'r-0'));
    await pool.query(
      `INSERT INTO request_content SELECT organization_id, 'r-' || n, api_key_id, user_id, received_at, kept_until, dek_id, ''
       FROM request_content, generate_series(1, 1200) n WHERE organization_id = $1`,
      [ours],
    );

    expect(await purgeContents(pool, NOW + DAY_MS)).toBe(0);
    await change(ours, null);
    expect(await purgeContents(pool, NOW + DAY_MS)).toBe(1201);
    expect(await countRows(theirs)).toBe(1);
  });
});
