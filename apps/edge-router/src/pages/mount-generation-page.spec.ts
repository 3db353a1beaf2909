import type { KeyRecord } from '@weir/access';
import { createHttpApp } from '@weir/http-server';
import { makeKeyRecord, makeUsageEvent } from '@weir/testing';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mountGenerationPage } from './mount-generation-page';

const EVENT = makeUsageEvent({ request_id: 'a-request', api_key_id: 'its key', user_id: 'its member' });

async function readWith(key: Partial<KeyRecord>): Promise<number> {
  const principal = { key: makeKeyRecord({ apiKeyId: 'another key', ...key }) };
  const server = createHttpApp({
    mount: (app) =>
      mountGenerationPage(app, {
        authenticator: { authenticate: () => Promise.resolve(principal) },
        generations: { findEvents: () => Promise.resolve([EVENT]) },
      }),
    onInternalError: (error) => void process.stderr.write(`${String(error.cause)}\n`),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/generation/a-request`);
    await reply.text();
    return reply.status;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it.each<[string, Partial<KeyRecord>, number]>([
  ['an administrator of the organization', { userId: 'another member' }, 200],
  ['the key that made it', { apiKeyId: 'its key', userId: 'another member', isAdministrator: false }, 200],
  ['another key of the member who made it', { userId: 'its member', isAdministrator: false }, 200],
  ['a key of another member', { userId: 'another member', isAdministrator: false }, 404],
])('shows a request to %s or returns 404', async (_, key, status) => {
  expect(await readWith(key)).toBe(status);
});
