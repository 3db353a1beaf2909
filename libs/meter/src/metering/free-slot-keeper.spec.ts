import { NO_USAGE } from '@weir/canonical';
import type { Passport, UsageStatus } from '@weir/contracts';
import { createMemoryFreeModelDays, type FreeSlot } from '@weir/limits';
import type { ServerResponse } from 'node:http';
import type { OpenAttempt, Meter } from '../meter';
import { createFreeSlotKeeper, type FreeSlotKeeper } from './free-slot-keeper';
import { RequestMeter } from './request-meter';

const ADMITTED = Date.UTC(2026, 10, 21, 23, 59);
const SLOT: FreeSlot = { organizationId: 'o', dayMs: Date.UTC(2026, 10, 21), requestId: 'r' };

function buildRequest(areFree: readonly boolean[], endpointId = 'chat-completions'): { readonly passport: Passport } {
  const passport = {
    requestId: 'r',
    endpointId,
    admittedAtMs: ADMITTED,
    caller: { organizationId: 'o' },
    hold: null,
    attempts: areFree.map((isFree) => ({ isFree })),
  } as unknown as Passport;
  return { passport };
}

const reported = () => jest.fn((_slot: FreeSlot) => Promise.resolve());

function setUp() {
  const attempt: OpenAttempt = {
    ...{ eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined },
    close: ({ usage }) => ({ costPico: 0n, costUsd: '0', billedPico: 0n, inputTokens: 0, outputTokens: usage.output }),
  };
  const meter: Meter = { openAttempt: () => attempt };
  const [giveBack, use, keep] = [reported(), reported(), reported()];
  const onLost = jest.fn();
  const freeModelDays = { keptMs: 90_000, keep, use, giveBack };
  const slots = createFreeSlotKeeper({ freeModelDays, now: () => ADMITTED, onLost });
  return { serve: createServe(slots, meter), giveBack, use, keep, onLost };
}

type Serve = (handle: (request: RequestMeter) => Promise<void>) => (asked: { readonly passport: Passport }) => Promise<void>;

/** Serves requests as a worker does: each is begun, and released however it went. */
function createServe(slots: FreeSlotKeeper, meter: Meter): Serve {
  return (handle) =>
    async ({ passport }) => {
      const request = new RequestMeter({ passport, headers: {}, response: {} as ServerResponse }, { meter, slots });
      try {
        request.begin();
        await handle(request);
      } finally {
        request.release();
      }
    };
}

const close = (attempt: OpenAttempt, status: UsageStatus, output = 0, isLogical = true): void => {
  attempt.close({ usage: { ...NO_USAGE, output }, status, isLogical, httpStatus: null, errorOrigin: null });
};

