import { request as httpRequest } from 'node:http';
import { CONTENT_TYPE, END, fileHead, pngOf } from './__fixtures__/multipart';
import { startReceiver, type ReceiverHouse, type SeenForm } from './__fixtures__/start-receiver';

const MIB = 1024 ** 2;

describe('receiving many forms at a time', () => {
  let house: ReceiverHouse;
  afterAll(() => house.stop());

  it('H3: receives 20 forms of 25 MiB at a time without holding them in memory', async () => {
    house = await startReceiver();
    const piece = pngOf(MIB);
    const upload = (): Promise<SeenForm> =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(
          { port: house.port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': CONTENT_TYPE } },
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
          for (; left > 0; left -= 1) if (!sent.write(piece)) break;
          if (left === 0) sent.end(END);
          else {
            left -= 1;
            sent.once('drain', pump);
          }
        };
        pump();
      });
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    const startedAt = performance.now();
    const seen = await Promise.all(Array.from({ length: 20 }, upload));
    clearInterval(watch);
    expect(seen.map(({ files }) => files[0]?.size)).toEqual(Array.from({ length: 20 }, () => 25 * MIB));
    expect(new Set(seen.map(({ files }) => files[0]?.sha256)).size).toBe(1);
    // All bytes together are 500 MiB. Sender and receiver are one process, whose memory also has what is not collected yet:
    // 60 to 120 MiB, so half of the bytes is a bound that only holding them breaks.
    expect(most - before).toBeLessThan(250 * MIB);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(house.listLeft()).toEqual([]);
    expect(house.receiver.usedBytes()).toBe(0);
  }, 60_000);
});
