import {
  createAuthenticator,
  createMemoryChangeNotices,
  createMemoryProcessReports,
  digestApiKey,
  generateApiKey,
  readCredential,
  type ChangeNotices,
  type ProcessReports,
} from '@weir/access';
import {
  createDatabase,
  createDataKeyStore,
  createKeyDirectory,
  createUsageStore,
  seedOrganization,
  type Database,
  type DatabaseLog,
} from '@weir/database';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createKeyRing, createVault } from '@weir/sealing';
import { getPostgres } from '@weir/testing';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { SignedInPerson } from '../ports/identity-provider';
import type { ConsoleParts } from '../console/console-parts';
import { composeManagementApi, type Console, type IdentityProvider, type ManagementParts } from '..';
import { createProviderAccounts } from './provider-accounts';

type Row = Readonly<Record<string, unknown>>;

/** Every envelope that responses come in; a test reads the one it expects. */
export type Envelope = Row & {
  readonly error: { readonly origin: string; readonly message: string };
  /** The message of an error of SCIM. */
  readonly detail: string;
  readonly key: Row;
  readonly keys: readonly Row[];
  readonly access_list: Row;
  readonly group: Row & { readonly members: readonly Row[] };
  readonly groups: readonly Row[];
  readonly member: Row;
  readonly members: readonly Row[];
  readonly organization: Row;
  readonly audit: readonly Row[];
  readonly provider_credential: Row;
  readonly provider_credentials: readonly Row[];
  readonly policy: Row;
  readonly policies: readonly Row[];
  readonly alias: Row;
  readonly guardrail: Row;
  readonly guardrails: readonly Row[];
};

export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: Envelope };

export type Organization = {
  readonly id: string;
  /** A key with manage: write and contents: read. */
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly userId: string;
};

export type ManagementHarness = {
  readonly url: string;
  readonly database: Database;
  readonly notices: ChangeNotices;
  /** What processes that call providers report. */
  readonly processReports: ProcessReports;
  /** `people`: whose token is whose; `removed`: whose membership it was asked to remove; it fails while `isDown`. */
  readonly identityProvider: IdentityProvider & { people: Map<string, SignedInPerson>; removed: string[]; isDown: boolean };
  /** Every line that was logged, with all its fields. */
  readonly logged: string[];
  now: () => number;
  /** Where the console finds the gateway. */
  gatewayUrl: string | undefined;
  readonly console: Console;
  seed(name: string): Promise<Organization>;
  call(method: string, path: string, options?: { key?: string | null; body?: unknown; headers?: Record<string, string> }): Promise<Reply>;
  stop(): Promise<void>;
};

export const PEPPER = 'pepper of the tests';
export const SEALING_KEY = 'sealing key of the tests with 32 characters';

type ManagementOptions = {
  /** From the address of the database as its owner, the one that routes are to use. */
  readonly loginOfRoutes?: (url: string) => Promise<string>;
  /** Takes reports of keys that were found in public. */
  readonly secretAlerts?: ManagementParts['secretAlerts'];
  /** The built files of the console. */
  readonly consoleFiles?: string;
  /** Where people sign in to it; named once the organizations are there. */
  readonly oidc?: ConsoleParts['oidc'];
  /** How often may be tried to sign in. */
  readonly attempts?: ConsoleParts['attempts'];
  /** Whether the gateway has a mail server; true unless given. */
  readonly sendsEmail?: boolean;
  /** How long a test of an alert waits; not at all unless given. */
  readonly alertTestMs?: number;
};

