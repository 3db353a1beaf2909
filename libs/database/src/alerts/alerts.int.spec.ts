import { randomUUID } from 'node:crypto';
import type { Prisma } from '..';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { postCredit } from '../ledger/post-credit';
import { claimFirings, finishFiring } from './alert-deliveries';
import { fireAlerts } from './fire-alerts';

const NOW = Date.UTC(2026, 10, 21, 12);
const MONTH = new Date(Date.UTC(2026, 10, 1));
const USD = 1_000_000_000_000n;

let server: TestDatabase;
let organizationId: string;
let groupId: string;
let userId: string;
let keyId: string;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { prisma } = server.database;
  await prisma.alert.deleteMany();
  organizationId = (await prisma.organization.create({ data: { name: 'Example' } })).id;
  userId = (await prisma.userAccount.create({ data: { email: `${randomUUID()}@example.com` } })).id;
  groupId = (await prisma.userGroup.create({ data: { organizationId, name: 'Team', monthlyBudgetPico: 100e12, monthlyLimitPico: 10e12 } }))
    .id;
  await prisma.groupMember.create({ data: { groupId, userId } });
  keyId = (
    await prisma.apiKey.create({
      data: {
        organizationId,
        name: 'k',
        hash: new Uint8Array(Buffer.from(randomUUID().replaceAll('-', ''))),
        prefix: 'p',
        last4: 'l',
        monthlyLimitPico: 10e12,
      },
    })
  ).id;
});

function addAlert(more: Partial<Prisma.AlertUncheckedCreateInput>): Promise<{ id: string }> {
  const none = new Uint8Array(1);
  return server.database.prisma.alert.create({
    data: {
      id: randomUUID(),
      organizationId,
      scope: 'key',
      scopeId: keyId,
      url: 'https://example.com/hook',
      ...{ nonce: none, ciphertext: none, tag: none, dataKeyId: randomUUID(), createdAt: new Date(NOW - 1000) },
      ...more,
    },
  });
}

async function setSpend(scope: string, scopeId: string, pico: bigint, month = MONTH): Promise<void> {
  const at = { scope, scopeId, month };
  const data = { costPico: String(pico), requests: 1n, version: 1n };
  await server.database.prisma.spendMonth.upsert({ where: { scope_scopeId_month: at }, create: { ...at, ...data }, update: data });
}

const fire = (): Promise<number> => fireAlerts(server.database.pool, NOW);
const firings = () => server.database.prisma.alertFiring.findMany({ where: { organizationId }, orderBy: { firedAt: 'asc' } });

describe('firing alerts', () => {
  test('at the threshold, not below it, once a month however many look at once', async () => {
    await addAlert({ percentage: 80 });
    await setSpend('key', keyId, 8n * USD - 1n);
    expect(await fire()).toBe(0);
    await setSpend('key', keyId, 8n * USD);
    const fired = await Promise.all(Array.from({ length: 8 }, fire));
    expect(fired.reduce((sum, count) => sum + count, 0)).toBe(1);
    await setSpend('key', keyId, 9n * USD);
    expect(await fire()).toBe(0);
    expect(await firings()).toMatchObject([{ period: '2026-11', status: 'pending' }]);
    expect((await firings()).map(({ valuePico, thresholdPico }) => [String(valuePico), String(thresholdPico)])).toEqual([
      [String(8n * USD), String(8n * USD)],
    ]);
  });

  test('late usage of the month before is noticed, months before the alert are not', async () => {
    await addAlert({ amountPico: 1, createdAt: new Date(Date.UTC(2026, 9, 15)) });
    for (const month of [8, 9, 10]) await setSpend('key', keyId, 5n, new Date(Date.UTC(2026, month, 1)));
    expect(await fire()).toBe(2);
    expect((await firings()).map(({ period }) => period).sort()).toEqual(['2026-10', '2026-11']);
  });

  test('members and groups by the limits that hold in the organization’s mode', async () => {
    await addAlert({ scope: 'member', scopeId: `${groupId}/${userId}`, percentage: 50 });
    await addAlert({ scope: 'group', scopeId: groupId, percentage: 50 });
    await setSpend('group_member', `${groupId}/${userId}`, 5n * USD);
    await setSpend('group', groupId, 50n * USD);
    expect(await fire()).toBe(1); // Global mode: the group's limit is each member's, a group has none
    await server.database.prisma.organization.update({ where: { id: organizationId }, data: { budgetMode: 'group' } });
    expect(await fire()).toBe(1);
    expect((await firings()).map(({ thresholdPico }) => String(thresholdPico)).sort()).toEqual(
      [String(50n * USD), String(5n * USD)].sort(),
    );
  });

  test('a percentage of no limit never fires, of a member who has none of the group’s either', async () => {
    const { prisma } = server.database;
    await prisma.apiKey.update({ where: { id: keyId }, data: { monthlyLimitPico: null } });
    await prisma.groupMember.updateMany({ where: { groupId, userId }, data: { monthlyLimitPico: 0 } });
    await addAlert({ percentage: 1 });
    await addAlert({ scope: 'member', scopeId: `${groupId}/${userId}`, percentage: 1 });
    await setSpend('key', keyId, 1_000n * USD);
    await setSpend('group_member', `${groupId}/${userId}`, 1_000n * USD);
    expect(await fire()).toBe(0);
  });

  test('a balance fires once after each credit, by an amount or by part of the credit', async () => {
    const credit = (amountPico: bigint, kind: 'top_up' | 'adjustment' = 'top_up') =>
      postCredit(server.database.pool, { organizationId, kind, amountPico, idempotencyKey: randomUUID() });
    await addAlert({ scope: 'balance', scopeId: '', percentage: 20 });
    await addAlert({ scope: 'balance', scopeId: '', amountPico: 0 });
    expect(await fire()).toBe(0); // no one ever gave it money
    await credit(10n * USD);
    expect(await fire()).toBe(0);
    await credit(-8n * USD, 'adjustment');
    expect(await fire()).toBe(1);
    await credit(-2n * USD, 'adjustment');
    expect(await fire()).toBe(1);
    expect(await fire()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2)); // the next credit is of another millisecond
    await credit(1n * USD);
    expect(await fire()).toBe(0);
    await credit(-1n * USD, 'adjustment');
    expect(await fire()).toBe(2);
  });
});

