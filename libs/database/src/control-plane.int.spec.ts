import { randomBytes, randomUUID } from 'node:crypto';
import { startTestDatabase, type TestDatabase } from './__fixtures__/test-database';
import { createChangeLog, recordChange } from './changes/create-change-log';
import { createDatabase } from './connection/create-database';
import { createKeyDirectory } from './keys/create-key-directory';
import { createSpendReader } from './limits/create-spend-reader';
import { seedOrganization, type SeededOrganization } from './organizations/seed-organization';

let server: TestDatabase;
let seeded: SeededOrganization;
const adminHash = randomBytes(32);

function seed(apiKeyHash: Buffer): Promise<SeededOrganization> {
  const { database } = server;
  return seedOrganization({
    database,
    name: 'Acme',
    email: 'Ada@Example.com',
    apiKeyHash,
    apiKeyPrefix: 'weir_test_',
    apiKeyLast4: 'abcd',
  });
}

beforeAll(async () => {
  server = await startTestDatabase();
  seeded = await seed(adminHash);
});
afterAll(() => server.stop());

/** Inserts a key with these columns and returns its digest. */
async function addKey(columns: Record<string, unknown> = {}): Promise<Buffer> {
  const hash = randomBytes(32);
  const { prisma } = server.database;
  const data = {
    organizationId: seeded.organizationId,
    name: 'key',
    hash: new Uint8Array(hash),
    prefix: 'weir',
    last4: 'wxyz',
    ...columns,
  };
  await prisma.apiKey.create({ data });
  return hash;
}

function find(digest: Buffer) {
  return createKeyDirectory(server.database.pool).findByDigest(digest);
}

describe('seeding an organization', () => {
  test('once or ten times at once: one organization, one owner, one administrator key', async () => {
    const again = await Promise.all(Array.from({ length: 10 }, () => seed(adminHash)));
    for (const result of again) expect(result).toEqual({ ...seeded, isNew: false });
    const { prisma } = server.database;
    expect(await prisma.organization.count()).toBe(1);
    expect(await prisma.orgMember.findMany()).toMatchObject([{ userId: seeded.userId, role: 'owner', status: 'active' }]);
    expect(seeded.isNew).toBe(true);
  });

  test('the key may manage and infer', async () => {
    expect(await find(adminHash)).toMatchObject({
      apiKeyId: seeded.apiKeyId,
      userId: seeded.userId,
      status: 'active',
      permissions: { manage: 'write', completions: 'write' },
    });
  });

  test('another key for the same organization joins the first', async () => {
    const second = await seed(randomBytes(32));
    expect(second).toMatchObject({ organizationId: seeded.organizationId, isNew: true });
    expect(second.apiKeyId).not.toBe(seeded.apiKeyId);
  });
});

