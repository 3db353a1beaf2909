import { NO_USAGE } from '@weir/canonical';
import type { Passport, PassportHold, UsageEvent } from '@weir/contracts';
import { BALANCE_SCOPE, createMemoryHoldStore, monthlyScope, nameLimitScope, type HoldStore } from '@weir/limits';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ClosingFacts, ExpectedUse, OpenAttempt, Meter } from '../meter';
import { NO_UNITS } from '../price-attempt';
import { RequestMeter } from '../metering/request-meter';
import { createHoldKeeper, type HoldKeeper } from './hold-keeper';

const ORGANIZATION = 'org';
const KEY = monthlyScope('key', 'k', Date.now());
const OK: ClosingFacts = { usage: NO_USAGE, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true };

describe('the keeper of a writer’s holds', () => {
  let now: number;
  let memory: HoldStore;
  let isAway: boolean;
  let loseAll: () => void;
  let ends: UsageEvent[];
  let readingEndsMs: number;
  let settlingMs: number;
  let estimates: ExpectedUse[];
  let noted: number[];
  let keeper: HoldKeeper;
  let setRecovered: () => void;
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

  const meter: Meter = {
    openAttempt: (_passport, index, estimate): OpenAttempt => {
      estimates.push(estimate);
      return {
        eventId: `e${index}`,
        progress: (tokens) => void noted.push(tokens),
        noteFirstByte: () => undefined,
        close: (facts) => ({
          costPico: facts.usage === NO_USAGE ? 40n : 0n,
          costUsd: '0',
          billedPico: 30n,
          inputTokens: 7,
          outputTokens: 5,
        }),
      };
    },
  };

  /** The memory store, as one that can be away. */
  function createStore(): HoldStore {
    memory = createMemoryHoldStore({ now: () => now });
    const listeners = new Set<() => void>();
    loseAll = () => {
      for (const listener of listeners) listener();
    };
    const guarded =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result> | undefined) =>
      async (...args: Args): Promise<Result> => {
        if (isAway) throw new Error('away');
        return (await call(...args)) as Result;
      };
    const delayed =
      (settle: HoldStore['settle']): HoldStore['settle'] =>
      async (hold) => {
        if (settlingMs > 0) await new Promise((resolve) => setTimeout(resolve, settlingMs));
        await settle(hold);
      };
    return {
      ...memory,
      renew: guarded(memory.renew),
      settle: delayed(guarded(memory.settle)),
      register: guarded(memory.register),
      enrolWriter: guarded(memory.enrolWriter),
      reportWriter: guarded(memory.reportWriter),
      onLoss: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  }

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    [now, isAway, ends, readingEndsMs, settlingMs, estimates, noted] = [1_000_000, false, [], 0, 0, [], []];
    requests = new WeakMap();
    keeper = createHoldKeeper({
      store: createStore(),
      writerId: 'w',
      recovered: new Promise<void>((resolve) => (setRecovered = resolve)),
      readHeldEnds: async function* () {
        const read = [...ends];
        await new Promise((resolve) => setTimeout(resolve, readingEndsMs));
        yield* read;
      },
      ...{ whenDurable: () => null, ttlMs: 90_000 },
      now: () => now,
      log,
    });
    await memory.seed(
      ORGANIZATION,
      [KEY, BALANCE_SCOPE].map((scope) => ({ scope, base: 0n, version: 0n })),
    );
    await jest.advanceTimersByTimeAsync(0);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await keeper.close();
  });

  /** A request has one. */
  let requests: WeakMap<Passport, RequestMeter>;
  const meterOf = (passport: Passport): RequestMeter => {
    let request = requests.get(passport);
    if (request === undefined) {
      const response = {} as ServerResponse;
      request = new RequestMeter({ passport, headers: {}, response }, { meter, slots: { begin: () => undefined }, holds: keeper });
      request.begin();
      requests.set(passport, request);
    }
    return request;
  };
  const openAttempt = (passport: Passport, index: number, expected: ExpectedUse): OpenAttempt =>
    meterOf(passport).openAttempt(index, expected);
  const finish = (passport: Passport): void => meterOf(passport).release();

  let made = 0;
  const HELD = [100n, 100n];
  async function admit(more: Partial<PassportHold> = {}): Promise<Passport> {
    const id = `h${(made += 1)}`;
    const scopes = [KEY, BALANCE_SCOPE];
    if (more.isLeased !== true && more.id === undefined) {
      const limits = scopes.map((scope) => ({ scope, max: 1_000n }));
      await memory.reserve({ organizationId: ORGANIZATION, holdId: id, amounts: HELD, leasts: HELD, ttlMs: 90_000, limits });
    }
    const bounds = [0, 1].map(() => ({ promptTokens: 500, outputTokens: 50 }));
    const hold = { id, reservedPico: '100', scopes, bounds, beginByMs: now + 60_000, isLeased: false, ...more };
    return { hold, caller: { organizationId: ORGANIZATION }, attempts: [{}, {}] } as unknown as Passport;
  }
  const read = async (scope = KEY) => {
    const { openSum, settledSum } = await memory.readScope(ORGANIZATION, scope);
    return { open: openSum, settled: settledSum };
  };
  const tick = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
  /** What becomes of another request under a limit of 1,000. */
  const askFor = async (amount: bigint): Promise<string> => {
    const limits = [{ scope: KEY, max: 1_000n }];
    const asked = { organizationId: ORGANIZATION, holdId: `n${now}`, amounts: [amount], leasts: [amount], ttlMs: 1, limits };
    return (await memory.reserve(asked)).kind;
  };

  it('settles what the last attempt ends with, once, together with what failed attempts before it cost', async () => {
    const passport = await admit();
    const first = openAttempt(passport, 0, 10);
    first.close({ ...OK, isLogical: false });
    await tick();
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    const second = openAttempt(passport, 1, 10);
    second.close(OK);
    second.close(OK);
    finish(passport);
    await tick();
    expect(await read()).toEqual({ open: 0n, settled: 80n });
    expect(await read(BALANCE_SCOPE)).toEqual({ open: 0n, settled: 60n });
  });

  it('holds what a request cost that no attempt counts until its events are aggregated, and settles nothing of it', async () => {
    setRecovered();
    const passport = await admit();
    openAttempt(passport, 0, 10).close({ ...OK, isLogical: false });
    ends.push({ hold_id: passport.hold?.id } as UsageEvent);
    finish(passport);
    await tick(120_000);
    // Open, it is given back without this process: settled, it would count beside the base for ever.
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    ends.pop();
    await tick(30_000);
    expect(await read()).toEqual({ open: 0n, settled: 0n });
    expect(await memory.readScope(ORGANIZATION, KEY)).toMatchObject({ base: 0n, version: 0n });
    await tick(120_000);
    expect(await read()).toEqual({ open: 0n, settled: 0n });
  });

  it('holds what ended like that while the journal was read, which may not have its events', async () => {
    const first = await admit();
    openAttempt(first, 0, 10).close({ ...OK, isLogical: false });
    finish(first);
    readingEndsMs = 1_000;
    await tick(1_500);
    const second = await admit();
    openAttempt(second, 0, 10).close({ ...OK, isLogical: false });
    finish(second);
    ends.push({ hold_id: second.hold?.id } as UsageEvent);
    await tick(500);
    expect(await read()).toEqual({ open: 100n, settled: 0n });
  });

  it('frees what ran at a moment with the request, also where no attempt counts it', async () => {
    const running = `limit:${randomUUID()}:concurrent_requests:-:now`;
    ends.push({ hold_id: 'running' } as UsageEvent);
    const passport = await admit({ id: 'running', isLeased: true, scopes: [KEY, running], amounts: ['100', '1'] });
    const readRunning = () => memory.readScope(ORGANIZATION, running);
    openAttempt(passport, 0, 10).close({ ...OK, isLogical: false });
    await tick();
    expect(await readRunning()).toMatchObject({ openSum: 1n });
    finish(passport);
    await tick(30_000);
    expect(await readRunning()).toMatchObject({ openSum: 0n });
    expect(await read()).toEqual({ open: 100n, settled: 0n });
  });

  it('gives back at once what was never begun, and keeps what an attempt still runs on', async () => {
    finish(await admit());
    await tick();
    expect(await read()).toEqual({ open: 0n, settled: 0n });
    const running = await admit();
    openAttempt(running, 0, 10);
    finish(running);
    await tick();
    expect(await read()).toEqual({ open: 100n, settled: 0n });
  });

  describe('of a limit of what runs at a moment', () => {
    const NOW = nameLimitScope({ limitId: randomUUID(), measure: 'concurrent_streams', partition: '-', window: null, startMs: null });
    const begin = async (): Promise<Passport> => {
      const id = `s${(made += 1)}`;
      const limits = [
        { scope: KEY, max: 1_000n },
        { scope: NOW, max: 1n },
      ];
      await memory.seed(ORGANIZATION, [{ scope: NOW, base: 0n, version: 0n }]);
      const answer = await memory.reserve({
        organizationId: ORGANIZATION,
        holdId: id,
        amounts: [100n, 1n],
        leasts: [100n, 1n],
        ttlMs: 90_000,
        limits,
      });
      expect(answer.kind).toBe('held');
      return admit({ id, scopes: [KEY, NOW], amounts: ['100', '1'] });
    };

    it('it is free again once the last attempt ended, before the request is over, and counts nothing for ever', async () => {
      const passport = await begin();
      openAttempt(passport, 0, 10).close({ ...OK, isLogical: false });
      await tick();
      expect(await read(NOW)).toEqual({ open: 1n, settled: 0n });
      openAttempt(passport, 1, 10).close(OK);
      await tick();
      expect([await read(NOW), await read()]).toEqual([
        { open: 0n, settled: 0n },
        { open: 0n, settled: 80n },
      ]);
    });

    it('it is free again when the request is over that began nothing, or whose caller left its only attempt to be cut', async () => {
      finish(await begin());
      await tick();
      expect(await read(NOW)).toEqual({ open: 0n, settled: 0n });
      const left = await begin();
      const attempt = openAttempt(left, 0, 10);
      finish(left);
      await tick();
      expect(await read(NOW)).toEqual({ open: 1n, settled: 0n });
      attempt.close({ ...OK, status: 'client_closed' });
      await tick();
      expect(await read(NOW)).toEqual({ open: 0n, settled: 0n });
    });

    it('it is kept with its own amount while the request runs', async () => {
      openAttempt(await begin(), 0, 10);
      loseAll();
      await tick();
      now += 60_000;
      await tick(60_000);
      expect([await read(NOW), await read()]).toEqual([
        { open: 1n, settled: 0n },
        { open: 100n, settled: 0n },
      ]);
    });
  });

  it('leaves requests alone that nothing limits', () => {
    const free = { hold: null, caller: {}, attempts: [{}] } as unknown as Passport;
    openAttempt(free, 0, 10).close(OK);
    finish(free);
    expect(estimates).toEqual([10]);
  });

  it('begins nothing on a hold that may have been given back', async () => {
    const late = await admit();
    now += 60_001;
    expect(() => openAttempt(late, 0, 10)).toThrow(expect.objectContaining({ code: 'overloaded' }) as Error);
    expect(estimates).toEqual([]);
  });

  it('keeps estimates of usage that no one reported within what was set aside', async () => {
    const attempt = openAttempt(await admit(), 0, 9_999);
    attempt.progress(40);
    attempt.progress(70);
    expect([estimates, noted]).toEqual([[500], [40, 50]]);
    const counted = { usage: NO_USAGE, measured: { image: 2 } };
    openAttempt(await admit(), 0, counted).close(OK);
    expect(estimates[1]).toBe(counted);
  });

  it('renews what runs, and reports the writer only when all holds are reported and the past is aggregated', async () => {
    openAttempt(await admit(), 0, 10);
    const orphan = await admit();
    for (let minutes = 0; minutes < 4; minutes += 1) {
      now += 60_000;
      await tick(60_000);
    }
    expect(await askFor(801n)).toBe('refused');
    setRecovered();
    await tick(2_000);
    expect(await askFor(801n)).toBe('held');
    const { open } = await memory.readScope(ORGANIZATION, KEY);
    expect(open.map(({ holdId }) => holdId)).not.toContain(orphan.hold?.id);
  });

  it('does not report the writer before what it settles has arrived', async () => {
    setRecovered();
    settlingMs = 300_000;
    openAttempt(await admit(), 0, 10).close(OK);
    now += 200_000;
    await tick(200_000);
    expect(await askFor(901n)).toBe('refused');
    await tick(100_000);
    expect(await read()).toEqual({ open: 0n, settled: 40n });
  });

  it('gives nothing back that expired while it reported, as it does when it is frozen in the middle of that', async () => {
    setRecovered();
    openAttempt(await admit(), 0, 10);
    readingEndsMs = 200_000;
    loseAll();
    await tick();
    now += readingEndsMs;
    await tick(readingEndsMs);
    expect(await askFor(901n)).toBe('refused');
  });

  it('reports again from the journal what could not be reported, and does not report the writer until then', async () => {
    setRecovered();
    const passport = await admit();
    const attempt = openAttempt(passport, 0, 10);
    isAway = true;
    attempt.close(OK);
    await tick(60_000);
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    ends.push({
      org_id: ORGANIZATION,
      request_id: 'r',
      hold_id: passport.hold?.id,
      hold_scopes: passport.hold?.scopes,
      ...{ cost_p: '40', billed_p: '30', logical: true, units: NO_UNITS },
    } as UsageEvent);
    isAway = false;
    await tick(1_000);
    expect(await read()).toEqual({ open: 0n, settled: 40n });
    expect(await read(BALANCE_SCOPE)).toEqual({ open: 0n, settled: 30n });
  });

  it('after a loss reports everything that runs at once, and what begins on holds from before', async () => {
    const [running, before] = [await admit(), await admit()];
    openAttempt(running, 0, 10);
    for (const { hold } of [running, before]) {
      await memory.settle({ organizationId: ORGANIZATION, holdId: hold?.id ?? '', scopes: [KEY, BALANCE_SCOPE], spent: [0n, 0n] });
    }
    loseAll();
    await tick();
    expect(await read()).toMatchObject({ open: 100n });
    openAttempt(before, 0, 10);
    await tick();
    expect(await read()).toMatchObject({ open: 200n });
  });

  it('makes a lease known: while it runs and when it ends', async () => {
    const leased = await admit({ isLeased: true });
    const attempt = openAttempt(leased, 0, 10);
    await tick();
    expect(await read()).toEqual({ open: 100n, settled: 0n });
    attempt.close(OK);
    await tick();
    expect(await read()).toEqual({ open: 0n, settled: 40n });
  });

  it('says when it closes whether something is left that only it knows', async () => {
    expect(await keeper.close()).toBe(true);
    finish(await admit());
    isAway = true;
    finish(await admit());
    await tick();
    expect(await keeper.close()).toBe(false);
  });
});
