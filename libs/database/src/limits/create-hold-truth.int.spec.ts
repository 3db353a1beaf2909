import { randomUUID } from 'node:crypto';
import { BALANCE_SCOPE, monthlyScope } from '@weir/limits';
import { API_KEY_ID, makeUsageEvent, sequenceEvents } from '@weir/testing';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { createHoldTruth } from './create-hold-truth';
import { createKeyDirectory } from '../keys/create-key-directory';
import { createUsageStore } from '../usage/create-usage-store';

const AUGUST = Date.UTC(2026, 7, 7, 12, 30);

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

describe('what limits start from', () => {
  const use = async (organizationId: string, more: object) => {
    const store = createUsageStore({ pool: server.database.pool, now: () => AUGUST });
    return store.applyBatch(sequenceEvents(randomUUID(), [makeUsageEvent({ org_id: organizationId, admitted_at: AUGUST, ...more })]), null);
  };

  test('is what was committed in each scope and month, with versions that grow; the balance counts what was billed', async () => {
    const truth = createHoldTruth(server.database.pool);
    const [organizationId, user, group] = [randomUUID(), randomUUID(), randomUUID()];
    const scopes = [
      monthlyScope('key', API_KEY_ID, AUGUST),
      monthlyScope('group', group, AUGUST),
      monthlyScope('group_member', `${group}/${user}`, AUGUST),
      monthlyScope('group', group, Date.UTC(2026, 8, 1)),
      BALANCE_SCOPE,
    ];
    const before = new Map((await truth.readBases(organizationId, scopes)).map((base) => [base.scope, base]));
    expect(before.get(BALANCE_SCOPE)).toEqual({ scope: BALANCE_SCOPE, base: 0n, version: 0n });
    await use(organizationId, { user_id: user, group_id: group, cost_p: '700', billed_p: '0', is_byok: true });
    await use(organizationId, { user_id: user, group_id: group, cost_p: '300', billed_p: '300' });
    const after = new Map((await truth.readBases(organizationId, scopes)).map((base) => [base.scope, base]));
    expect(scopes.map((scope) => (after.get(scope)?.base ?? -1n) - (before.get(scope)?.base ?? 0n))).toEqual([
      1000n,
      1000n,
      1000n,
      0n,
      300n,
    ]);
    for (const scope of [scopes[0], scopes[1], scopes[2], scopes[4]]) {
      expect((after.get(scope ?? '')?.version ?? 0n) > (before.get(scope ?? '')?.version ?? 0n)).toBe(true);
    }
  });

  test('knows which held requests have been counted to their end', async () => {
    const truth = createHoldTruth(server.database.pool);
    const organizationId = randomUUID();
    const [ended, failedOver, free] = [randomUUID(), randomUUID(), randomUUID()];
    await use(organizationId, { request_id: ended, hold_id: ended });
    await use(organizationId, { request_id: failedOver, hold_id: failedOver, logical: false });
    await use(organizationId, { request_id: free });
    expect(await truth.findCommitted(organizationId, [ended, failedOver, free, randomUUID()])).toEqual(new Set([ended]));
    expect(await truth.findCommitted(randomUUID(), [ended])).toEqual(new Set());
    expect(await truth.findCommitted(organizationId, [])).toEqual(new Set());
  });

  test('does not take a request for counted to its end while something of its writer is missing before that', async () => {
    const { pool } = server.database;
    const truth = createHoldTruth(pool);
    const store = createUsageStore({ pool, now: () => AUGUST });
    const [organizationId, writerId, request] = [randomUUID(), randomUUID(), randomUUID()];
    const attempt = (logical: boolean) =>
      makeUsageEvent({ org_id: organizationId, admitted_at: AUGUST, request_id: request, hold_id: request, hold_scopes: ['s'], logical });
    const [first, last] = [attempt(false), attempt(true)];
    // The bus has lost the first one; the journal sends both again.
    expect((await store.applyBatch(sequenceEvents(writerId, [last], 1n), null)).holds).toMatchObject([{ holdId: request, isLast: false }]);
    expect(await truth.findCommitted(organizationId, [request])).toEqual(new Set());
    expect((await store.applyBatch(sequenceEvents(writerId, [first, last]), null)).holds).toMatchObject([
      { isLast: false },
      { isLast: true },
    ]);
    expect(await truth.findCommitted(organizationId, [request])).toEqual(new Set([request]));
  });
});

test('a key knows what its organization was ever given, whatever was used of it; null when nothing ever was', async () => {
  const { prisma, pool } = server.database;
  const organization = await prisma.organization.create({
    data: { name: 'Prepaid', settings: { limits_unavailable: 'deny', clamp_to_limit: true } },
  });
  const hash = new Uint8Array(32).fill(7);
  await prisma.apiKey.create({ data: { organizationId: organization.id, name: 'k', hash, prefix: 'p', last4: 'l' } });
  const find = async () => (await createKeyDirectory(pool).findByDigest(Buffer.from(hash)))?.organization;
  expect(await find()).toMatchObject({ creditPico: null, limitsUnavailable: 'deny', isClampedToLimit: true });
  const balances = { cash: '-3', usage: '3' };
  const post = (kind: string, balance: string) => prisma.ledgerAccount.create({ data: { organizationId: organization.id, kind, balance } });
  for (const [kind, balance] of Object.entries(balances)) await post(kind, balance);
  expect((await find())?.creditPico).toBeNull();
  await post('clearing', '-10.5');
  await post('gift', '10.5');
  expect((await find())?.creditPico).toBe(10_500_000_000_000n);
});
