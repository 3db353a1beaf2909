import fc from 'fast-check';
import { createFallbackRateLimiter } from './create-fallback-rate-limiter';
import { createMemoryRateLimiter } from './create-memory-rate-limiter';
import { decideRate } from './decide-rate';
import { encodeRateHeaders, formatDuration } from './encode-rate-headers';
import type { RateLimiter } from './rate-limiter';

function startClock(): { now: () => number; advance: (ms: number) => void } {
  let at = 1_000_000;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}

describe('the decision', () => {
  test('in any run of requests no more get through than the rate and one burst', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6000 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 50, maxLength: 400 }),
        (rate, gaps) => {
          let [nowUs, storedUs, allowed] = [1_000_000, 0, 0];
          const start = nowUs;
          for (const gap of gaps) {
            nowUs += gap * 25_000;
            const { workedOffAtUs, verdict } = decideRate(storedUs, nowUs, rate);
            storedUs = workedOffAtUs;
            if (verdict.isAllowed) allowed += 1;
          }
          expect(allowed).toBeLessThanOrEqual(Math.floor(((nowUs - start) * rate) / 60_000_000) + rate);
        },
      ),
    );
  });

  test('allows a caller that waited as long as it was asked to, and refuses one a millisecond sooner', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 10_000_000 }), (rate, nowUs) => {
        let stored = 0;
        let refused;
        do {
          const { workedOffAtUs, verdict } = decideRate(stored, nowUs, rate);
          stored = workedOffAtUs;
          refused = verdict;
        } while (refused.isAllowed);
        expect(refused).toMatchObject({ remaining: 0, limit: rate });
        expect(refused.retryAfterMs).toBeGreaterThan(0);
        expect(decideRate(stored, nowUs + refused.retryAfterMs * 1000, rate).verdict.isAllowed).toBe(true);
        expect(decideRate(stored, nowUs + (refused.retryAfterMs - 1) * 1000, rate).verdict.isAllowed).toBe(false);
        expect(decideRate(stored, nowUs + refused.resetMs * 1000, rate).verdict.remaining).toBe(rate - 1);
      }),
      { numRuns: 30 },
    );
  });

  test('a clock that is set back by an hour blocks no one longer than a minute', () => {
    const hourUs = 3_600_000_000;
    const { verdict } = decideRate(hourUs + 60_000_000, 60_000_000, 10);
    expect(verdict).toMatchObject({ isAllowed: false, retryAfterMs: 6000, resetMs: 60_000 });
  });
});

describe('rates in memory', () => {
  test('members are counted apart, and idle ones are forgotten when there are many', async () => {
    const clock = startClock();
    const limiter = createMemoryRateLimiter({ now: clock.now, membersMax: 2 });
    const remaining = async (member: string) => (await limiter.take(member, 2)).remaining;
    expect([await remaining('a'), await remaining('a'), await remaining('b')]).toEqual([1, 0, 1]);
    expect(await limiter.take('a', 2)).toMatchObject({ isAllowed: false, retryAfterMs: 30_000 });
    clock.advance(30_000);
    expect(await remaining('c')).toBe(1); // forgets b, who is as good as new, and not a
    expect([await remaining('a'), await remaining('b')]).toEqual([0, 1]);
  });
});

describe('rates without the shared store', () => {
  test('each router allows its part of the rate, and says so', async () => {
    const clock = startClock();
    const away: RateLimiter = { take: () => Promise.reject(new Error('away')) };
    const onFallback = jest.fn();
    const limiter = createFallbackRateLimiter({ shared: away, liveRouters: () => 4, now: clock.now, onFallback });
    const verdicts = [];
    for (let count = 0; count < 6; count += 1) verdicts.push(await limiter.take('a', 20));
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
    expect(verdicts[0]).toMatchObject({ limit: 20, remaining: 4 });
    expect(onFallback).toHaveBeenCalledTimes(6);
  });

  test('the shared store decides while it can be reached', async () => {
    const clock = startClock();
    const onFallback = jest.fn();
    const shared = createMemoryRateLimiter({ now: clock.now });
    const limiter = createFallbackRateLimiter({ shared, liveRouters: () => 4, now: clock.now, onFallback });
    expect(await limiter.take('a', 20)).toMatchObject({ remaining: 19 });
    expect(onFallback).not.toHaveBeenCalled();
  });
});

describe('headers', () => {
  test('hold the limit, what remains and when all of it is back', () => {
    expect(encodeRateHeaders({ isAllowed: true, limit: 60, remaining: 58, retryAfterMs: 0, resetMs: 1999 })).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '58',
      'x-ratelimit-reset-requests': '1.999s',
    });
  });

  test.each([
    [0, '0s'],
    [17, '17ms'],
    [1000, '1s'],
    [8640, '8.64s'],
    [60_000, '1m0s'],
  ])('%i ms read %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
