import { createMemoryFreeModelDays } from './create-memory-free-model-days';
import type { CountFreePlaces } from './free-model-days';
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
  const openDays = (countPlaces: CountFreePlaces, now = () => 0) => createMemoryFreeModelDays({ countPlaces, keptMs: 90_000, now });

  test('a day that could not be counted is counted again for the next request', async () => {
    const countPlaces = jest.fn<Promise<number>, []>().mockRejectedValueOnce(new Error('down')).mockResolvedValue(199);
    const days = openDays(countPlaces);
    const place = { organizationId: 'o', dayMs: DAY, requestId: 'r' };
    await expect(days.take(place, 200)).rejects.toThrow('down');
    expect(await days.take(place, 200)).toEqual({ isAllowed: true, used: 200 });
    expect(countPlaces).toHaveBeenCalledTimes(2);
  });

  test('days long past are forgotten, yesterday is not', async () => {
    const countPlaces = jest.fn(() => Promise.resolve(0));
    const days = openDays(countPlaces);
    const take = (day: number) => days.take({ organizationId: 'o', dayMs: DAY + day * 86_400_000, requestId: 'r' }, 1);
    for (const day of [0, 1, 0, 2, 0]) await take(day);
    expect(countPlaces).toHaveBeenCalledTimes(4); // the first day once more, after two days
  });

  test('a place is given up the moment after its time, not before, unless it was kept or used', async () => {
    let nowMs = 1_000;
    const days = openDays(
      () => Promise.resolve(0),
      () => nowMs,
    );
    const placeOf = (requestId: string) => ({ organizationId: 'o', dayMs: DAY, requestId });
    for (const id of ['orphan', 'kept', 'used']) await days.take(placeOf(id), 3);
    await days.use(placeOf('used'));
    nowMs += 60_000;
    await days.keep(placeOf('kept'));
    nowMs += 30_000;
    expect(await days.take(placeOf('next'), 3)).toEqual({ isAllowed: false, used: 3 });
    nowMs += 1;
    expect(await days.take(placeOf('next'), 3)).toEqual({ isAllowed: true, used: 3 });
    nowMs += 90_001;
    expect(await days.take(placeOf('late'), 3)).toEqual({ isAllowed: true, used: 2 });
  });
});
