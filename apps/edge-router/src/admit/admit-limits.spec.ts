import type { KeyRecord, Principal } from '@weir/access';
import type { Passport } from '@weir/contracts';
import type { FreeModelDays, RateLimiter } from '@weir/limits';
import type { ServerResponse } from 'node:http';
import { checkRates } from './check-rates';
import { createRequestHolds, type HoldOutcome, type RequestHoldsParts } from './holds/request-holds';
import { previewFreeSlot, takeFreeSlot } from './take-free-slot';

const NOON = Date.UTC(2026, 10, 21, 12);

function principalOf(
  more: Partial<KeyRecord>,
  limitsUnavailable: 'lease' | 'deny' | 'allow' = 'lease',
  tier: 'free' | 'paying' = 'free',
): Principal {
  return { key: { organizationId: 'o', userId: 'u', organization: { tier, limitsUnavailable }, ...more } } as unknown as Principal;
}

describe('checking a member’s rate', () => {
  const verdict = { isAllowed: true, limit: 10, remaining: 3, retryAfterMs: 0, resetMs: 42_000 };

  async function run(principal: Principal, isAllowed = true, dialect?: 'messages') {
    const headers: Record<string, string> = {};
    const take = jest.fn<ReturnType<RateLimiter['take']>, [string, number]>(() =>
      Promise.resolve(isAllowed ? verdict : { ...verdict, isAllowed, remaining: 0, retryAfterMs: 5_001 }),
    );
    const setHeader = (name: string, value: string): void => void (headers[name] = value);
    const response = { setHeader, getHeader: (name: string) => headers[name] } as unknown as ServerResponse;
    const error = await checkRates(principal, response, { take }, dialect)?.catch((thrown: unknown) => thrown);
    return { headers, take, error };
  }

  test('counts by member and organization, and reports the count in the headers', async () => {
    const { headers, take, error } = await run(principalOf({ memberRateLimitRpm: 10 }));
    expect(error).toBeUndefined();
    expect(take).toHaveBeenCalledWith('o/u', 10);
    expect(headers).toEqual({
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-requests': '3',
      'x-ratelimit-reset-requests': '42s',
    });
  });

  test('a refusal sets the headers too, and says when to try again', async () => {
    const { headers, error } = await run(principalOf({ memberRateLimitRpm: 10 }), false);
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, details: { retryAfterSeconds: 5.001 } });
    expect(headers['x-ratelimit-remaining-requests']).toBe('0');
    const limit = { id: null, scope: 'member', measure: 'requests', window: 'minute', limit: '10', used: '10', remaining: '0' };
    expect(error).toMatchObject({ details: { limit: { ...limit, frees_at: expect.any(String) as string } } });
  });

  test('shows it in the words of its dialect as well', async () => {
    const { headers } = await run(principalOf({ memberRateLimitRpm: 10 }), true, 'messages');
    expect(headers).toMatchObject({
      'x-ratelimit-remaining-requests': '3',
      'anthropic-ratelimit-requests-limit': '10',
      'anthropic-ratelimit-requests-remaining': '3',
    });
    expect(headers['anthropic-ratelimit-requests-reset']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('a key without a rate or without a member is not counted', async () => {
    for (const more of [{ memberRateLimitRpm: null }, { memberRateLimitRpm: 10, userId: null }]) {
      const { headers, take } = await run(principalOf(more));
      expect([take.mock.calls, headers]).toEqual([[], {}]);
    }
  });
});

describe('taking a slot of the free-model day', () => {
  const NO_COUNTERS = {
    leases: null,
    policy: { isBalanceRequired: false },
    log: { warn: () => undefined },
  } as unknown as RequestHoldsParts;
  const REST = { keptMs: 90_000, keep: () => Promise.resolve(), use: () => Promise.resolve(), readUsed: () => Promise.resolve(0) };
  const passport = {
    requestId: 'r',
    endpointId: 'chat-completions',
    admittedAtMs: NOON,
    caller: { organizationId: 'o' },
    attempts: [{ isFree: true }],
  } as unknown as Passport;
  const slot = { organizationId: 'o', dayMs: Date.UTC(2026, 10, 21), requestId: 'r' };

  function run(take: FreeModelDays['take'], principal = principalOf({}), given = passport) {
    const giveBack = jest.fn(() => Promise.resolve());
    const taken = jest.fn(take);
    const headers: Record<string, string> = {};
    const outcomes: HoldOutcome[] = [];
    const holds = createRequestHolds({ ...NO_COUNTERS, now: () => NOON, count: (outcome) => outcomes.push(outcome) });
    const setHeader = (name: string, value: string): void => void (headers[name] = value);
    const parts = { freeModelDays: { ...REST, take: taken, giveBack }, holds, now: () => NOON };
    return { answer: takeFreeSlot({ principal, passport: given, setHeader }, parts), giveBack, taken, headers, outcomes };
  }

  test('by the tier; requests to priced models need none', async () => {
    const free = run(() => Promise.resolve({ isAllowed: true, used: 1 }));
    expect(await free.answer).toEqual(slot);
    expect(free.taken).toHaveBeenCalledWith(slot, 200);
    expect(passport.freePlaceByMs).toBe(NOON + 60_000); // a third earlier than another request may have the slot
    const paying = run(() => Promise.resolve({ isAllowed: true, used: 1 }), principalOf({}, 'lease', 'paying'));
    await paying.answer;
    expect(paying.taken).toHaveBeenCalledWith(slot, 1000);
    const priced = { ...passport, attempts: [{ isFree: false }] } as unknown as Passport;
    expect(await run(() => Promise.reject(new Error('asked')), principalOf({}), priced).answer).toBeUndefined();
  });

  test('the time to begin it counts from before it was taken, however late the reply is read', async () => {
    let nowMs = NOON;
    const takeLate = (): Promise<{ isAllowed: boolean; used: number }> => {
      nowMs += 80_000;
      return Promise.resolve({ isAllowed: true, used: 1 });
    };
    const freeModelDays = { ...REST, take: takeLate, giveBack: () => Promise.resolve() };
    const given = { ...passport };
    const asked = { principal: principalOf({}), passport: given, setHeader: () => undefined };
    await takeFreeSlot(asked, { freeModelDays, holds: { decideWithout: () => undefined }, now: () => nowMs });
    expect(given.freePlaceByMs).toBe(NOON + 60_000);
  });

  test('a day that is used up is refused until midnight', async () => {
    const { answer } = run(() => Promise.resolve({ isAllowed: false, used: 200 }));
    const limit = { scope: 'organization', measure: 'requests', window: 'day', limit: '200', frees_at: '2026-11-22T00:00:00.000Z' };
    await expect(answer).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 12 * 3600, limit } });
  });

  test('what cannot be counted is refused and a slot taken too late is given back; where limits may be skipped, the response says so', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const refused = run(away);
    await expect(refused.answer).rejects.toMatchObject({ code: 'dependency_down', details: { retryAfterSeconds: 5 } });
    expect(refused.giveBack).toHaveBeenCalledWith(slot);
    expect([refused.headers['x-weir-limits-unavailable'], refused.outcomes]).toEqual(['deny', ['deny']]);
    const allowed = run(away, principalOf({}, 'allow'));
    expect(await allowed.answer).toEqual(slot);
    expect(allowed.giveBack).not.toHaveBeenCalled();
    expect([allowed.headers['x-weir-limits-unavailable'], allowed.outcomes]).toEqual(['allow', ['allow']]);
  });

  test('an estimate says what a request would get, and takes no slot', async () => {
    const preview = async (used: Promise<number>, isFree = true) => {
      const freeModelDays = { ...REST, readUsed: () => used } as unknown as FreeModelDays;
      const attempts = [{ isFree }] as unknown as Passport['attempts'];
      return previewFreeSlot(principalOf({}), { endpointId: 'messages', attempts, admittedAtMs: NOON }, { freeModelDays, now: () => NOON });
    };
    expect(await preview(Promise.resolve(199))).toBeNull();
    expect(await preview(Promise.resolve(200))).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 12 * 3600 } });
    expect(await preview(Promise.resolve(200), false)).toBeNull();
    await expect(preview(Promise.reject(new Error('away')))).rejects.toMatchObject({ code: 'dependency_down' });
  });
});
