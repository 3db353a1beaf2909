import { randomUUID } from 'node:crypto';
import type { WatermarkStore } from '@weir/usage';

/** What every watermark store promises. `open` returns a new view of the same store, as another process has it. */
export function describeWatermarkStore(name: string, open: () => WatermarkStore): void {
  describe(`${name} as a watermark store`, () => {
    it('knows nothing of a writer that has published nothing', async () => {
      expect(await open().read(randomUUID())).toBeUndefined();
    });

    it('returns what was published, to every process', async () => {
      const [one, two] = [randomUUID(), randomUUID()];

      await open().publish(
        new Map([
          [one, 0n],
          [two, 17n],
        ]),
      );

      expect(await open().read(one)).toBe(0n);
      expect(await open().read(two)).toBe(17n);
    });

    it.each([
      [9n, 10n],
      [99_999n, 100_000n],
      [2n ** 53n, 2n ** 53n + 1n],
      [2n ** 63n - 2n, 2n ** 63n - 1n],
    ])('is only ever raised: %s and %s, in either order', async (lower, higher) => {
      const [rising, falling] = [randomUUID(), randomUUID()];

      await open().publish(
        new Map([
          [rising, lower],
          [falling, higher],
        ]),
      );
      await open().publish(
        new Map([
          [rising, higher],
          [falling, lower],
        ]),
      );

      expect(await open().read(rising)).toBe(higher);
      expect(await open().read(falling)).toBe(higher);
    });

    it('takes an empty report', async () => {
      await expect(open().publish(new Map())).resolves.toBeUndefined();
    });
  });
}
