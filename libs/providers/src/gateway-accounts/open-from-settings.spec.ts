import { createMetricsRegistry, type Logger } from '@weir/telemetry';
import { makeCertificate, makeTestFolder } from '@weir/testing';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildTarget } from '../__fixtures__/build-target';
import { openProviders } from './open-from-settings';

const PATH = 'secret/data/weir/openai';
const KEY = 'sk-in-vault-0123456789';

let server: Server;
let url: string;
let asked: string[];
const certificate = makeCertificate();

/** A vault that speaks TLS alone, and replies to those who name the namespace and the token. */
beforeEach(async () => {
  asked = [];
  server = createServer(certificate, ({ headers, url: path = '' }, response) => {
    asked.push(`${String(headers['x-vault-namespace'])} ${path}`);
    if (headers['x-vault-namespace'] !== 'team/ai' || headers['x-vault-token'] !== 'hvs.root') return response.writeHead(403).end('{}');
    const found = path.endsWith(PATH) ? { data: { api_key: KEY }, metadata: { version: 1 } } : { ttl: 0, renewable: false };
    return response.end(JSON.stringify({ data: found }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

async function keyWith(more: Readonly<Record<string, string>>): Promise<unknown> {
  const path = join(makeTestFolder('vault-accounts'), 'providers.json');
  const account = { id: 'eu', provider: 'openai', api_key: { vault: { path: PATH, field: 'api_key' } } };
  writeFileSync(path, JSON.stringify({ accounts: [account] }));
  const settings = {
    ...{ PROVIDER_ACCOUNTS_FILE: path, PROVIDER_ACCOUNTS_POLL_MS: 60_000 },
    ...{ VAULT_ADDR: url, VAULT_TOKEN: 'hvs.root', VAULT_AUTH_MOUNT: 'kubernetes', VAULT_TIMEOUT_MS: 5_000, ...more },
  };
  const opened = await openProviders(settings, {
    lookup: () => undefined,
    transport: () => Promise.reject(new Error('nothing is sent')),
    registry: createMetricsRegistry(),
    log: { info: jest.fn(), warn: jest.fn(), error: jest.fn() } as unknown as Logger,
  });
  opened.stop();
  return opened.directory.find('openai', 'eu')?.authorize({ path: '/chat/completions', body: '{}' }, buildTarget());
}

it('reads keys from a vault with certificates of its own, in its namespace', async () => {
  expect(await keyWith({ VAULT_CACERT: certificate.path, VAULT_NAMESPACE: 'team/ai' })).toEqual({ authorization: `Bearer ${KEY}` });
  expect(asked).toContain(`team/ai /v1/${PATH}`);
});

it('has no key without the certificates, nor in another namespace', async () => {
  expect(await keyWith({ VAULT_NAMESPACE: 'team/ai' })).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await keyWith({ VAULT_CACERT: certificate.path, VAULT_NAMESPACE: 'team/other' })).toBeUndefined();
});
