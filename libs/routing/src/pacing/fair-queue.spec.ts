import { seededRandom } from '../__fixtures__/seeded-random';
import { FairQueue, type FairShare } from './fair-queue';

const shareOf = (organizationId: string, more: Partial<FairShare> = {}): FairShare => ({
  organizationId,
  organizationShare: 1,
  priority: 'normal',
  apiKeyId: 'key',
  keyShare: 1,
  ...more,
});

function takeNames(queue: FairQueue<string>, count: number): string[] {
  return Array.from({ length: count }, () => queue.take() ?? 'none');
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

describe('a fair queue', () => {
  it('serves organizations by their shares, however many requests one of them sends', () => {
    const queue = new FairQueue<string>();
    const random = seededRandom(7);
    const waiting = { one: 0, two: 0, four: 0 };
    const shares = { one: 1, two: 2, four: 4 };
    const served: string[] = [];
    // The first floods with a hundred times as many; the others always have a few.
    const refill = (): void => {
      for (const name of ['one', 'two', 'four'] as const) {
        const wanted = name === 'one' ? 800 : 2 + Math.floor(random() * 6);
        for (; waiting[name] < wanted; waiting[name] += 1) queue.add(shareOf(name, { organizationShare: shares[name] }), name, false);
      }
    };
    for (let turn = 0; turn < 7_000; turn += 1) {
      refill();
      const name = queue.take() as keyof typeof waiting;
      waiting[name] -= 1;
      served.push(name);
    }
    const counts = countEach(served);
    for (const name of ['one', 'two', 'four'] as const) {
      expect(Math.abs((counts[name] ?? 0) / 1000 / shares[name] - 1)).toBeLessThan(0.05);
    }
    // None waits for long: within any fifteen turns each had one.
    for (let at = 0; at + 15 <= served.length; at += 1) expect(new Set(served.slice(at, at + 15)).size).toBe(3);
  });

  it('does not serve one that comes back at once before others', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 100; count += 1) queue.add(shareOf('flood'), 'flood', false);
    const served: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      if (!served.includes('single') || served.at(-1) === 'single') queue.add(shareOf('single'), 'single', false);
      served.push(queue.take() ?? 'none');
    }
    expect(countEach(served)['single']).toBeLessThanOrEqual(20);
    expect(countEach(served)['single']).toBeGreaterThanOrEqual(19);
  });

  it('serves classes of an organization 16 to 4 to 1, and takes nothing from another organization', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 400; count += 1) {
      for (const priority of ['low', 'normal', 'high'] as const) queue.add(shareOf('a', { priority }), `a ${priority}`, false);
      queue.add(shareOf('b', { priority: 'low' }), 'b', false);
    }
    expect(countEach(takeNames(queue, 420))).toEqual({ 'a high': 160, 'a normal': 40, 'a low': 10, b: 210 });
  });

  it('serves keys of an organization by their shares, and each in the order of its requests', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 100; count += 1) {
      queue.add(shareOf('a', { apiKeyId: 'big', keyShare: 3 }), `big ${count}`, false);
      queue.add(shareOf('a', { apiKeyId: 'small' }), `small ${count}`, false);
    }
    const served = takeNames(queue, 40);
    expect(served.filter((name) => name.startsWith('big'))).toEqual(Array.from({ length: 30 }, (_, at) => `big ${at}`));
    expect(served.filter((name) => name.startsWith('small'))).toEqual(Array.from({ length: 10 }, (_, at) => `small ${at}`));
  });

  it('puts one that was refused before the others of its key', () => {
    const queue = new FairQueue<string>();
    queue.add(shareOf('a'), 'first', false);
    queue.add(shareOf('a'), 'again', true);
    expect(takeNames(queue, 3)).toEqual(['again', 'first', 'none']);
  });

  it('forgets those that leave', () => {
    const queue = new FairQueue<string>();
    const waiters = ['a', 'b', 'c'].map((name) => queue.add(shareOf(name), name, false));
    const more = queue.add(shareOf('b'), 'b too', false);
    queue.remove(waiters[1]!);
    queue.remove(waiters[1]!);
    queue.remove(more);
    expect(queue.size).toBe(2);
    expect([...queue].map(({ item }) => item)).toEqual(['a', 'c']);
    expect(takeNames(queue, 3)).toEqual(['a', 'c', 'none']);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed + 1))('loses no one and serves no one twice (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const queue = new FairQueue<number>();
    const waiters = new Map<number, ReturnType<typeof queue.add>>();
    const add = (step: number): void => {
      const priority = (['low', 'normal', 'high'] as const)[Math.floor(random() * 3)] ?? 'low';
      const share = shareOf(`o${Math.floor(random() * 400)}`, { priority, apiKeyId: `k${Math.floor(random() * 3)}` });
      waiters.set(step, queue.add(share, step, random() < 0.1));
    };
    const leave = (): void => {
      const leaving = [...waiters][Math.floor(random() * waiters.size)];
      if (leaving === undefined) return;
      queue.remove(leaving[1]);
      waiters.delete(leaving[0]);
    };
    const take = (): void => {
      const hasAny = waiters.size > 0;
      const taken = queue.take();
      expect(taken === undefined ? hasAny : !waiters.delete(taken)).toBe(false);
    };
    for (let step = 0; step < 1_000; step += 1) {
      const drawn = random();
      if (drawn < 0.5) add(step);
      else if (drawn < 0.7) leave();
      else take();
      expect(queue.size).toBe(waiters.size);
    }
    while (queue.size > 0) take();
    expect(waiters.size).toBe(0);
  });

  it('lets in those that have less, at the cost of the last of those that have most', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 5; count += 1) queue.add(shareOf('flood'), `flood ${count}`, false);
    queue.add(shareOf('some'), 'some', false);
    expect(queue.findDisplaced(shareOf('new'))?.item).toBe('flood 4');
    expect(queue.findDisplaced(shareOf('flood'))).toBeUndefined();
    expect(queue.findDisplaced(shareOf('flood', { priority: 'high' }))?.item).toBe('flood 4');
    expect(queue.findDisplaced(shareOf('flood', { priority: 'low' }))).toBeUndefined();
    expect(queue.findDisplaced(shareOf('flood', { apiKeyId: 'other' }))?.item).toBe('flood 4');
    expect(queue.findDisplaced(shareOf('some', { organizationShare: 1 }))?.item).toBe('flood 4');
  });
});
