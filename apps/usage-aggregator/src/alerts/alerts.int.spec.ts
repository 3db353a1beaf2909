import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { claimFirings, createDatabase, createDataKeyStore, fireAlerts, type Database, type Prisma } from '@weir/database';
import { createGuardedFetcher } from '@weir/guarded-fetch';
import { createKeyRing, createVault, type Vault } from '@weir/sealing';
import { getPostgres, waitUntil, type RealPostgres } from '@weir/testing';
import { startMoneyTasks } from '../start-money-tasks';
import { LOGIN, startMailServer, type MailServer } from './__fixtures__/start-mail-server';
import { createMailer } from './create-mailer';

const NOW = Date.UTC(2026, 10, 21, 12);

type Received = { readonly path: string; readonly body: string; readonly headers: Record<string, unknown> };

/** Aggregators with a real database, a real mail server and a receiver of webhooks. */
describe('alerts of several aggregators', () => {
  let postgres: RealPostgres;
  let database: Database;
  let vault: Vault;
  let mail: MailServer;
  let receiver: Server;
  let address: string;
  let organizationId: string;
  let keyId: string;
  const received: Received[] = [];
  let now = NOW;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    postgres = await getPostgres();
    database = createDatabase({ url: await postgres.createDatabase() });
    vault = createVault({
      keyRing: createKeyRing('sealing key of the tests with 32 characters'),
      store: createDataKeyStore(database.pool),
    });
    mail = await startMailServer();
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers: request.headers });
        response.end('ok');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    await mail.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await database.close();
    await postgres.stop();
  });
  beforeEach(async () => {
    const { prisma } = database;
    await prisma.alert.deleteMany();
    received.length = 0;
    mail.mails.length = 0;
    now = NOW;
    organizationId = (await prisma.organization.create({ data: { name: 'Example' } })).id;
    const key = {
      name: 'ci',
      hash: new Uint8Array(Buffer.from(randomUUID().replaceAll('-', ''))),
      prefix: 'p',
      last4: 'l',
      monthlyLimitPico: 10e12,
    };
    keyId = (await prisma.apiKey.create({ data: { organizationId, ...key } })).id;
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((tasks) => tasks.stop()));
  });

  function startAggregators(count: number): void {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const { port } = receiver.address() as AddressInfo;
    for (let number = 0; number < count; number += 1) {
      const smtp = { host: '127.0.0.1', port: mail.port, tls: 'starttls', login: LOGIN, from: 'alerts@example.com' } as const;
      running.push(
        startMoneyTasks({
          ...{ database, vault, log, mailer: createMailer(smtp, mail.ca), payments: undefined, isBalanceRequired: false },
          fetcher: createGuardedFetcher({ ports: [port], isAllowedAddress: (candidate) => candidate === '127.0.0.1' }),
          notify: () => Promise.resolve(),
          now: () => now,
        }),
      );
    }
  }

  async function addAlert(secret: string, more: Partial<Prisma.AlertUncheckedCreateInput>): Promise<string> {
    const id = randomUUID();
    const sealed = await vault.seal(secret, { organizationId, recordId: id, version: 1 });
    const { nonce, ciphertext, tag, dataKeyId } = sealed;
    await database.prisma.alert.create({
      data: {
        ...{ id, organizationId, scope: 'key', scopeId: keyId, percentage: 80, url: '', createdAt: new Date(0), dataKeyId },
        ...{ nonce: new Uint8Array(nonce), ciphertext: new Uint8Array(ciphertext), tag: new Uint8Array(tag), ...more },
      },
    });
    return id;
  }

  const spend = (usd: number) =>
    database.prisma.spendMonth.create({
      data: { scope: 'key', scopeId: keyId, month: new Date(Date.UTC(2026, 10, 1)), costPico: usd * 1e12, requests: 1n, version: 1n },
    });
  const statuses = async () => (await database.prisma.alertFiring.findMany({ where: { organizationId } })).map(({ status }) => status);
  const settle = (count: number) =>
    waitUntil('everything is delivered', async () => {
      const all = await statuses();
      return all.length === count && all.every((status) => status === 'delivered');
    });

  it('one notice for each alert, by its channel, however many look', async () => {
    await addAlert('whsec_x', { url: `${address}/webhook` });
    await addAlert(`${address}/services/secret`, { channel: 'slack', target: 'http://127.0.0.1/…' });
    await addAlert('unused', { channel: 'email', recipients: ['ann@example.com', 'bob@example.com'] });
    await spend(9);
    startAggregators(3);
    await settle(3);
    expect(received.map(({ path }) => path).sort()).toEqual(['/services/secret', '/webhook']);
    const message = JSON.parse(received.find(({ path }) => path === '/services/secret')?.body ?? '') as { text: string };
    expect(message.text).toMatch(/^\*The key "ci" has reached 80% of its limit\*\nUsed: 9 USD\n/);
    expect(received.find(({ path }) => path === '/services/secret')?.headers).not.toHaveProperty('x-weir-signature');
    expect(mail.mails).toMatchObject([{ to: ['ann@example.com', 'bob@example.com'] }]);
    expect(mail.mails[0]?.raw).toContain('\r\nThe key "ci" has reached 80% of its limit\r\n');
  });

  it('one that was sent by a process that died before it could say so comes again, under the same id', async () => {
    await addAlert('unused', { channel: 'email', recipients: ['ann@example.com'] });
    await spend(9);
    startAggregators(1);
    await waitUntil('it is noticed', async () => (await statuses()).length === 1);
    await settle(1);
    // As if the first process had died between the mail server's reply and the row: the lease runs out.
    await database.prisma.alertFiring.updateMany({ data: { status: 'pending', deliveredAt: null, nextAttemptAt: new Date(NOW) } });
    await settle(1);
    expect(mail.mails).toHaveLength(2);
    const ids = mail.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(new Set(ids).size).toBe(1);
    const [firing] = await database.prisma.alertFiring.findMany({ where: { organizationId } });
    expect(ids[0]).toContain(`<alert-${firing?.id}@example.com>`);
  });

  it('one that another process has claimed waits for it', async () => {
    await addAlert('unused', { channel: 'email', recipients: ['ann@example.com'] });
    await spend(9);
    await fireAlerts(database.pool, NOW);
    expect(await claimFirings(database.pool, { nowMs: NOW, limit: 5, leaseMs: 60_000 })).toHaveLength(1);
    startAggregators(2);
    await addAlert('whsec_x', { url: `${address}/later` });
    await waitUntil('the other alert is noticed', async () => (await statuses()).length === 2);
    await waitUntil('it is delivered', () => received.length === 1);
    expect(mail.mails).toEqual([]);
    now = NOW + 60_001;
    await waitUntil('the lease is over', () => mail.mails.length === 1);
  });
});
