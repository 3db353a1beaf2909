import { createMemoryFreeModelDays } from './create-memory-free-model-days';
import { freeModelLimit, refuseFreeModel, usesFreePlace } from './free-model-limit';

const DAY = Date.UTC(2026, 10, 21);

describe('the free-model limit', () => {
  test('is 200 a day, 1,000 for who has ever paid', () => {
    expect([freeModelLimit('free'), freeModelLimit('paying')]).toEqual([200, 1000]);
  });

  test.each([
    [DAY, 86_400],
    [DAY + 1, 86_400],
    [DAY + 86_399_999, 1],
    [DAY + 3_600_500, 82_800],
  ])('a refusal at %i may be tried again in %i seconds, at midnight UTC', (nowMs, seconds) => {
    const error = refuseFreeModel(1000, nowMs);
    expect(error).toMatchObject({ status: 429, isRetryable: true, details: { retryAfterSeconds: seconds } });
    expect(error.message).toContain('1,000');
  });

  test.each([
    ['ok', 0, true],
    ['client_closed', 0, true],
    ['upstream_error', 0, false],
    ['upstream_cut', 0, false],
    ['upstream_cut', 1, true],
    ['timeout', 0, false],
    ['aborted_crash', 0, false],
    ['aborted_crash', 40, true],
  ] as const)('an attempt that ended %s after %i tokens uses a place: %p', (status, outputTokens, used) => {
    expect(usesFreePlace({ status, outputTokens })).toBe(used);
  });
});

describe('free-model days in memory', () => {
  test('a day that could not be counted is counted again for the next request', async () => {
    const countPlaces = jest.fn<Promise<number>, []>().mockRejectedValueOnce(new Error('down')).mockResolvedValue(199);
    const days = createMemoryFreeModelDays(countPlaces);
    const place = { organizationId: 'o', dayMs: DAY, requestId: 'r' };
    await expect(days.take(place, 200)).rejects.toThrow('down');
    expect(await days.take(place, 200)).toEqual({ isAllowed: true, used: 200 });
    expect(countPlaces).toHaveBeenCalledTimes(2);
  });

  test('days long past are forgotten, yesterday is not', async () => {
    const countPlaces = jest.fn(() => Promise.resolve(0));
    const days = createMemoryFreeModelDays(countPlaces);
    const take = (day: number) => days.take({ organizationId: 'o', dayMs: DAY + day * 86_400_000, requestId: 'r' }, 1);
    for (const day of [0, 1, 0, 2, 0]) await take(day);
    expect(countPlaces).toHaveBeenCalledTimes(4); // the first day once more, after two days
  });
});
