import { differenceOf, ratioOf, slopeOf, spreadOf } from './arithmetic';

describe('spreadOf', () => {
  it.each([
    [[3, 1, 2], { median: 2, least: 1, most: 3 }],
    [[4, 1, 2, 3], { median: 2.5, least: 1, most: 4 }],
    [[7], { median: 7, least: 7, most: 7 }],
  ])('of %j is %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });

  it('is nothing of nothing', () => {
    expect(spreadOf([])).toBeNull();
  });
});

describe('ratioOf', () => {
  it('is how many times the base a value is', () => {
    expect(ratioOf(6, 4)).toBe(1.5);
  });

  it.each([
    [null, 1],
    [1, null],
    [1, 0],
  ])('is nothing of %j to %j', (value, base) => {
    expect(ratioOf(value, base)).toBeNull();
  });
});

describe('slopeOf', () => {
  it('leaves out what every request costs anyway', () => {
    expect(slopeOf(1_000 + 50 * 3, 1_000 + 250 * 3, 200)).toBe(3);
    expect(slopeOf(null, 1, 200)).toBeNull();
  });
});

describe('differenceOf', () => {
  it('needs both', () => {
    expect([differenceOf(3, 1), differenceOf(null, 1), differenceOf(3, null)]).toEqual([2, null, null]);
  });
});