describe('the key directory', () => {
  test('an unknown digest is undefined; a store that cannot be reached throws', async () => {
    expect(await find(randomBytes(32))).toBeUndefined();
    const unreachable = createDatabase({ url: 'postgresql://127.0.0.1:1/none' });
    await expect(createKeyDirectory(unreachable.pool).findByDigest(adminHash)).rejects.toThrow();
    await unreachable.close();
  });

  test('finds a key by its id within its organization alone, as it is found by its secret', async () => {
    const directory = createKeyDirectory(server.database.pool);
    const bySecret = await find(adminHash);
    expect(bySecret).toBeDefined();
    const { apiKeyId, organizationId } = bySecret ?? { apiKeyId: '', organizationId: '' };
    expect(await directory.findById(organizationId, apiKeyId)).toEqual(bySecret);
    expect(await directory.findById('00000000-0000-4000-8000-000000000000', apiKeyId)).toBeUndefined();
    expect(await directory.findById(organizationId, '00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  test('returns everything admission needs, exactly', async () => {
    const { prisma } = server.database;
    const { organizationId } = seeded;
    const keyLabels = await prisma.labelSet.create({ data: { organizationId, kind: 'key', labels: { a: '1' }, sha256: randomBytes(32) } });
    const groupLabels = await prisma.labelSet.create({
      data: { organizationId, kind: 'group', labels: { b: '2' }, sha256: randomBytes(32) },
    });
    const list = await prisma.accessList.create({
      data: {
        organizationId,
        name: 'two',
        entries: {
          create: [
            { modality: 'chat', position: 1, pattern: 'vendor/b' },
            { modality: 'chat', position: 0, pattern: 'vendor/a*' },
            { modality: 'image', position: 0, pattern: 'vendor/i' },
          ],
        },
      },
    });
    const empty = await prisma.accessList.create({ data: { organizationId, name: 'nothing' } });
    const group = await prisma.userGroup.create({
      data: { organizationId, name: 'g', monthlyBudgetPico: 7, labelSetId: groupLabels.id, accessListId: empty.id },
    });
    const expiresAt = new Date('2030-01-02T03:04:05.678Z');
    const more = {
      groupId: group.id,
      labelSetId: keyLabels.id,
      accessListId: list.id,
      expiresAt,
      monthlyLimitPico: '1000000000000000000001',
    };
    expect(await find(await addKey(more))).toEqual({
      apiKeyId: expect.any(String),
      organizationId,
      name: 'key',
      userId: null,
      isAdministrator: true,
      groupId: group.id,
      status: 'active',
      expiresAtMs: expiresAt.getTime(),
      permissions: { manage: 'none', completions: 'write', contents: 'none' },
      monthlyLimitPico: 1_000_000_000_000_000_000_001n,
      groupLimits: {
        monthlyLimitPico: null,
        monthlyBudgetPico: 7n,
        budgetPerUserPico: null,
        memberLimitPico: null,
        memberBudgetPico: null,
      },
      memberRateLimitRpm: null,
      ...{ priority: 'normal', share: 1 },
      apiKeyLabelSetId: keyLabels.id,
      groupLabelSetId: groupLabels.id,
      apiKeyLabels: keyLabels.labels,
      groupLabels: groupLabels.labels,
      keyAccessList: { chat: ['vendor/a*', 'vendor/b'], embedding: [], image: ['vendor/i'], speech: [], transcription: [] },
      groupAccessList: { chat: [], embedding: [], image: [], speech: [], transcription: [] },
      organization: {
        budgetMode: 'global',
        dataResidency: null,
        isZeroDataRetention: false,
        isTrainingAllowed: true,
        chargesFailedAttempts: false,
        isStrict: false,
        keepContentsDays: null,
        timeZone: 'UTC',
        share: 1,
        tier: 'free',
        limitsUnavailable: 'lease',
        isClampedToLimit: false,
        creditPico: null,
        approvedModels: null,
      },
    });
  });

  test('the secret before a rotation works until its overlap ends, and the record ends with it', async () => {
    const previous = randomBytes(32);
    const ends = new Date(Date.now() + 60_000);
    const digest = await addKey({ previousHash: new Uint8Array(previous), previousHashExpiresAt: ends });
    expect((await find(previous))?.expiresAtMs).toBe(ends.getTime());
    expect((await find(digest))?.expiresAtMs).toBeNull();
    const over = randomBytes(32);
    await addKey({ previousHash: new Uint8Array(over), previousHashExpiresAt: new Date(Date.now() - 1) });
    expect(await find(over)).toBeUndefined();
  });

  test('keys of a suspended organization are as good as revoked', async () => {
    const { prisma } = server.database;
    const other = await prisma.organization.create({ data: { name: 'Late', status: 'suspended', approvedModels: { chat: ['x'] } } });
    const record = await find(await addKey({ organizationId: other.id }));
    expect(record).toMatchObject({ status: 'revoked', organization: { approvedModels: { chat: ['x'], image: [] } } });
  });
});

describe('the change log', () => {
  test('sequences follow the order of commits, so that who polls never skips one', async () => {
    const log = createChangeLog(server.database.pool);
    const before = await log.latestSequence();
    const seen: bigint[] = [];
    let last = before;
    const { organizationId } = seeded;
    const writers = Array.from({ length: 20 }, () =>
      server.database.prisma.$transaction((tx) => recordChange(tx, { entity: 'group', entityId: randomUUID(), organizationId }), {
        maxWait: 20_000,
      }),
    );
    const allWritten = Promise.all(writers);
    let isDone = false;
    void allWritten.then(() => (isDone = true));
    do {
      const changes = await log.changesAfter(last);
      seen.push(...changes.map(({ sequence }) => sequence));
      last = changes.at(-1)?.sequence ?? last;
    } while (!isDone);
    await allWritten;
    seen.push(...(await log.changesAfter(last)).map(({ sequence }) => sequence));
    const all = (await log.changesAfter(before)).map(({ sequence }) => sequence);
    expect(all).toHaveLength(20);
    expect(seen).toEqual(all);
    expect(await log.latestSequence()).toBe(all.at(-1));
  });

  test('a change that is rolled back is none', async () => {
    const log = createChangeLog(server.database.pool);
    const before = await log.latestSequence();
    const change = { entity: 'organization', entityId: seeded.organizationId, organizationId: seeded.organizationId } as const;
    await expect(
      server.database.prisma.$transaction(async (tx) => {
        await recordChange(tx, change);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await log.changesAfter(before)).toEqual([]);
  });
});

describe('what happened stays as it was written', () => {
  test('label sets, audit rows and ledger entries cannot be changed, and a ledger transaction must balance', async () => {
    const { prisma } = server.database;
    const { organizationId } = seeded;
    const labels = await prisma.labelSet.create({ data: { organizationId, kind: 'key', labels: { x: '1' }, sha256: randomBytes(32) } });
    await expect(prisma.labelSet.update({ where: { id: labels.id }, data: { labels: { x: '2' } } })).rejects.toThrow(/never changed/);
    const row = await prisma.auditLog.create({ data: { organizationId, actorKind: 'operator', action: 'test', targetKind: 'key' } });
    await expect(prisma.auditLog.delete({ where: { sequence: row.sequence } })).rejects.toThrow(/never changed/);
    const cash = await prisma.ledgerAccount.create({ data: { organizationId, kind: 'cash' } });
    const lopsided = prisma.ledgerTx.create({
      data: {
        organizationId,
        idempotencyKey: 'k',
        kind: 'adjustment',
        effectiveAt: new Date(),
        entries: { create: [{ line: 1, accountId: cash.id, amount: '5' }] },
      },
    });
    await expect(lopsided).rejects.toThrow(/does not balance/);
  });
});

describe('monthly spend', () => {
  test('is read for the UTC month of the instant, and only for ids that spent', async () => {
    const { pool } = server.database;
    const id = randomUUID();
    await pool.query("INSERT INTO spend_month VALUES ('key', $1, '2026-08-01T00:00:00Z', 12345678901234567890, 3, 2)", [id]);
    const reader = createSpendReader(pool);
    const august = await reader.readSpend('key', [id, randomUUID()], Date.parse('2026-08-31T23:59:59.999Z'));
    expect(august).toEqual(new Map([[id, { costPico: 12345678901234567890n, requests: 3, version: 2n }]]));
    expect((await reader.readSpend('key', [id], Date.parse('2026-09-01T00:00:00Z'))).size).toBe(0);
    expect((await reader.readSpend('group', [id], Date.parse('2026-08-31T00:00:00Z'))).size).toBe(0);
  });
});
