import { createFilesystemBlobStore, type BlobStore } from '@weir/blob-store';
import type { Passport } from '@weir/contracts';
import { toGatewayError } from '@weir/errors';
import type { FormField, ReceivedForm, ForwardedRequest } from '@weir/http-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFilesHandler } from './create-files-handler';

const NOW = Date.UTC(2026, 10, 21);
const directory = mkdtempSync(join(tmpdir(), 'weir-files-'));
let now = NOW;
const blobs = createFilesystemBlobStore({ directory, now: () => now });
const handle = createFilesHandler({ blobs, retentionDays: 30, organizationBytesMax: 1000, now: () => now });
type Ask = Partial<Pick<ForwardedRequest, 'form' | 'params' | 'query'>> & { readonly endpointId: string; readonly owner?: string };
let asked: Ask;
let server: Server;

beforeAll(async () => {
  server = createServer((_request, response) => {
    const { endpointId, owner = 'org-1', ...more } = asked;
    const passport = { endpointId, caller: { organizationId: owner } } as unknown as Passport;
    handle({ passport, body: Buffer.alloc(0), headers: {}, response, notes: {}, ...more }).catch((thrown: unknown) => {
      const { status, code, message } = toGatewayError(thrown);
      response.writeHead(status).end(JSON.stringify({ code, message }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  now = NOW;
});

async function ask(about: Ask) {
  asked = about;
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') !== false;
  return { status: reply.status, headers: reply.headers, text, json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> };
}

function formOf(fields: Record<string, string>, bytes: string | undefined = 'hello'): ReceivedForm {
  const read = async function* (): AsyncIterable<Uint8Array> {
    yield await Promise.resolve(Buffer.from(bytes));
  };
  const files = bytes === 'none' ? [] : [{ field: 'file', name: 'grüße.txt', type: 'text/plain', size: bytes.length, read }];
  return { fields: Object.entries(fields).map(([name, value]): FormField => ({ name, value })), files, discard: () => Promise.resolve() };
}

async function upload(owner: string, fields: Record<string, string> = {}): Promise<string> {
  const { json } = await ask({ endpointId: 'create-file', owner, form: formOf({ purpose: 'user_data', ...fields }) });
  return String(json['id']);
}

describe('the files of an organization', () => {
  it('are kept with what was said of them, read, and deleted once', async () => {
    const { status, json } = await ask({ endpointId: 'create-file', form: formOf({ purpose: 'vision' }) });
    const id = String(json['id']);
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^file-/) as string,
        object: 'file',
        bytes: 5,
        created_at: NOW / 1000,
        expires_at: NOW / 1000 + 30 * 86_400,
        filename: 'grüße.txt',
        purpose: 'vision',
        status: 'processed',
      },
    ]);
    expect((await ask({ endpointId: 'read-file', params: { id } })).json).toEqual(json);
    const content = await ask({ endpointId: 'read-file-content', params: { id } });
    expect([content.text, content.headers.get('content-type'), content.headers.get('content-disposition')]).toEqual([
      'hello',
      'text/plain',
      `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%BC%C3%9Fe.txt`,
    ]);
    expect((await ask({ endpointId: 'delete-file', params: { id } })).json).toEqual({ id, object: 'file', deleted: true });
    expect((await ask({ endpointId: 'delete-file', params: { id } })).status).toBe(404);
  });

  it('are no one else’s: another organization finds none of them', async () => {
    const id = await upload('org-2');
    for (const endpointId of ['read-file', 'read-file-content', 'delete-file']) {
      expect(await ask({ endpointId, owner: 'org-3', params: { id } })).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
    expect((await ask({ endpointId: 'list-files', owner: 'org-3' })).json['data']).toEqual([]);
    expect((await ask({ endpointId: 'read-file', owner: 'org-2', params: { id } })).status).toBe(200);
  });

  it('expire when their caller says so', async () => {
    const id = await upload('org-4', { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' });
    now = NOW + 3_599_999;
    expect((await ask({ endpointId: 'read-file', owner: 'org-4', params: { id } })).status).toBe(200);
    now = NOW + 3_600_000;
    expect((await ask({ endpointId: 'read-file', owner: 'org-4', params: { id } })).status).toBe(404);
  });

  it('come in pages, in either order, of one purpose', async () => {
    const ids: string[] = [];
    for (const purpose of ['vision', 'user_data', 'vision', 'vision']) {
      now += 1000;
      ids.unshift(await upload('org-5', { purpose }));
    }
    const page = async (query: string) => (await ask({ endpointId: 'list-files', owner: 'org-5', query })).json;
    const idsOf = (json: Record<string, unknown>) => (json['data'] as { id: string }[]).map(({ id }) => id);
    expect(idsOf(await page(''))).toEqual(ids);
    expect(idsOf(await page('order=asc&limit=2'))).toEqual([ids[3], ids[2]]);
    expect(await page('limit=2')).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[1], has_more: true });
    expect(await page(`limit=2&after=${ids[1]}`)).toMatchObject({ first_id: ids[2], last_id: ids[3], has_more: false });
    expect(idsOf(await page('purpose=vision'))).toEqual([ids[0], ids[1], ids[3]]);
    for (const query of ['limit=0', 'limit=x', 'order=up', 'after=file-x', 'page=2'])
      expect(await page(query)).toMatchObject({ code: 'invalid_request' });
  });

  it('results are fetched but are no files', async () => {
    const bytes = Buffer.from('picture');
    const { id } = await blobs.put({
      organizationId: 'org-6',
      kind: 'result',
      name: 'image.png',
      type: 'image/png',
      expiresAtMs: NOW + 1000,
      bytes,
    });
    const about = { owner: 'org-6', params: { id } };
    expect((await ask({ endpointId: 'read-file-content', ...about })).headers.get('content-disposition')).toContain('inline');
    for (const endpointId of ['read-file', 'delete-file']) expect((await ask({ endpointId, ...about })).status).toBe(404);
    expect((await ask({ endpointId: 'list-files', owner: 'org-6' })).json['data']).toEqual([]);
  });

  test.each([
    ['no file', formOf({ purpose: 'vision' }, 'none'), 'file must be a file'],
    ['an empty file', formOf({ purpose: 'vision' }, ''), 'must not be empty'],
    ['no purpose', formOf({}), 'purpose must be one of'],
    ['a purpose of its own', formOf({ purpose: 'fun' }), 'purpose must be one of'],
    ['an unknown field', formOf({ purpose: 'vision', color: 'red' }), 'color is not a field'],
    ['half of an expiry', formOf({ purpose: 'vision', 'expires_after[seconds]': '4000' }), 'anchor'],
    [
      'an expiry too soon',
      formOf({ purpose: 'vision', 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3599' }),
      'from 3600',
    ],
  ])('refuses %s', async (_, form, why) => {
    expect(await ask({ endpointId: 'create-file', form })).toMatchObject({
      status: 400,
      json: { code: 'invalid_request', message: expect.stringContaining(why) as string },
    });
  });

  it('are refused beyond what an organization may keep, with another error than for a store that fails', async () => {
    const big = formOf({ purpose: 'vision' }, 'x'.repeat(600));
    expect((await ask({ endpointId: 'create-file', owner: 'org-7', form: big })).status).toBe(200);
    expect((await ask({ endpointId: 'create-file', owner: 'org-7', form: big })).status).toBe(409);
    const find = jest.spyOn(blobs, 'find' satisfies keyof BlobStore).mockRejectedValue(new Error('gone'));
    expect((await ask({ endpointId: 'read-file', params: { id: 'file-x' } })).status).toBe(503);
    find.mockRestore();
  });
});
