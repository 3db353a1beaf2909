import { createMemoryFreeModelDays } from './create-memory-free-model-days';
import type { CountFreeSlots } from './free-model-days';
import { freeModelLimit, refuseFreeModel, usesFreeSlot } from './free-model-limit';

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
  ] as const)('an attempt that ended %s after %i tokens uses a slot: %p', (status, outputTokens, used) => {
    expect(usesFreeSlot({ status, outputTokens })).toBe(used);
  });
});

describe('free-model days in memory', () => {
  const openDays = (countSlots: CountFreeSlots, now = () => 0) => createMemoryFreeModelDays({ countSlots, keptMs: 90_000, now });

  test('a day that could not be counted is counted again for the next request', async () => {
    const countSlots = jest.fn<Promise<number>, []>().mockRejectedValueOnce(new Error('down')).mockResolvedValue(199);
    const days = openDays(countSlots);
    const slot = { organizationId: 'o', dayMs: DAY, requestId: 'r' };
    await expect(days.take(slot, 200)).rejects.toThrow('down');
    expect(await days.take(slot, 200)).toEqual({ isAllowed: true, used: 200 });
    expect(countSlots).toHaveBeenCalledTimes(2);
  });

  test('days long past are forgotten, yesterday is not', async () => {
    const countSlots = jest.fn(() => Promise.resolve(0));
    const days = openDays(countSlots);
    const take = (day: number) => days.take({ organizationId: 'o', dayMs: DAY + day * 86_400_000, requestId: 'r' }, 1);
    for (const day of [0, 1, 0, 2, 0]) await take(day);
    expect(countSlots).toHaveBeenCalledTimes(4); // the first day once more, after two days
  });

  test('a slot is given up the moment after its time, not before, unless it was kept or used', async () => {
    let nowMs = 1_000;
    const days = openDays(
      () => Promise.resolve(0),
      () => nowMs,
    );
    const slotOf = (requestId: string) => ({ organizationId: 'o', dayMs: DAY, requestId });
    for (const id of ['orphan', 'kept', 'used']) await days.take(slotOf(id), 3);
    await days.use(slotOf('used'));
    nowMs += 60_000;
    await days.keep(slotOf('kept'));
    nowMs += 30_000;
    expect(await days.take(slotOf('next'), 3)).toEqual({ isAllowed: false, used: 3 });
    nowMs += 1;
    expect(await days.take(slotOf('next'), 3)).toEqual({ isAllowed: true, used: 3 });
    nowMs += 90_001;
    expect(await days.take(slotOf('late'), 3)).toEqual({ isAllowed: true, used: 2 });
  });
});
