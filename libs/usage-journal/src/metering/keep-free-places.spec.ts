import { NO_USAGE } from '@weir/canonical';
import type { Passport, UsageStatus } from '@weir/contracts';
import type { FreePlace } from '@weir/limits';
import type { OpenAttempt, Till } from '../till';
import { createFreePlaceKeeper } from './keep-free-places';

const ADMITTED = Date.UTC(2026, 10, 21, 23, 59);
const PLACE: FreePlace = { organizationId: 'o', dayMs: Date.UTC(2026, 10, 21), requestId: 'r' };

function buildWork(areFree: readonly boolean[], endpointId = 'chat-completions'): { readonly passport: Passport } {
  const passport = {
    requestId: 'r',
    endpointId,
    admittedAtMs: ADMITTED,
    caller: { organizationId: 'o' },
    attempts: areFree.map((isFree) => ({ isFree })),
  } as unknown as Passport;
  return { passport };
}

function setUp() {
  const receipt = { costPico: 0n, costUsd: '0', billedPico: 0n };
  const attempt: OpenAttempt = { eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined, close: () => receipt };
  const till: Till = { openAttempt: () => attempt };
  const giveBack = jest.fn((_place: FreePlace) => Promise.resolve());
  const onLost = jest.fn();
  return { keeper: createFreePlaceKeeper({ till, freeModelDays: { giveBack }, onLost }), giveBack, onLost };
}

const close = (attempt: OpenAttempt, status: UsageStatus, output = 0, isLogical = true): void => {
  attempt.close({ usage: { ...NO_USAGE, output }, status, isLogical, httpStatus: null, errorOrigin: null });
};

describe('keeping places of the free-model day', () => {
  test.each([
    ['answered', 'ok', 0, 0],
    ['left by its caller', 'client_closed', 0, 0],
    ['cut after some tokens', 'upstream_cut', 3, 0],
    ['cut before any token', 'upstream_cut', 0, 1],
    ['timed out', 'timeout', 0, 1],
  ] as const)('a request that was %s', async (_, status, output, given) => {
    const { keeper, giveBack } = setUp();
    await keeper.guard(({ passport }) => {
      const attempt = keeper.till.openAttempt(passport, 0, 1);
      close(attempt, status, output);
      close(attempt, 'ok', 1); // the first closing counts
      return Promise.resolve();
    })(buildWork([true]));
    expect(giveBack).toHaveBeenCalledTimes(given);
    if (given > 0) expect(giveBack).toHaveBeenCalledWith(PLACE);
  });

  test('a refusal before any attempt gives the place back, and still reaches the caller', async () => {
    const { keeper, giveBack } = setUp();
    await expect(keeper.guard(() => Promise.reject(new Error('refused')))(buildWork([true]))).rejects.toThrow('refused');
    expect(giveBack).toHaveBeenCalledTimes(1);
  });

  test('a reply that is read on after the caller was answered decides when it ends', async () => {
    const { keeper, giveBack } = setUp();
    const finish: (() => void)[] = [];
    for (const status of ['upstream_cut', 'ok'] as const) {
      await keeper.guard(({ passport }) => {
        const attempt = keeper.till.openAttempt(passport, 0, 1);
        finish.push(() => close(attempt, status));
        return Promise.resolve();
      })(buildWork([true]));
      expect(giveBack).not.toHaveBeenCalled();
    }
    finish[1]?.();
    expect(giveBack).not.toHaveBeenCalled();
    finish[0]?.();
    expect(giveBack).toHaveBeenCalledTimes(1);
  });

  test('a fallback that costs money uses no free place; one from paid to free does', async () => {
    const run = async (areFree: boolean[]) => {
      const { keeper, giveBack } = setUp();
      await keeper.guard(({ passport }) => {
        close(keeper.till.openAttempt(passport, 0, 1), 'upstream_error', 0, false);
        close(keeper.till.openAttempt(passport, 1, 1), 'ok', 5);
        return Promise.resolve();
      })(buildWork(areFree));
      return giveBack.mock.calls.length;
    };
    expect([await run([true, false]), await run([false, true])]).toEqual([1, 0]);
  });

  test('requests that hold no place are left alone, and a place that cannot be given back is told', async () => {
    const { keeper, giveBack, onLost } = setUp();
    for (const work of [buildWork([false]), buildWork([true], 'count-tokens')]) await keeper.guard(() => Promise.resolve())(work);
    expect(giveBack).not.toHaveBeenCalled();
    giveBack.mockRejectedValue(new Error('down'));
    await keeper.guard(() => Promise.resolve())(buildWork([true]));
    await new Promise(setImmediate);
    expect(onLost).toHaveBeenCalledTimes(1);
  });
});