describe('keeping slots of the free-model day', () => {
  test.each([
    ['answered', 'ok', 0, 0],
    ['left by its caller', 'client_closed', 0, 0],
    ['cut after some tokens', 'upstream_cut', 3, 0],
    ['cut before any token', 'upstream_cut', 0, 1],
    ['timed out', 'timeout', 0, 1],
  ] as const)('a request that was %s', async (_, status, output, given) => {
    const { serve, giveBack, use } = setUp();
    await serve((request) => {
      const attempt = request.openAttempt(0, 1);
      close(attempt, status, output);
      close(attempt, 'ok', 1); // the first closing counts
      return Promise.resolve();
    })(buildRequest([true]));
    expect(giveBack).toHaveBeenCalledTimes(given);
    expect(use).toHaveBeenCalledTimes(1 - given);
    expect(given > 0 ? giveBack : use).toHaveBeenCalledWith(SLOT);
  });

  test('a refusal before any attempt gives the slot back, and still reaches the caller', async () => {
    const { serve, giveBack } = setUp();
    await expect(serve(() => Promise.reject(new Error('refused')))(buildRequest([true]))).rejects.toThrow('refused');
    expect(giveBack).toHaveBeenCalledTimes(1);
  });

  test('a reply that is read on after the caller was answered decides when it ends', async () => {
    const { serve, giveBack } = setUp();
    const finish: (() => void)[] = [];
    for (const status of ['upstream_cut', 'ok'] as const) {
      await serve((request) => {
        const attempt = request.openAttempt(0, 1);
        finish.push(() => close(attempt, status));
        return Promise.resolve();
      })(buildRequest([true]));
      expect(giveBack).not.toHaveBeenCalled();
    }
    finish[1]?.();
    expect(giveBack).not.toHaveBeenCalled();
    finish[0]?.();
    expect(giveBack).toHaveBeenCalledTimes(1);
  });

  test('a fallback that costs money uses no slot; one from paid to free does', async () => {
    const run = async (areFree: boolean[]) => {
      const { serve, giveBack } = setUp();
      await serve((request) => {
        close(request.openAttempt(0, 1), 'upstream_error', 0, false);
        close(request.openAttempt(1, 1), 'ok', 5);
        return Promise.resolve();
      })(buildRequest(areFree));
      return giveBack.mock.calls.length;
    };
    expect([await run([true, false]), await run([false, true])]).toEqual([1, 0]);
  });

  test('requests without a slot are left alone, and a slot that cannot be given back is reported', async () => {
    const { serve, giveBack, onLost } = setUp();
    for (const asked of [buildRequest([false]), buildRequest([true], 'count-tokens')]) await serve(() => Promise.resolve())(asked);
    expect(giveBack).not.toHaveBeenCalled();
    giveBack.mockRejectedValue(new Error('down'));
    await serve(() => Promise.resolve())(buildRequest([true]));
    await new Promise(setImmediate);
    expect(onLost.mock.calls).toEqual([[new Error('down'), SLOT, 'release']]);
  });

  test('the first token uses the slot at once, and only that one; what another attempt answered gives it back all the same', async () => {
    const { serve, giveBack, use } = setUp();
    await serve((request) => {
      const attempt = request.openAttempt(0, 1);
      attempt.progress(0);
      expect(use).not.toHaveBeenCalled();
      for (const tokens of [1, 2]) attempt.progress(tokens);
      expect(use).toHaveBeenCalledTimes(1);
      close(attempt, 'upstream_cut', 2, false);
      const paid = request.openAttempt(1, 1);
      paid.progress(5);
      close(paid, 'ok', 5);
      return Promise.resolve();
    })(buildRequest([true, false]));
    expect([use.mock.calls.length, giveBack.mock.calls.length]).toEqual([1, 1]);
  });

  test('what may have become another request’s is not begun', async () => {
    const { serve, keep } = setUp();
    const handle = jest.fn(() => Promise.resolve());
    const request = buildRequest([true]);
    request.passport.freePlaceByMs = ADMITTED - 1;
    await expect(serve(handle)(request)).rejects.toMatchObject({ code: 'overloaded' });
    request.passport.freePlaceByMs = ADMITTED;
    await serve(handle)(request);
    expect([handle.mock.calls.length, keep.mock.calls.length]).toEqual([1, 0]);
  });

  describe('while time goes by', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    test('a running request keeps its slot until the first token; one whose worker is gone loses it, one that was used stays', async () => {
      const days = createMemoryFreeModelDays({ countSlots: () => Promise.resolve(0), keptMs: 90_000, now: Date.now });
      const meter: Meter = { openAttempt: () => ({ ...({} as OpenAttempt), progress: () => undefined }) };
      const serve = createServe(createFreeSlotKeeper({ freeModelDays: days, now: Date.now, onLost: jest.fn() }), meter);
      const take = async (requestId: string, limit = 2) => (await days.take({ ...SLOT, requestId }, limit)).isAllowed;
      expect([await take('r'), await take('killed')]).toEqual([true, true]);
      let attempt: OpenAttempt | undefined;
      void serve((request) => {
        attempt = request.openAttempt(0, 1);
        return new Promise(() => undefined);
      })(buildRequest([true]));

      await jest.advanceTimersByTimeAsync(89_000);
      expect(await take('next')).toBe(false);
      await jest.advanceTimersByTimeAsync(211_000);
      expect([await take('next'), await take('one too many')]).toEqual([true, false]);
      attempt?.progress(1);
      await jest.advanceTimersByTimeAsync(3_600_000);
      expect([await take('another'), await take('one too many')]).toEqual([true, false]);
    });

    test('a use that could not be reported is kept and reported again, then nothing is kept any more', async () => {
      const { serve, use, keep, onLost } = setUp();
      use.mockRejectedValueOnce(new Error('away'));
      await serve((request) => {
        close(request.openAttempt(0, 1), 'ok', 1);
        return Promise.resolve();
      })(buildRequest([true]));
      await jest.advanceTimersByTimeAsync(29_000);
      expect([use.mock.calls.length, onLost.mock.calls.length]).toEqual([1, 1]);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(use).toHaveBeenCalledTimes(2);
      await jest.advanceTimersByTimeAsync(90_000);
      expect([use.mock.calls.length, keep.mock.calls.length, jest.getTimerCount()]).toEqual([2, 0, 0]);
    });

    test('a slot that was given back is not kept again because its use could not be reported', async () => {
      const { serve, use, keep, giveBack } = setUp();
      use.mockReturnValueOnce(new Promise((_resolve, reject) => setTimeout(() => reject(new Error('away')), 2_000)));
      await serve((request) => {
        const attempt = request.openAttempt(0, 1);
        attempt.progress(1);
        close(attempt, 'upstream_cut', 1, false);
        return Promise.resolve();
      })(buildRequest([true, false]));
      await jest.advanceTimersByTimeAsync(300_000);
      expect([giveBack.mock.calls.length, keep.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0, 0]);
    });
  });
});
