import { NO_USAGE } from '@weir/canonical';
import type { Passport, UsageEvent } from '@weir/contracts';
import { createMemoryHoldStore, monthlyScope, type HoldStore } from '@weir/limits';
import type { ServerResponse } from 'node:http';
import type { ClosingFacts, Meter } from '../meter';
import { RequestMeter } from '../metering/request-meter';
import { NO_UNITS } from '../price-attempt';
import { createHoldKeeper, type HoldKeeper } from './hold-keeper';

const ORGANIZATION = 'org';
const KEY = monthlyScope('key', 'k', Date.now());
const OK: ClosingFacts = { usage: NO_USAGE, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true };
const TTL_MS = 90_000;

/** An attempt costs 40. */
const meter: Meter = {
  openAttempt: (_passport, index) => ({
    eventId: `e${index}`,
    progress: () => undefined,
    noteFirstByte: () => undefined,
    close: () => ({ costPico: 40n, costUsd: '0', billedPico: 40n, inputTokens: 7, outputTokens: 5 }),
  }),
};

describe('the keeper of holds, while the disk does not have what ended them', () => {
  let now: number;
  let store: HoldStore;
  let lose: () => void;
  let ends: UsageEvent[];
  let keeper: HoldKeeper;
  /** What is asked of the journal from now on. */
  let durable: Promise<void> | null;
  let setDurable: () => void;
  let failDisk: () => void;
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    [now, ends, lose] = [1_000_000, [], () => undefined];
    store = { ...createMemoryHoldStore({ now: () => now }), onLoss: (listener) => ((lose = listener), () => undefined) };
    durable = new Promise((resolve, reject) => {
      [setDurable, failDisk] = [resolve, () => reject(new Error('the disk failed'))];
    });
    keeper = createHoldKeeper({
      ...{ store, writerId: 'w', recovered: Promise.resolve(), ttlMs: TTL_MS, now: () => now, log },
      whenDurable: () => durable,
      readHeldEnds: async function* () {
        await Promise.resolve();
        yield* ends;
      },
    });
    await store.seed(ORGANIZATION, [{ scope: KEY, base: 0n, version: 0n }]);
    await jest.advanceTimersByTimeAsync(0);
  });
  afterEach(async () => {
    setDurable();
    jest.useRealTimers();
    await keeper.close();
  });

  async function run(holdId: string): Promise<void> {
    const limits = [{ scope: KEY, max: 1_000n }];
    await store.reserve({ organizationId: ORGANIZATION, holdId, amounts: [100n], leasts: [100n], ttlMs: TTL_MS, limits });
    const hold = { id: holdId, reservedPico: '100', scopes: [KEY], bounds: [{}], beginByMs: now + 60_000, isLeased: false };
    const passport = { hold, caller: { organizationId: ORGANIZATION }, attempts: [{}] } as unknown as Passport;
    const response = {} as ServerResponse;
    const request = new RequestMeter({ passport, headers: {}, response }, { meter, slots: { begin: () => undefined }, holds: keeper });
    request.begin();
    request.openAttempt(0, 10).close(OK);
    request.release();
    await pass();
  }
  const pass = async (ms = 0): Promise<void> => {
    now += ms;
    await jest.advanceTimersByTimeAsync(ms);
  };
  const read = async () => {
    const { openSum, settledSum } = await store.readScope(ORGANIZATION, KEY);
    return { open: openSum, settled: settledSum };
  };

  it('holds all of it, for longer than a hold lasts, and settles it as soon as the disk has it', async () => {
    await run('h1');
    for (let at = 0; at < 4; at += 1) await pass(TTL_MS / 2);
    expect(await read()).toEqual({ open: 100n, settled: 0n });

    setDurable();
    await pass();
    expect(await read()).toEqual({ open: 0n, settled: 40n });
  });

  it('settles what ended before, whatever ended since', async () => {
    await run('h1');
    const setFirst = setDurable;
    durable = new Promise((resolve) => (setDurable = resolve));
    await run('h2');
    setFirst();
    await pass();
    expect(await read()).toEqual({ open: 100n, settled: 40n });
  });

  it('reports it as held to counters that were emptied, though the journal could say more', async () => {
    await run('h1');
    const spent = { cost_p: '40', billed_p: '40', logical: true, units: NO_UNITS };
    ends.push({ org_id: ORGANIZATION, request_id: 'r', hold_id: 'h1', hold_scopes: [KEY], ...spent } as UsageEvent);
    lose();
    await pass(1);
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    setDurable();
    await pass();
    expect(await read()).toEqual({ open: 0n, settled: 40n });
  });

  it('leaves it held when the disk fails: what the journal has is charged by who reads it next', async () => {
    await run('h1');
    failDisk();
    await pass();
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    expect(await keeper.close()).toBe(false);
  });

  it('waits for it when it closes', async () => {
    await run('h1');
    const closed = keeper.close();
    setDurable();
    expect(await closed).toBe(true);
    expect(await read()).toEqual({ open: 0n, settled: 40n });
  });
});
