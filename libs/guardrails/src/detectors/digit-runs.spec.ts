import fc from 'fast-check';
import { createDigitRunFinder, endOf, gapAfter, lengthOf, startOf } from './digit-runs';

const texts = fc.string({ unit: fc.constantFrom('0', '7', '42', 'a', ' ', 'é', '٣', 'a longer piece without any '), maxLength: 400 });

describe('createDigitRunFinder', () => {
  const findRuns = createDigitRunFinder();

  it('finds what a pattern finds, whatever it found before', () => {
    fc.assert(
      fc.property(texts, fc.nat(400), (text, place) => {
        const from = Math.min(place, text.length);
        const expected = [...text.matchAll(/(?<!\d)\d+/g)]
          .filter(({ index }) => index >= from)
          .map((found) => [found.index, found[0].length]);
        const runs = findRuns(text, from);
        expect(Array.from({ length: runs.count }, (_, index) => [startOf(runs, index), lengthOf(runs, index)])).toEqual(expected);
      }),
    );
  });

  it('puts nothing near behind the last run', () => {
    findRuns('1 22 333 4444 55555', 0);
    const runs = findRuns('a 12 b', 0);
    expect([runs.count, startOf(runs, 0), endOf(runs, 0)]).toEqual([1, 2, 4]);
    expect(gapAfter(runs, 0)).toBeGreaterThan(1_000_000);
    expect([1, 2, 3].map((index) => lengthOf(runs, index))).toEqual([0, 0, 0]);
  });

  it('finds any number of runs', () => {
    const runs = findRuns('1 '.repeat(10_000), 0);
    expect([runs.count, startOf(runs, 9_999)]).toEqual([10_000, 19_998]);
  });
});
