import { createConcurrencyLimit, type ConcurrencyLimit, type Traffic } from './learn-concurrency';
import type { LoadReading } from './regulate-backlog';

const READING: LoadReading = { elapsedMs: 250, tickMs: 90, utilization: 1, heapUsed: 0.3 };
const FULL: LoadReading = { ...READING, tickMs: 180 };
/** Each request lasts four seconds. */
const lasting = (inFlight: number): Traffic => ({ inFlight, ended: inFlight / 16 });

describe('how many requests a process bears', () => {
  let limit: ConcurrencyLimit;
  beforeEach(() => {
    limit = createConcurrencyLimit({ heapUsedMax: 0.85, inFlightMax: 2000, priorities: 4 });
  });
  /** Requests under way at which the most important work begins to be refused. */
  const read = (): number => {
    let inFlight = 0;
    while (limit.pressure(inFlight) <= 3) inFlight += 1;
    return inFlight - 1;
  };
  const begin = (inFlight: number): void => limit.look(FULL, lasting(inFlight), true);

  it('is not known until there is too much to do', () => {
    limit.look(FULL, lasting(1000), false);
    expect([limit.pressure(1_000_000), limit.isHolding()]).toEqual([0, false]);
    begin(1000);
    expect([read(), limit.isHolding()]).toEqual([1000, true]);
  });

  it('refuses by priority: all but the highest well before the limit, every request only beyond it, of those with little last', () => {
    begin(1000);
    expect([700, 767, 834, 900, 1000].map((inFlight) => Math.round(limit.pressure(inFlight) * 10) / 10)).toEqual([0, 1, 2, 3, 3]);
    expect([1050, 1100, 1500, 1750, 5000].map(limit.pressure)).toEqual([expect.closeTo(3.5), 4, 4, expect.closeTo(4.5), 5]);
  });

  it('falls while turns are too long, by how long they are, and waits until those who are too many are gone', () => {
    begin(1000);
    limit.look({ ...FULL, tickMs: 135 }, lasting(1000), true);
    expect(read()).toBe(975);
    limit.look({ ...FULL, tickMs: 2000 }, lasting(1100), true);
    expect(read()).toBe(975);
    limit.look({ ...FULL, tickMs: 2000 }, lasting(1000), true);
    expect(read()).toBe(768);
    limit.look(FULL, lasting(450), true);
    expect(read()).toBe(475);
    limit.look({ ...FULL, elapsedMs: 500 }, { inFlight: 450, ended: 50 }, true);
    expect(read()).toBe(428);
    for (let count = 0; count < 100; count += 1) limit.look(FULL, lasting(2), true);
    expect(read()).toBe(48);
  });

  it('falls while the heap is nearly full, however short turns are', () => {
    begin(1000);
    limit.look({ ...READING, tickMs: 10, heapUsed: 0.9 }, lasting(1000), true);
    expect(read()).toBe(950);
  });

  it('rises while turns are short, more where there is nothing to do, and is forgotten in the end', () => {
    begin(1000);
    limit.look(READING, lasting(900), true);
    expect(read()).toBe(1000);
    limit.look({ ...READING, tickMs: 45 }, lasting(900), true);
    expect(read()).toBe(1050);
    limit.look({ ...READING, tickMs: 45, utilization: 0.5, elapsedMs: 500 }, lasting(900), true);
    expect(read()).toBe(1365);
    for (let count = 0; count < 3; count += 1) limit.look({ ...READING, tickMs: 0, utilization: 0 }, lasting(10), false);
    expect([limit.pressure(1_000_000), limit.isHolding()]).toEqual([0, false]);
  });

  it('says nothing of requests that are over before they can be counted', () => {
    limit.look(FULL, { inFlight: 20, ended: 400 }, true);
    expect([limit.pressure(1_000_000), limit.isHolding()]).toEqual([0, false]);
    begin(1000);
    limit.look(FULL, { inFlight: 20, ended: 400 }, true);
    expect([read(), limit.isHolding()]).toEqual([1000, false]);
  });
});