/** The management interface over real HTTP on a database of its own. Keys are looked up anew for each request. */
export async function startManagement(options: ManagementOptions = {}): Promise<ManagementHarness> {
  const { loginOfRoutes, secretAlerts, consoleFiles, oidc, attempts, sendsEmail = true, alertTestMs = 0 } = options;
  const postgres = await getPostgres();
  const url = await postgres.createDatabase();
  const database = createDatabase({ url });
  const databaseOfRoutes = loginOfRoutes === undefined ? database : createDatabase({ url: await loginOfRoutes(url) });
  const directory = createKeyDirectory(database.pool);
  const notices = createMemoryChangeNotices();
  const processReports = createMemoryProcessReports({ now: () => performance.now() });
  const identityProvider = createIdentityProvider();
  const logged: string[] = [];
  const harness = { now: () => Date.now(), logged, gatewayUrl: undefined as string | undefined };
  const authenticator = createAuthenticator({
    cache: { find: (digest) => directory.findByDigest(Buffer.from(digest, 'base64')), forget: noop, forgetUnknown: noop, forgetAll: noop },
    digest: (key) => digestApiKey(key, PEPPER),
    now: () => harness.now(),
  });
  const now = (): number => harness.now();
  const { router, console } = composeManagementApi({
    database: databaseOfRoutes,
    usageStore: createUsageStore({ pool: databaseOfRoutes.pool, now }),
    authenticate: async (request) => authenticator.authenticate(readCredential(request.headers, 'bearer')),
    changeNotices: notices,
    processReports,
    catalog: createBuiltInCatalog(),
    vault: createVault({ keyRing: createKeyRing(SEALING_KEY), store: createDataKeyStore(databaseOfRoutes.pool) }),
    providerAccounts: createProviderAccounts(),
    peppers: { current: PEPPER },
    keyEnvironment: 'test',
    identityProvider,
    secretAlerts,
    ...{ sendsEmail, alertTestMs, oidc },
    console: {
      ...{ sealingKey: SEALING_KEY, idleMs: 3_600_000, gatewayUrl: () => harness.gatewayUrl, proxyNetworks: ['127.0.0.0/8'] },
      ...(consoleFiles === undefined ? {} : { filesFolder: consoleFiles }),
      ...(attempts === undefined ? {} : { attempts }),
      oidc,
    },
    now,
    log: createRecordingLog(logged),
  });
  const server = express().use(router).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(harness, {
    url: address,
    database,
    notices,
    processReports,
    identityProvider,
    console: console as Console,
    seed: (name: string) => seed(database, name),
    call: createCall(address),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...new Set([database, databaseOfRoutes])].map((one) => one.close()));
      await postgres.stop();
    },
  });
}

function createCall(url: string): ManagementHarness['call'] {
  return async (method, path, { key = null, body, headers = {} } = {}) => {
    const reply = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      json: (text.startsWith('{') ? JSON.parse(text) : {}) as Envelope,
    };
  };
}

async function seed(database: Database, name: string): Promise<Organization> {
  const apiKey = generateApiKey('test');
  const seeded = await seedOrganization({
    database,
    name,
    email: `owner@${name}.example`,
    apiKeyHash: digestApiKey(apiKey, PEPPER),
    apiKeyPrefix: apiKey.slice(0, 12),
    apiKeyLast4: apiKey.slice(-4),
  });
  // No key has it at first: an administrator gives it.
  await database.prisma.apiKey.update({ where: { id: seeded.apiKeyId }, data: { permContents: 'read' } });
  return { id: seeded.organizationId, apiKey, apiKeyId: seeded.apiKeyId, userId: seeded.userId };
}

function createIdentityProvider(): ManagementHarness['identityProvider'] {
  const provider = {
    people: new Map<string, SignedInPerson>(),
    readSession: (token: string) => Promise.resolve(provider.people.get(token)),
    removed: [] as string[],
    isDown: false,
    addMember: () => (provider.isDown ? Promise.reject(new Error('the identity provider is down')) : Promise.resolve({ subject: null })),
    removeMember: ({ email }: { email: string }) => {
      if (provider.isDown) return Promise.reject(new Error('the identity provider is down'));
      provider.removed.push(email);
      return Promise.resolve();
    },
  };
  return provider;
}

/** Keeps everything, and prints errors for the person that runs the specs. */
function createRecordingLog(logged: string[]): DatabaseLog {
  const keep = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    logged.push(`${message} ${inspect(fields, { depth: 8, maxStringLength: null })}`);
  };
  return {
    info: keep,
    warn: keep,
    error: (fields, message) => {
      keep(fields, message);
      process.stderr.write(`${message}: ${String(fields['err'])}\n`);
    },
  };
}

function noop(): void {
  // nothing is cached here
}
