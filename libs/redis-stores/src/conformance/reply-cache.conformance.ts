import { randomBytes, randomUUID } from 'node:crypto';
import type { ReplyCache } from '@weir/access';

/** What every reply cache promises. `open` returns an empty cache that holds so many bytes, and waits for so many milliseconds. */
export function describeReplyCache(
  name: string,
  open: (bytesMax: number) => Promise<{ cache: ReplyCache; pass(ms: number): Promise<void> }>,
): void {
  describe(`${name} as a reply cache`, () => {
    it('returns what was kept, byte for byte, and nothing else', async () => {
      const { cache } = await open(1000);
      const [mine, sealed] = [randomUUID(), randomBytes(300)];

      expect(await cache.find(mine)).toBeUndefined();
      await cache.keep(mine, sealed, 60_000);

      expect(Buffer.from((await cache.find(mine)) ?? [])).toEqual(sealed);
      await cache.keep(mine, Buffer.from('another'), 60_000);
      expect(Buffer.from((await cache.find(mine)) ?? []).toString()).toBe('another');
      expect(await cache.find(randomUUID())).toBeUndefined();
    });

    it('forgets what is out of time', async () => {
      const { cache, pass } = await open(1000);
      await cache.keep('short', Buffer.from('soon gone'), 40);
      await cache.keep('long', Buffer.from('stays'), 60_000);
      await pass(60);

      expect(await cache.find('short')).toBeUndefined();
      expect(await cache.find('long')).toBeDefined();
    });

    it('never holds more than its bound: older ones are removed, and one that is too large is not kept', async () => {
      const { cache } = await open(1000);
      for (let index = 0; index < 5; index += 1) await cache.keep(`reply ${index}`, randomBytes(300), 60_000 + index);
      await cache.keep('giant', randomBytes(1001), 60_000);

      const found = await Promise.all(Array.from({ length: 5 }, (_, index) => cache.find(`reply ${index}`)));
      expect(found.map((reply) => reply?.length)).toEqual([undefined, undefined, 300, 300, 300]);
      expect(await cache.find('giant')).toBeUndefined();
      // One that takes the place of its earlier self does not count twice.
      await cache.keep('reply 4', randomBytes(400), 60_000);
      expect(await cache.find('reply 3')).toBeDefined();
    });
  });
}
