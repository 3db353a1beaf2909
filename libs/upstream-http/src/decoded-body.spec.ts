import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { createCancellation } from './create-cancellation';
import { createUpstreamTransport } from './create-upstream-transport';
import { openDecodedBody } from './decoded-body';
import { readLimited } from './read-limited';
import type { UpstreamResponse } from './upstream-transport';

const TEXT = JSON.stringify({ words: 'wörds '.repeat(5000) });
const PLENTY = 1 << 30;
const ENCODED: readonly (readonly [encoding: string, bytes: Buffer])[] = [
  ['gzip', zlib.gzipSync(TEXT)],
  ['x-gzip', zlib.gzipSync(TEXT)],
  ['GZIP', zlib.gzipSync(TEXT)],
  ['deflate', zlib.deflateSync(TEXT)],
  ['deflate', zlib.deflateRawSync(TEXT)],
  ['br', zlib.brotliCompressSync(TEXT)],
  ['br, gzip', zlib.gzipSync(zlib.brotliCompressSync(TEXT))],
  ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(TEXT))],
  ['deflate, gzip', zlib.gzipSync(zlib.deflateRawSync(TEXT))],
  ['gzip, deflate', zlib.deflateSync(zlib.gzipSync(TEXT))],
  ['deflate, deflate', zlib.deflateSync(zlib.deflateRawSync(TEXT))],
  ['deflate, br, gzip', zlib.gzipSync(zlib.brotliCompressSync(zlib.deflateRawSync(TEXT)))],
  ['identity', Buffer.from(TEXT)],
  ...('zstdCompressSync' in zlib ? [['zstd', (zlib.zstdCompressSync as (text: string) => Buffer)(TEXT)] as const] : []),
];

const outer = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 8 });
const inner = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 8, isInner: true });
const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));
afterAll(() => Promise.all([outer.close(), inner.close()]));

async function ask(handler: RequestListener, { send } = outer): Promise<UpstreamResponse> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => (server.close(), server.closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return send({
    method: 'GET',
    url,
    headers: {},
    body: '',
    signal: createCancellation().signal,
    headersTimeoutMs: 5000,
    idleTimeoutMs: 5000,
  });
}

const answer =
  (encoding: string, bytes: Buffer): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'application/json' }).end(bytes);

it('asks providers for bytes as they are, and processes of our own for nothing', async () => {
  const asked: IncomingHttpHeaders['accept-encoding'][] = [];
  const note: RequestListener = (request, response) => (asked.push(request.headers['accept-encoding']), response.end());
  await readLimited((await ask(note)).body, PLENTY);
  await readLimited((await ask(note, inner)).body, PLENTY);

  expect(asked).toEqual(['identity', undefined]);
});

it.each(ENCODED)('decodes what comes all the same, whole: %s', async (encoding, bytes) => {
  const { headers, body } = await ask(answer(encoding, bytes));

  expect((await readLimited(body, PLENTY)).toString()).toBe(TEXT);
  expect([headers['content-type'], encoding === 'identity' ? undefined : headers['content-encoding']]).toEqual([
    'application/json',
    undefined,
  ]);
});

it('decodes byte by byte, and hands over each event when it has come', async () => {
  const gzip = zlib.createGzip();
  const { body } = await ask((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).flushHeaders();
    gzip.on('data', (chunk: Buffer) => chunk.forEach((_, at) => void response.write(chunk.subarray(at, at + 1))));
    gzip.on('end', () => response.end());
  });
  const reported: string[] = [];
  const next = (): Promise<void> => new Promise((resolve) => body.on('data', () => resolve()));
  body.on('data', (chunk) => reported.push(chunk.toString()));
  const ended = new Promise<void>((resolve) => body.on('end', resolve));
  gzip.write('data: 1\n\n');
  gzip.flush(zlib.constants.Z_SYNC_FLUSH);
  while (reported.join('').length < 'data: 1\n\n'.length) await next();
  expect(reported.join('')).toBe('data: 1\n\n');
  gzip.end('data: 2\n\n');
  await ended;

  expect(reported.join('')).toBe('data: 1\n\ndata: 2\n\n');
});

const flushed = (stream: zlib.Gzip | zlib.BrotliCompress, bytes: Buffer | string): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.write(bytes);
    stream.flush(() => setImmediate(() => resolve(Buffer.concat(chunks))));
  });

it.each([false, true])('hands over all that came before a failure, and then the failure (reader pauses: %s)', async (pauses) => {
  const text = `${'data: {"usage":1}\n\n'.repeat(20_000)}data: last\n\n`;
  for (const [encodings, bytes] of [
    [['gzip'], await flushed(zlib.createGzip(), text)],
    [['br', 'gzip'], await flushed(zlib.createGzip(), await flushed(zlib.createBrotliCompress(), text))],
  ] as const) {
    const { body, sink } = openDecodedBody(encodings, { pause: () => undefined, resume: () => undefined, abort: () => undefined });
    const read: Buffer[] = [];
    const failed = new Promise<unknown>((resolve) => body.on('error', resolve));
    body.on('data', (chunk: Buffer) => {
      read.push(chunk);
      if (!pauses) return;
      body.pause();
      setImmediate(() => body.resume());
    });
    sink.push(bytes);
    sink.fail(new Error('the connection was reset'));

    expect(await failed).toMatchObject({ message: 'the connection was reset' });
    expect(Buffer.concat(read).toString()).toBe(text);
  }
});

it('lets its reader pause, and loses nothing', async () => {
  const large = Buffer.alloc(3_000_000, 'abcdefghij');
  const { body } = await ask(answer('gzip', zlib.gzipSync(large)));
  let length = 0;
  await new Promise<void>((resolve) => {
    body.on('data', (chunk) => {
      length += chunk.length;
      body.pause();
      setImmediate(() => body.resume());
    });
    body.on('end', resolve);
  });

  expect(length).toBe(large.length);
});

it.each([
  ['an encoding no one knows', 'rot13', Buffer.from('x')],
  ['too many of them', 'gzip, gzip, gzip, gzip', Buffer.from('x')],
  ['bytes that are something else', 'gzip', Buffer.from('{"plain":true}')],
  ['a body that was cut', 'gzip', zlib.gzipSync(TEXT).subarray(0, 40)],
  ['a body that grows beyond measure', 'gzip', zlib.gzipSync(Buffer.alloc(100 * 1024 * 1024))],
])('fails as unreadable for %s', async (_, encoding, bytes) => {
  const { body } = await ask(answer(encoding, bytes));
  const error = await new Promise<unknown>((resolve) => {
    body.on('data', () => undefined);
    body.on('error', resolve);
    body.on('end', () => resolve('ended'));
  });

  expect(error).toMatchObject({ code: 'provider_unreadable' });
});

it('distinguishes a whole reply that cannot be decoded from one that was cut', async () => {
  const { body } = await ask(answer('gzip', Buffer.from('{"plain":true}')));

  await expect(readLimited(body, PLENTY)).rejects.toMatchObject({ code: 'provider_unreadable' });
});

it('counts what is decoded against the bound of its reader, and takes an empty body for empty', async () => {
  const { body } = await ask(answer('gzip', zlib.gzipSync(Buffer.alloc(5_000_000))));
  await expect(readLimited(body, 1_000_000)).rejects.toMatchObject({ code: 'provider_unreadable' });

  expect(await readLimited((await ask(answer('gzip', Buffer.alloc(0)))).body, 10)).toHaveLength(0);
});
