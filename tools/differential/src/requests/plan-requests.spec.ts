import { planRequests } from './plan-requests';
import type { Kind } from './request';

const kind = (id: string, more: Partial<Kind> = {}): Kind => ({ id, make: ({ mark }) => [{ key: 'plain', path: `/${mark}` }], ...more });

describe('the plan of a run', () => {
  const kinds = [kind('a', { isIndependent: true }), kind('b'), kind('c', { most: 1 })];

  it('follows from the seed alone', () => {
    const plan = (seed: number): string[] => planRequests(kinds, { count: 40, seed }).map(({ id, mark }) => `${id} ${mark}`);

    expect(plan(1)).toEqual(plan(1));
    expect(plan(1)).not.toEqual(plan(2));
  });

  it('has every kind, none more often than it may come, and so many requests', () => {
    const groups = planRequests(kinds, { count: 40, seed: 3 });

    expect(new Set(groups.map((group) => group.kind))).toEqual(new Set(['a', 'b', 'c']));
    expect(groups.filter((group) => group.kind === 'c')).toHaveLength(1);
    expect(groups).toHaveLength(40);
    expect(new Set(groups.map(({ mark }) => mark)).size).toBe(40);
  });

  it('sends several at a time only of independent kinds, and last', () => {
    const groups = planRequests(kinds, { count: 60, seed: 5 });
    const first = groups.findIndex(({ isConcurrent }) => isConcurrent);

    expect(first).toBeGreaterThan(0);
    expect(groups.slice(first).every((group) => group.isConcurrent && group.kind === 'a')).toBe(true);
  });

  it('ends when nothing may be drawn any more', () => {
    expect(planRequests([kind('c', { most: 2 })], { count: 10, seed: 1 })).toHaveLength(2);
  });
});
