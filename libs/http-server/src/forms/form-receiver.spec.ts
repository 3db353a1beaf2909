import { createHash } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { BOUNDARY, END, fieldPart, fileHead, pngOf } from './__fixtures__/multipart';
import { startReceiver, type ReceiverHarness } from './__fixtures__/start-receiver';
import { createFormReceiver } from './create-form-receiver';

const MIB = 1024 ** 2;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const form = (...parts: (string | Buffer)[]): Buffer => Buffer.concat([...parts, END].map((part) => Buffer.from(part)));

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
  });
}

let harness: ReceiverHarness;
async function open(options?: Parameters<typeof startReceiver>[0]): Promise<void> {
  harness = await startReceiver(options);
}
afterEach(async () => {
  await harness.stop();
});

/** Whatever became of a form: nothing on disk, nothing taken of the quota. */
async function expectNothingLeft(requests: number): Promise<void> {
  await harness.whenDone(requests);
  await new Promise(setImmediate);
  expect(harness.listLeft()).toEqual([]);
  expect(harness.receiver.usedBytes()).toBe(0);
}

describe('receiving a form', () => {
  it('keeps fields in order and as named, and files whole; types come from their bytes and not from their names', async () => {
    await open();
    const [first, second] = [pngOf(300_000), Buffer.from('OggS and more')];
    const { status, json } = await harness.post(
      form(
        fieldPart('timestamp_granularities[]', 'word'),
        fileHead('image[]', 'größe.jpg'),
        first,
        fieldPart('timestamp_granularities[]', 'segment'),
        fieldPart('__proto__', '{"a":1}'),
        fileHead('image[1]', '../../etc/passwd'),
        second,
        fileHead('mask', 'empty.png'),
        fieldPart('prompt', 'zwei\r\nZeilen ✓'),
      ),
    );
    expect(status).toBe(200);
    expect(json.fields).toEqual([
      { name: 'timestamp_granularities[]', value: 'word' },
      { name: 'timestamp_granularities[]', value: 'segment' },
      { name: '__proto__', value: '{"a":1}' },
      { name: 'prompt', value: 'zwei\r\nZeilen ✓' },
    ]);
    expect(json.files).toEqual([
      { field: 'image[]', name: 'größe.jpg', type: 'image/png', size: 300_000, sha256: sha256(first) },
      { field: 'image[1]', name: 'passwd', type: 'audio/ogg', size: second.length, sha256: sha256(second) },
      { field: 'mask', name: 'empty.png', type: 'application/octet-stream', size: 0, sha256: sha256(Buffer.alloc(0)) },
    ]);
    await expectNothingLeft(1);
  });

  it('never shows a file in its directory while the request runs', async () => {
    await open();
    const socket = harness.open({ 'transfer-encoding': 'chunked' });
    const body = Buffer.concat([Buffer.from(fileHead('image', 'a.png')), pngOf(MIB)]);
    await new Promise<void>((resolve) => socket.write(`${body.length.toString(16)}\r\n`, () => resolve()));
    await new Promise<void>((resolve) => socket.write(body, () => resolve()));
    while (harness.receiver.usedBytes() < MIB - 1024) await new Promise(setImmediate);
    expect(harness.listLeft()).toEqual([]);
    socket.destroy();
    await expectNothingLeft(1);
    expect(harness.refusals[0]).toMatchObject({ code: 'invalid_request' });
  });

  test.each([
    ['a body without its closing boundary', Buffer.from(`${fileHead('image', 'a.png')}cut`), 'closing boundary'],
    ['a part with a malformed header', form(`\r\n--${BOUNDARY}\r\nbad header\r\n\r\nx`), 'malformed header'],
    ['a field without a name', form(`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data\r\n\r\nx`), 'name'],
    [
      'a file that is not named',
      form(`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="image"\r\ncontent-type: application/octet-stream\r\n\r\nx`),
      'name of its file',
    ],
    ['a file in a field that takes none', form(fileHead('prompt', 'a.png'), 'x'), 'takes no file'],
    ['two masks', form(fileHead('mask', 'a.png'), 'x', fileHead('mask', 'b.png'), 'y'), 'at most 1 file'],
    ['a name for a prototype', form(fileHead('constructor', 'a.png'), 'x'), 'takes no file'],
    ['too many fields', form(...Array.from({ length: 201 }, (_, index) => fieldPart(`f${index}`, 'x'))), 'Too many'],
    ['a name that is too long', form(fieldPart('n'.repeat(201), 'x')), 'at most 200 characters'],
  ])('refuses %s with 400', async (_, body, why) => {
    await open();
    const { status, text } = await harness.post(body);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
    await expectNothingLeft(1);
  });

  it('refuses the seventeenth image before its bytes have come', async () => {
    await open();
    const parts = Array.from({ length: 17 }, (_, index) => [fileHead('image[]', `${index}.png`), 'x']).flat();
    const body = form(...parts);
    const socket = harness.open({ 'content-length': String(100 * MIB) });
    socket.write(body);
    const reply = await readAll(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 400 [\s\S]*image\[\] takes at most 16 files/);
    await expectNothingLeft(1);
  });

  it('refuses a body that says or proves to be too large with 413, at once, and the caller sees it', async () => {
    await open({ fileBytesMax: MIB });
    const declared = harness.open({ 'content-length': String(25 * MIB) });
    const refused = await readAll(declared);
    expect(refused).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close\r\n[\s\S]*content-length: 0\r\n[\s\S]*\r\n\r\n$/i);
    expect(refused).not.toMatch(/content-type/i);

    const big = Buffer.concat([Buffer.from(fileHead('image', 'a.png')), pngOf(8 * MIB)]);
    expect(await harness.post(big)).toMatchObject({ status: 413, text: '' });

    const endless = harness.open({ 'transfer-encoding': 'chunked' });
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    const head = fieldPart('prompt', '');
    endless.write(`${head.length.toString(16)}\r\n${head}\r\n`);
    const pump = (): void => {
      while (!endless.destroyed && endless.write(chunk));
      if (!endless.destroyed) endless.once('drain', pump);
    };
    pump();
    expect(await readAll(endless)).toMatch(/^HTTP\/1\.1 413 /);
    await expectNothingLeft(3);
  });

  it('takes a body shorter than it said for cut off, and what comes beyond it for no part of it', async () => {
    await open();
    const body = form(fileHead('image', 'a.png'), pngOf(5000));
    const short = harness.open({ 'content-length': String(body.length + 1000) });
    short.end(body);
    expect(await readAll(short)).not.toContain(' 200 ');
    const cut = harness.open({ 'content-length': String(body.length - 3000) });
    cut.write(body);
    expect(await readAll(cut)).toMatch(/^HTTP\/1\.1 400 /);
    await expectNothingLeft(2);
    expect(harness.refusals.map(({ message }) => message)).toEqual([
      expect.stringContaining('closed before it was complete'),
      expect.stringContaining('closing boundary'),
    ]);
  });

  it('refuses with 503 what does not fit beside the uploads of others', async () => {
    await open({ diskBytesMax: 3 * MIB });
    const first = harness.open({ 'content-length': String(2 * MIB) });
    while (harness.receiver.usedBytes() === 0) await new Promise(setImmediate);
    expect((await harness.post(form(fileHead('image', 'a.png'), pngOf(2 * MIB)))).status).toBe(503);
    first.destroy();
    await expectNothingLeft(2);
    expect((await harness.post(form(fileHead('image', 'a.png'), pngOf(2 * MIB)))).status).toBe(200);
    await expectNothingLeft(3);
  });

  it('removes what a killed process left, and nothing else', () => {
    const directory = makeTestFolder('left');
    for (const name of ['old.upload', 'new.upload', 'old.txt']) writeFileSync(join(directory, name), 'x');
    for (const name of ['old.upload', 'old.txt']) utimesSync(join(directory, name), 1, 1);
    createFormReceiver({ directory, fileBytesMax: 1, diskBytesMax: 1 });
    expect(readdirSync(directory).sort()).toEqual(['new.upload', 'old.txt']);
  });
});
