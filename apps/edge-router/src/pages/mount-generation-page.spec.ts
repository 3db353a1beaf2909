import type { KeyRecord } from '@weir/access';
import { createHttpApp } from '@weir/http-server';
import { makeKeyRecord, makeUsageEvent } from '@weir/testing';
import {
  decodeGenerationCursor,
  encodeGenerationCursor,
  type GenerationPage,
  type GenerationQuery,
  type GenerationReader,
} from '@weir/usage';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mountGenerationList, mountGenerationPage } from './mount-generation-page';

const EVENT = makeUsageEvent({ request_id: 'a-request', api_key_id: 'its key', user_id: 'its member' });
const PAGE: GenerationPage = {
  lines: [{ event: EVENT, admittedAtMs: EVENT.admitted_at, attempts: 2, costPico: 5n, billedPico: 0n, apiKeyName: 'CI' }],
  next: { admittedAtMs: 7, requestId: 'r' },
  isPartial: true,
  counted: { atMs: 9, mark: 3n },
};
const NAMES = { apiKey: null, memberEmail: null, group: null, keyLabels: {}, groupLabels: {} };
const READER: GenerationReader = {
  findEvents: () => Promise.resolve([EVENT]),
  findNames: () => Promise.resolve(NAMES),
  listGenerations: () => Promise.resolve(PAGE),
};

type Received = { readonly status: number; readonly json: Record<string, unknown> };

async function read(path: string, key: Partial<KeyRecord>, more: Partial<GenerationReader> = {}): Promise<Received> {
  const principal = { key: makeKeyRecord({ apiKeyId: 'another key', ...key }) };
  const parts = {
    authenticator: { authenticate: () => Promise.resolve(principal) },
    generations: { ...READER, ...more },
    catalog: { findPriceSheet: () => undefined },
  };
  const server = createHttpApp({
    mount: (app) => {
      mountGenerationList(app, parts);
      mountGenerationPage(app, parts);
    },
    onInternalError: (error) => void process.stderr.write(`${String(error.cause)}\n`),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/generation${path}`);
    return { status: reply.status, json: (await reply.json()) as Record<string, unknown> };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const MANAGED: KeyRecord['permissions'] = { manage: 'read', completions: 'none' };

const WHO: readonly [string, Partial<KeyRecord>, number][] = [
  ['an administrator of the organization', { userId: 'another member', permissions: MANAGED }, 200],
  ['the key that made it', { apiKeyId: 'its key', userId: 'another member', isAdministrator: false }, 200],
  ['another key of the member who made it', { userId: 'its member', isAdministrator: false }, 200],
  ['a key of another member', { userId: 'another member', isAdministrator: false }, 404],
  ['a key of an administrator that manages nothing', { userId: 'another member' }, 404],
];

it.each(WHO)('shows a request to %s or returns 404', async (_, key, status) => {
  expect((await read('/a-request', key)).status).toBe(status);
});

async function captureQuery(path: string, key: Partial<KeyRecord> = {}): Promise<GenerationQuery | undefined> {
  let asked: GenerationQuery | undefined;
  const listGenerations = (query: GenerationQuery): Promise<GenerationPage> => {
    asked = query;
    return Promise.resolve(PAGE);
  };
  await read(path, key, { listGenerations });
  return asked;
}

describe('the list', () => {
  it('asks for everybody’s requests for administrators, and for their own for others', async () => {
    expect(await captureQuery('', { organizationId: 'o', permissions: MANAGED })).toMatchObject({
      organizationId: 'o',
      own: null,
      limit: 50,
    });
    const own = { apiKeyId: 'its key', userId: 'its member' };
    expect(await captureQuery('?limit=3', { ...own, isAdministrator: false })).toMatchObject({ own, limit: 3 });
    expect(await captureQuery('', own)).toMatchObject({ own });
  });

  it('reads names of labels and repeated filters as they stand in the address', async () => {
    const asked = await captureQuery('?label.te%5Bam=a%2Cb&label.x.y=1&label[z]=2&status=ok&status=timeout&extra.q=%F0%9F%99%82');
    expect(asked?.filters).toMatchObject({
      statuses: ['ok', 'timeout'],
      labels: [
        { name: 'te[am', values: ['a,b'] },
        { name: 'x.y', values: ['1'] },
        { name: 'z', values: ['2'] },
      ],
      extra: [{ name: 'q', values: ['🙂'] }],
    });
  });

  it('describes a page: money as exact text, and where to go on', async () => {
    const { json } = await read('', {});
    expect(json).toMatchObject({ is_partial: true, generations: [{ id: 'a-request', attempts: 2, cost: '0.000000000005', billed: '0' }] });
    expect(decodeGenerationCursor(String(json['next_cursor']))).toEqual({ before: PAGE.next });
    expect(decodeGenerationCursor(String(json['newest_cursor']))).toEqual({ since: PAGE.counted });
  });

  it('keeps to what is newer on the pages after, which say nothing of the newest', async () => {
    const since = { atMs: 1, mark: 2n };
    const cursor = encodeGenerationCursor({ before: { admittedAtMs: 8, requestId: 's' }, since });
    const { json } = await read(`?cursor=${cursor}`, {});
    expect(decodeGenerationCursor(String(json['next_cursor']))).toEqual({ before: PAGE.next, since });
    expect(json).not.toHaveProperty('newest_cursor');
  });

  it('names the parameter that is wrong, and says when the store is away', async () => {
    expect(await read('?lable.team=x', {})).toMatchObject({ status: 400, json: { error: { param: 'lable.team' } } });
    const away = await read('', {}, { listGenerations: () => Promise.reject(new Error('connection refused')) });
    expect(away.status).toBe(503);
    expect(JSON.stringify(away.json)).not.toContain('refused');
  });

  it('is refused to keys that may read nothing', async () => {
    const nothing = await read('', { permissions: { completions: 'none', manage: 'none' } });
    expect(nothing.status).toBe(403);
  });
});
