import { stackSeries } from './stack-series';

describe('stacked series', () => {
  it('stand on those before them', () => {
    expect(
      stackSeries([
        [1, 2],
        [0, 3],
        [4, 0],
      ]),
    ).toEqual([
      [1, 2],
      [1, 5],
      [5, 5],
    ]);
  });

  it('of nothing are none', () => {
    expect(stackSeries([])).toEqual([]);
  });
});
