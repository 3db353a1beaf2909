import { createLineBudget } from './line-budget';

describe('a budget of lines', () => {
  it('lets so many a second through, and returns with the next how many it kept back', () => {
    let nowMs = 5000;
    const budget = createLineBudget(2, () => nowMs);
    expect([1, 2, 3, 4, 5].map(() => budget.take())).toEqual([0, 0, null, null, null]);
    nowMs += 999;
    expect(budget.take()).toBeNull();
    nowMs += 1;
    expect([budget.take(), budget.take(), budget.take()]).toEqual([4, 0, null]);
  });
});
