import { createDrainLimit } from './drain-limit';

describe('C2: the limit of drains', () => {
  it('gives so many places and no more, and gives a place that was left to the next', () => {
    const limit = createDrainLimit({ drainsMax: 2 });
    const [first] = [limit.enter(), limit.enter()];
    expect(limit.enter()).toBeUndefined();
    first?.leave();
    first?.leave();
    expect(limit.enter()).toBeDefined();
    expect(limit.enter()).toBeUndefined();
  });

  it('counts the bytes of all drains together, and forgets those of the ones that are over', () => {
    const limit = createDrainLimit({ bytesMax: 100 });
    const [a, b] = [limit.enter(), limit.enter()];
    expect([a?.count(60), b?.count(40), b?.count(1)]).toEqual([true, true, false]);
    expect(limit.enter()).toBeUndefined();
    a?.leave();
    expect(a?.count(1_000)).toBe(true);
    expect(limit.enter()?.count(59)).toBe(true);
  });
});
