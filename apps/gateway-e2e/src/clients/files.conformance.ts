import OpenAI, { toFile } from 'openai';
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

const MIB = 1024 ** 2;
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1000, 7)]);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

type Refusal = { readonly status: number; readonly text: string; readonly code: unknown };

/** Files that callers keep, and forms that are refused. */
export function describeFiles(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  const credentials = (): Record<string, string> => ({ authorization: `Bearer ${harness.apiKey}` });
  const send = async (path: string, body: FormData | string, headers: Record<string, string> = {}): Promise<Refusal> => {
    const reply = await fetch(harness.url + path, { method: 'POST', headers: { ...credentials(), ...headers }, body });
    const text = await reply.text();
    return { status: reply.status, text, code: text === '' ? null : (JSON.parse(text) as { error: { code: string } }).error.code };
  };
  const formOf = (...parts: readonly (readonly [string, string | Blob])[]): FormData => {
    const form = new FormData();
    for (const [name, value] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, 'a.png');
    }
    return form;
  };
  const png = new Blob([new Uint8Array(PNG)]);

  it('are kept, listed, read and deleted by the official client', async () => {
    const bytes = randomBytes(3 * MIB);
    const expiry = { anchor: 'created_at', seconds: 7200 } as const;
    const file = await client.files.create({ file: await toFile(bytes, 'größe "1".bin'), purpose: 'user_data', expires_after: expiry });
    expect(file).toMatchObject({
      object: 'file',
      bytes: bytes.length,
      filename: 'größe "1".bin',
      purpose: 'user_data',
      status: 'processed',
    });
    expect((file.expires_at ?? 0) - file.created_at).toBe(7200);

    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect((await client.files.list({ purpose: 'user_data' })).data.map(({ id }) => id)).toContain(file.id);
    const content = Buffer.from(await (await client.files.content(file.id)).arrayBuffer());
    expect(sha256(content)).toBe(sha256(bytes));
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    await expect(client.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('are one file for each Idempotency-Key, which stands for what was sent', async () => {
    const headers = { 'Idempotency-Key': `upload-${randomBytes(8).toString('hex')}` };
    const keep = async (bytes: Buffer) => client.files.create({ file: await toFile(bytes, 'once.png'), purpose: 'evals' }, { headers });
    const [first, again] = [await keep(PNG), await keep(PNG)];
    expect(again).toEqual(first);
    expect((await client.files.list({ purpose: 'evals' })).data.map(({ id }) => id)).toEqual([first.id]);
    await expect(keep(Buffer.concat([PNG, PNG]))).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  });

  it('come in one piece, many at a time', async () => {
    const sent = Array.from({ length: 8 }, () => randomBytes(4 * MIB));
    const files = await Promise.all(
      sent.map(async (bytes) => client.files.create({ file: await toFile(bytes, 'a.bin'), purpose: 'vision' })),
    );
    const kept = await Promise.all(files.map(async ({ id }) => Buffer.from(await (await client.files.content(id)).arrayBuffer())));
    expect(kept.map(sha256)).toEqual(sent.map(sha256));
  });

  it('are no one’s without a key, or with an address that was not signed', async () => {
    const { id } = await client.files.create({ file: await toFile(PNG, 'a.png'), purpose: 'vision' });
    const status = async (path: string): Promise<number> => (await fetch(harness.url + path)).status;
    const signed = `expires=${Math.floor(Date.now() / 1000) + 60}&signature=${Buffer.from('any').toString('base64url')}.${'A'.repeat(43)}`;
    expect(await status(`/v1/files/${id}`)).toBe(401);
    expect(await status(`/v1/files/${id}/content`)).toBe(401);
    expect(await status(`/v1/files/${id}/content?${signed}`)).toBe(403);
    expect(await status(`/v1/files/${id}?${signed}`)).toBe(401);
  });

  it('a generated picture that is asked for by address is fetched without a key, and edited as a kept file', async () => {
    const made = await client.images.generate({ model: 'sandbox/image', prompt: 'a weir', response_format: 'url' });
    const address = made.data?.[0]?.url ?? '';
    const picture = await fetch(address);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([picture.status, picture.headers.get('content-type'), bytes.subarray(0, 8)]).toEqual([200, 'image/png', PNG.subarray(0, 8)]);
    expect((await fetch(address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(403);

    const { id } = await client.files.create({ file: await toFile(bytes, 'a.png'), purpose: 'vision' });
    const body = JSON.stringify({ model: 'sandbox/image', prompt: 'higher', images: [{ file_id: id }] });
    const edited = await fetch(`${harness.url}/v1/images/edits`, {
      method: 'POST',
      headers: { ...credentials(), 'content-type': 'application/json' },
      body,
    });
    expect(edited.status).toBe(200);
    const form = await client.images.edit({
      model: 'sandbox/image',
      prompt: 'higher',
      image: [await toFile(bytes, 'a.png'), await toFile(bytes, 'b.png')],
    });
    expect(form.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/);
  });

  const large = new Blob([new Uint8Array(25 * MIB + 1)]);
  const tooMany = Array.from({ length: 17 }, () => ['image[]', png] as const);
  it.each<[string, string, FormData | string, Record<string, string>, Partial<Refusal>]>([
    ['an image beyond 25 MiB, without a body', '/v1/images/edits', formOf(['model', 'm'], ['image', large]), {}, { status: 413, text: '' }],
    [
      'a recording beyond 25 MiB',
      '/v1/audio/transcriptions',
      formOf(['model', 'm'], ['file', large]),
      {},
      { status: 413, code: 'body_too_large' },
    ],
    ['seventeen images', '/v1/images/edits', formOf(['model', 'm'], ...tooMany), {}, { status: 400, code: 'invalid_request' }],
    ['text', '/v1/images/edits', 'hello', { 'content-type': 'text/plain' }, { status: 415, code: 'unsupported_media_type' }],
    ['JSON where only forms are taken', '/v1/audio/transcriptions', '{}', { 'content-type': 'application/json' }, { status: 415 }],
    ['a compressed form', '/v1/images/edits', formOf(['model', 'm']), { 'content-encoding': 'gzip' }, { status: 415 }],
    [
      'a form without its end',
      '/v1/files',
      '--x\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      { status: 400, code: 'invalid_request' },
    ],
    ['a form without a boundary', '/v1/files', 'x', { 'content-type': 'multipart/form-data' }, { status: 400, code: 'invalid_request' }],
    ['no model', '/v1/images/edits', formOf(['image', png]), {}, { status: 400, code: 'invalid_request' }],
    ['an unknown model', '/v1/images/edits', formOf(['model', 'no/such'], ['image', png]), {}, { status: 404, code: 'model_not_found' }],
    ['a model of another modality', '/v1/audio/transcriptions', formOf(['model', 'sandbox/chat'], ['file', png]), {}, { status: 404 }],
    ['a file in no field of the endpoint', '/v1/images/edits', formOf(['model', 'm'], ['picture', png]), {}, { status: 400 }],
    ['two files to keep', '/v1/files', formOf(['purpose', 'vision'], ['file', png], ['file', png]), {}, { status: 400 }],
    ['a file without a purpose', '/v1/files', formOf(['file', png]), {}, { status: 400, code: 'invalid_request' }],
    ['a stream that is neither true nor false', '/v1/images/edits', formOf(['model', 'sandbox/chat'], ['stream', 'maybe']), {}, {}],
  ])('refuses %s', async (_what, path, body, headers, expected) => {
    const refusal = await send(path, body, headers);
    expect(refusal).toMatchObject(expected);
    expect(refusal.status).toBeLessThan(500);
  });

  it('goes on after callers who left in the middle of an upload', async () => {
    const { hostname, port } = new URL(harness.url);
    for (let left = 0; left < 5; left += 1) {
      const socket = connect(Number(port), hostname);
      const head = [`POST /v1/files HTTP/1.1`, `host: ${hostname}`, `authorization: Bearer ${harness.apiKey}`, 'content-length: 10000000'];
      const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
      socket.write(`${[...head, 'content-type: multipart/form-data; boundary=x'].join('\r\n')}\r\n\r\n${part}`);
      await new Promise<void>((resolve) => socket.write(Buffer.alloc(MIB), () => resolve()));
      socket.destroy();
    }
    const { bytes } = await client.files.create({ file: await toFile(PNG, 'a.png'), purpose: 'vision' });
    expect(bytes).toBe(PNG.length);
  });
}
