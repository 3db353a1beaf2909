import { createAuthenticator, createKeyCache, digestApiKey, generateApiKey } from '@weir/access';
import { createDatabase, createKeyDirectory, createOrganizationDirectory, seedOrganization, type Database } from '@weir/database';
import { createHttpApp } from '@weir/http-server';
import { getPostgres, type RealPostgres } from '@weir/testing';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mountOrganizationPages } from './mount-organization-pages';

const PEPPER = 'pepper of the tests';

let postgres: RealPostgres;
let database: Database;
let server: Server;
let organizationId: string;
let administrator: string;
let member: string;

beforeAll(async () => {
  postgres = await getPostgres();
  database = createDatabase({ url: await postgres.createDatabase() });
  [administrator, member] = [generateApiKey('test'), generateApiKey('test')];
  ({ organizationId } = await seed('ours', administrator));
  const { apiKeyId } = await seed('ours', member);
  await database.prisma.apiKey.update({ where: { id: apiKeyId }, data: { permManage: 'none' } });
  const cache = createKeyCache({ directory: createKeyDirectory(database.pool), now: Date.now });
  const authenticator = createAuthenticator({ cache, digest: (key) => digestApiKey(key, PEPPER), now: Date.now });
  const organizationDirectory = createOrganizationDirectory(database.pool);
  const app = createHttpApp({
    mount: (express) => mountOrganizationPages(express, { authenticator, organizationDirectory, defaultChatModel: 'sandbox/chat' }),
    onInternalError: (error) => void process.stderr.write(`${String(error.cause)}\n`),
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await database.close();
  await postgres.stop();
});

async function seed(name: string, key: string) {
  const stored = { apiKeyHash: digestApiKey(key, PEPPER), apiKeyPrefix: key.slice(0, 12), apiKeyLast4: key.slice(-4) };
  return seedOrganization({ database, name, email: `${name}@somewhere.example`, ...stored });
}

async function get(path: string, key?: string): Promise<{ status: number; json: Record<string, Record<string, unknown>> }> {
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
  return { status: reply.status, json: (await reply.json()) as Record<string, Record<string, unknown>> };
}

it('shows its settings to every key of the organization', async () => {
  expect(await get('/v1/organization', member)).toEqual({
    status: 200,
    json: {
      organization: {
        id: organizationId,
        name: 'ours',
        tier: 'free',
        budget_mode: 'global',
        data_residency: null,
        zero_data_retention: false,
        data_used_for_training: true,
        approved_models: null,
        default_chat_model: 'sandbox/chat',
      },
    },
  });
});

it('shows the money to administrators only, exact to the last digit', async () => {
  const nothing = { balance: '0', credits: [] };
  expect((await get('/v1/organization/finance', administrator)).json['finance']).toEqual({
    currency: 'USD',
    balance: '0',
    cash: '0',
    counted_from: null,
    usage_not_counted: '0',
    gift: nothing,
    promotion: nothing,
    auto_top_up: { enabled: false, threshold: null, amount: null, monthly_cap: null },
  });
  await database.pool.query(
    `INSERT INTO ledger_account (org_id, kind, balance) VALUES ($1, 'cash', -0.000000000001), ($1, 'gift', 12345678901234.5), ($1, 'promo', 2), ($1, 'usage', 7), ($1, 'clearing', -12345678901243.5)`,
    [organizationId],
  );
  await database.pool.query(
    `WITH tx AS (INSERT INTO ledger_tx (org_id, idempotency_key, kind, effective_at) VALUES ($1, 'a', 'promotion', now()), ($1, 'b', 'promotion', now())
       RETURNING id, idempotency_key)
     INSERT INTO ledger_credit (tx_id, org_id, kind, amount, remaining, expires_at)
       SELECT id, $1, 'promo', 5, CASE idempotency_key WHEN 'a' THEN 2 ELSE 0 END, '2027-01-01T00:00:00Z' FROM tx`,
    [organizationId],
  );

  expect((await get('/v1/organization/finance', administrator)).json['finance']).toMatchObject({
    balance: '12345678901236.499999999999',
    cash: '-0.000000000001',
    gift: { balance: '12345678901234.5', credits: [] },
    promotion: { balance: '2', credits: [{ amount: '5', remaining: '2', expires_at: '2027-01-01T00:00:00.000Z' }] },
  });
  expect(await get('/v1/organization/finance', member)).toMatchObject({ status: 403, json: { error: { code: 'permission_denied' } } });
});

it.each(['/v1/organization', '/v1/organization/finance'])('%s is 401 without a key, 403 with one that no one has', async (path) => {
  expect((await get(path)).status).toBe(401);
  expect((await get(path, generateApiKey('test'))).status).toBe(403);
});

it('names the successors of the page that was removed', async () => {
  const { status, json } = await get('/v1/organization/info', administrator);

  expect(status).toBe(404);
  expect(json['error']?.['message']).toContain('GET /v1/organization for settings');
});

it('returns 503 when the store is out of reach', async () => {
  await get('/v1/organization', administrator);
  await database.pool.query('ALTER TABLE ledger_account RENAME TO ledger_account_away');
  try {
    expect(await get('/v1/organization/finance', administrator)).toMatchObject({
      status: 503,
      json: { error: { code: 'dependency_down' } },
    });
  } finally {
    await database.pool.query('ALTER TABLE ledger_account_away RENAME TO ledger_account');
  }
});
