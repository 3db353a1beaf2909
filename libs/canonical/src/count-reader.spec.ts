import fc from 'fast-check';
import { createCountReader, readReportedCount } from './count-reader';

const MOST = 2 ** 40;

describe('a count that a provider reported', () => {
  it.each<[unknown, number, boolean]>([
    [12, 12, false],
    [12.9, 13, false],
    [0.4, 1, false],
    ['0.4', 0, true],
    ['7', 7, false],
    [undefined, 0, false],
    [null, 0, false],
    [-4, 0, true],
    [Number.NaN, 0, true],
    ['many', 0, true],
    ['-7', 0, true],
    [true, 0, true],
    [{}, 0, true],
    [1e300, MOST, false],
    [Number.POSITIVE_INFINITY, MOST, false],
  ])('%p reads as %i; doubted: %p', (value, count, isDoubtful) => {
    const reader = createCountReader();
    expect([reader.count(value), reader.doubt()]).toEqual([count, isDoubtful ? { isDoubtful: true } : {}]);
  });

  it('is never more than its whole, and reads as 0 when the reported part is larger than the whole', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(), (value, whole) => {
        const reader = createCountReader();
        const part = reader.part(value, whole);
        expect(Number.isSafeInteger(part) && part >= 0 && part <= whole).toBe(true);
        if (typeof value === 'number' && value > whole + 1) expect([part, reader.doubt()]).toEqual([0, { isDoubtful: true }]);
      }),
      {
        examples: [
          [11, 10],
          [10, 10],
          [Infinity, 3],
          ['11', 10],
        ] as [unknown, number][],
      },
    );
  });

  it.each<[value: unknown, total: unknown, others: number, count: number, isDoubtful: boolean]>([
    [7, 100, 3, 7, false],
    [0, 100, 3, 0, false],
    [undefined, 12, 5, 7, false],
    [null, '12', 5, 7, false],
    [undefined, 5, 5, 0, true],
    [undefined, undefined, 5, 0, true],
    [undefined, 'many', 0, 0, true],
    [-1, 12, 5, 0, true],
  ])('that every usage has: %p of a total of %p beside %p reads as %p; doubted: %p', (value, total, others, count, isDoubtful) => {
    const reader = createCountReader();
    expect([reader.needed(value, total, others), reader.doubt()]).toEqual([count, isDoubtful ? { isDoubtful: true } : {}]);
  });

  it('that stands alone is what no one believes where it cannot be', () => {
    expect([null, undefined, 3, '4', -1, 'x', Number.NaN].map(readReportedCount)).toEqual([null, null, 3, 4, MOST, MOST, MOST]);
  });
});