describe('delivering alerts', () => {
  const claim = (nowMs: number) => claimFirings(server.database.pool, { nowMs, limit: 10, leaseMs: 60_000 });

  test('a crossing belongs to one claimer until its lease is over, and stays due until it is finished', async () => {
    await addAlert({ amountPico: 1, percentage: null });
    await setSpend('key', keyId, 2n);
    await fire();
    const at = Date.now() + 1000;
    const claims = await Promise.all(Array.from({ length: 4 }, () => claim(at)));
    expect(claims.flat()).toMatchObject([
      {
        attempts: 1,
        url: 'https://example.com/hook',
        channel: 'webhook',
        notice: { kind: 'crossed', scope: 'key', scopeId: keyId, scopeName: 'k', repetition: 0, period: '2026-11', value: 2n },
      },
    ]);
    expect(await claim(at + 59_999)).toEqual([]);
    const [again] = await claim(at + 60_000);
    expect(again).toMatchObject({ attempts: 2, notice: { id: claims.flat()[0]?.notice.id } });
    const id = again?.notice.id ?? '';
    await finishFiring(server.database.pool, { id, status: 'pending', result: '503', nextAttemptMs: at + 70_000 });
    expect(await claim(at + 69_999)).toEqual([]);
    expect(await claim(at + 70_000)).toHaveLength(1);
    await finishFiring(server.database.pool, { id, status: 'delivered', result: '204', nextAttemptMs: null });
    expect(await claim(at + 10_000_000)).toEqual([]);
    expect(await firings()).toMatchObject([{ status: 'delivered', lastResult: '204', attempts: 3, deliveredAt: expect.any(Date) }]);
  });

  test('one organization with many that are due keeps no other waiting', async () => {
    for (let count = 0; count < 6; count += 1) await addAlert({ amountPico: 1 });
    await setSpend('key', keyId, 2n);
    await fire();
    const many = organizationId;
    organizationId = (await server.database.prisma.organization.create({ data: { name: 'Other' } })).id;
    await addAlert({ amountPico: 1 });
    await fire();
    const at = Date.now() + 1000;
    const owners = async () => (await claim(at)).map(({ notice }) => (notice.organizationId === many ? 'many' : 'other')).sort();
    expect([await owners(), await owners(), await owners(), await owners()]).toEqual([
      ['many', 'many', 'other'],
      ['many', 'many'],
      ['many', 'many'],
      [],
    ]);
  });

  test('what an alert has not delivered goes with it', async () => {
    const { id } = await addAlert({ amountPico: 1 });
    await setSpend('key', keyId, 2n);
    await fire();
    await server.database.prisma.alert.delete({ where: { id } });
    expect(await firings()).toEqual([]);
  });
});
