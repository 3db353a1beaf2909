import { waitUntil } from '@weir/testing';
import { request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CONTENT_TYPE, END, fileHead, pngOf } from './__fixtures__/multipart';
import { startReceiver, type ReceiverHarness, type SeenForm } from './__fixtures__/start-receiver';

const MIB = 1024 ** 2;
const FORMS = 20;

type Upload = { readonly seen: Promise<SeenForm>; end(): void };

/** Bytes that something still refers to: what only waits to be collected says how busy the machine is. */
function readHeldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

describe('receiving many forms at a time', () => {
  let harness: ReceiverHarness;
  afterAll(() => harness.stop());

  /** Sends a form but for its end. */
  function startUpload(piece: Buffer): Upload {
    let end = (): void => undefined;
    const seen = new Promise<SeenForm>((resolve, reject) => {
      const sent = httpRequest(
        { port: harness.port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': CONTENT_TYPE } },
        (reply) => {
          let text = '';
          reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
          reply.on('end', () => resolve(JSON.parse(text) as SeenForm));
        },
      );
      sent.on('error', reject);
      sent.write(fileHead('image', 'a.png'));
      let left = 25;
      const pump = (): void => {
        while (left > 0) {
          left -= 1;
          if (!sent.write(piece)) {
            sent.once('drain', pump);
            return;
          }
        }
      };
      pump();
      end = () => sent.end(END);
    });
    return { seen, end };
  }

  it('H3: receives 20 forms of 25 MiB at a time without holding them in memory', async () => {
    harness = await startReceiver();
    const piece = pngOf(MIB);
    const before = readHeldBytes();
    const uploads = Array.from({ length: FORMS }, () => startUpload(piece));

    const all = Promise.all(uploads.map(({ seen }) => seen));
    all.catch(() => undefined); // reported below, unless something else fails before

    // All 500 MiB have come, but for what could be the beginning of an end, and no form is over.
    const haveCome = (): boolean => harness.receiver.usedBytes() > FORMS * (25 * MIB - 256 * 1024);
    await waitUntil('all files have come', haveCome, 60_000);
    expect(readHeldBytes() - before).toBeLessThan(100 * MIB);

    for (const { end } of uploads) end();
    const seen = await all;
    expect(seen.map(({ files }) => files[0]?.size)).toEqual(Array.from({ length: FORMS }, () => 25 * MIB));
    expect(new Set(seen.map(({ files }) => files[0]?.sha256)).size).toBe(1);
    expect(harness.listLeft()).toEqual([]);
    expect(harness.receiver.usedBytes()).toBe(0);
  }, 120_000);
});
