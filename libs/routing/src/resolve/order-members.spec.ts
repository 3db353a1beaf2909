import { seededRandom } from '../__fixtures__/seeded-random';
import { EXPLORATION_SHARE, orderMembers, type MeasuredLatency, type OrderFacts } from './order-members';

type One = { readonly id: string; readonly weight: number };

const members: One[] = [
  { id: 'a', weight: 3 },
  { id: 'b', weight: 1 },
  { id: 'c', weight: 1 },
];

function facts(more: Partial<OrderFacts<One>> = {}): OrderFacts<One> {
  return { sticky: null, random: seededRandom(7), priceOf: () => 0n, latencyOf: () => ({ meanMs: 0, samples: 0 }), ...more };
}

function countFirst(strategy: 'weighted' | 'latency', given: (index: number) => OrderFacts<One>, times = 20_000): Record<string, number> {
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let index = 0; index < times; index += 1) {
    const first = orderMembers(strategy, members, given(index)).members[0]?.id ?? '';
    counts[first] = (counts[first] ?? 0) + 1 / times;
  }
  return counts;
}

const ids = (strategy: Parameters<typeof orderMembers>[0], given: OrderFacts<One>) =>
  orderMembers(strategy, members, given)
    .members.map(({ id }) => id)
    .join('');

describe('the order of a policy', () => {
  it('is as written for fallback, and cheapest first for price, equals as written', () => {
    expect(ids('fallback', facts())).toBe('abc');
    expect(ids('price', facts({ priceOf: ({ id }) => (id === 'c' ? 1n : 2n) }))).toBe('cab');
  });

  it('follows weights by chance, and gives every member a place', () => {
    const random = seededRandom(1);
    const share = countFirst('weighted', () => facts({ random }));
    expect(share['a']).toBeCloseTo(0.6, 1);
    expect(share['b']).toBeCloseTo(0.2, 1);
    expect(ids('weighted', facts()).split('').sort().join('')).toBe('abc');
  });

  it('is the same for the same caller, and by weight over all callers', () => {
    const share = countFirst('weighted', (index) => facts({ sticky: `user-${index}`, random: () => NaN }));
    expect(share['a']).toBeCloseTo(0.6, 1);
    for (const sticky of ['u1', 'u2', 'u3']) expect(ids('weighted', facts({ sticky }))).toBe(ids('weighted', facts({ sticky })));
    expect(orderMembers('weighted', members, facts({ sticky: 'u' })).reason).toBe('sticky');
  });

  it('moves only the share of a member whose weight changes', () => {
    const heavier = members.map((member) => (member.id === 'b' ? { ...member, weight: 2 } : member));
    const firstOf = (from: One[], sticky: string) => orderMembers('weighted', from, facts({ sticky })).members[0]?.id;
    for (let index = 0; index < 2000; index += 1) {
      const [before, after] = [firstOf(members, `u${index}`), firstOf(heavier, `u${index}`)];
      if (before !== after) expect(after).toBe('b');
    }
  });
});

describe('a latency policy', () => {
  const known: Record<string, MeasuredLatency> = {
    a: { meanMs: 300, samples: 50 },
    b: { meanMs: 100, samples: 40 },
    c: { meanMs: 200, samples: 30 },
  };

  it('asks the fastest, and now and then the least known', () => {
    const random = seededRandom(3);
    const share = countFirst('latency', () => facts({ random, latencyOf: ({ id }) => known[id] as MeasuredLatency }));
    expect(share['b']).toBeCloseTo(1 - EXPLORATION_SHARE, 2);
    expect(share['c']).toBeCloseTo(EXPLORATION_SHARE, 2);
    expect(ids('latency', facts({ random: () => 0.5, latencyOf: ({ id }) => known[id] as MeasuredLatency }))).toBe('bca');
  });

  it('spreads by chance while nothing is known', () => {
    const random = seededRandom(5);
    const share = countFirst('latency', () => facts({ random }));
    for (const id of ['a', 'b', 'c']) expect(share[id]).toBeCloseTo(1 / 3, 1);
  });
});
