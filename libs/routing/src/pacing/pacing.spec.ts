import { GatewayError } from '@weir/errors';
import { createLimitedProvider, readLimited } from '../__fixtures__/limited-provider';
import { makeAttempt } from '../__fixtures__/make-attempt';
import { createVirtualClock } from '../__fixtures__/virtual-clock';
import { createRouteHealth } from '../health/create-route-health';
import type { AttemptPlace, AttemptsToRun, RunWatcher } from '../attempt-runner';
import { createAttemptRunner } from '../run-attempts';
import { createPacing } from './create-pacing';
import type { WaitEnd } from './paced-account';

type Ended = { readonly name: string; readonly atMs: number; readonly tookMs: number; readonly error: unknown; readonly queuedMs: number };

function open({ queueMs = 10_000, waitingMax = 1_000 }: { queueMs?: number; waitingMax?: number } = {}) {
  const clock = createVirtualClock();
  const ends: Record<WaitEnd, number> = { served: 0, expired: 0, displaced: 0, left: 0 };
  const pacing = createPacing({
    ...{ queueMs, waitingMax, now: clock.now, readAllowance: readLimited, isSpent: (headers) => headers['x-left'] === '0' },
    schedule: (afterMs, onTime) => {
      let isOn = true;
      void clock.wait(afterMs).then(() => isOn && onTime());
      return () => void (isOn = false);
    },
    onWaited: (_account, _ms, end) => void (ends[end] += 1),
  });
  const health = createRouteHealth({ now: clock.now });
  const runner = createAttemptRunner({ health, pacing, now: clock.now, elapsed: clock.now, random: () => 0.5, wait: clock.wait });
  const ended: Ended[] = [];
  const send = async (
    name: string,
    call: (place: AttemptPlace) => Promise<unknown>,
    { watcher, ...plan }: Partial<AttemptsToRun> & { readonly watcher?: RunWatcher } = {},
  ): Promise<void> => {
    const sinceMs = clock.now();
    let queuedMs = 0;
    const asked = {
      ...{ attempts: [makeAttempt('a/m')], stream: false, deadlineMs: Infinity },
      caller: { organizationId: name, apiKeyId: 'key' },
      ...plan,
    };
    const error: unknown = await runner
      .run(asked, call, { onQueued: (ms) => void (queuedMs = ms), ...watcher })
      .then(() => undefined)
      .catch((thrown: unknown) => thrown);
    ended.push({ name, atMs: clock.now(), tookMs: clock.now() - sinceMs, error, queuedMs });
  };
  return { ...clock, pacing, runner, send, ended, ends };
}

const codeOf = ({ error }: Ended): string => (error instanceof GatewayError ? error.code : String(error));

describe('requests to an account that its provider limits', () => {
  it('are not looked at as long as it refuses nothing', async () => {
    const { pacing, send, run, ended, wait, now } = open();
    const { call } = createLimitedProvider({ now, wait, perSecond: 100, burst: 100 });
    const find = jest.spyOn(pacing, 'find');
    for (let index = 0; index < 5; index += 1) void send('a', call);
    await run();
    expect(ended.map(codeOf)).toEqual(Array(5).fill('undefined'));
    expect(find.mock.results.map(({ value }) => value as unknown)).toEqual(Array(5).fill(undefined));
  });

  it.each([true, false])('wait instead of failing, and go as its rate permits (it says what is left: %s)', async (saysLeft) => {
    const { send, run, ended, wait, now, pacing } = open({ queueMs: 30_000 });
    const { call, seen } = createLimitedProvider({ now, wait, perSecond: 20, burst: 20, saysLeft });
    for (let index = 0; index < 200; index += 1) void send('flood', call);
    const drip = async (): Promise<void> => {
      for (let index = 0; index < 20; index += 1) {
        await wait(300);
        void send('drip', call);
      }
    };
    void drip();
    await run();

    expect(ended.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(seen.taken).toBe(220);
    // Ten seconds are the least; knowing nothing but refusals takes some longer.
    expect(ended.at(-1)?.atMs).toBeLessThan(saysLeft ? 11_500 : 22_000);
    // Those that were on their way when it began to refuse, and few after that.
    expect(seen.refused).toBeLessThan(saysLeft ? 200 : 320);
    const drips = ended.filter(({ name }) => name === 'drip').map(({ tookMs }) => tookMs);
    expect(Math.max(...drips)).toBeLessThan(saysLeft ? 1_000 : 4_500);
    expect(Math.max(...ended.map(({ queuedMs }) => queuedMs))).toBeGreaterThan(8_000);
    expect([...pacing.waiting().values()]).toEqual([0]);
  });

  it('are served by the shares of their organizations, none starves', async () => {
    const { send, run, ended, wait, now } = open({ queueMs: 20_000 });
    const { call } = createLimitedProvider({ now, wait, perSecond: 50, burst: 10 });
    const shares = { one: 1, two: 2, four: 4 } as const;
    const names = ['one', 'two', 'four'] as const;
    const again = async (name: (typeof names)[number]): Promise<void> => {
      while (now() < 14_000) await send(name, call, { shares: { organization: shares[name], key: 1 } });
    };
    // The least of them sends a hundred times as many as it may.
    for (const name of names) for (let index = 0; index < (name === 'one' ? 400 : 12); index += 1) void again(name);
    await run();
    const counted = ended.filter(({ atMs, error }) => error === undefined && atMs > 2_000 && atMs < 14_000);
    for (const name of names) {
      const part = counted.filter((each) => each.name === name).length / counted.length;
      expect(Math.abs(part / (shares[name] / 7) - 1)).toBeLessThan(0.05);
    }
  });

  it('are not held up by replies that take long to begin', async () => {
    const { send, run, ended, wait, now } = open();
    const { call } = createLimitedProvider({ now, wait, perSecond: 20, burst: 20, repliesAfterMs: 20_000, saysLeft: false });
    for (let index = 0; index < 60; index += 1) void send('a', call);
    await run();
    const served = ended.filter(({ error }) => error === undefined).length;
    expect(served).toBeGreaterThanOrEqual(55);
  });

  it('end in the refusal of the provider when their time is up, counted once', async () => {
    const { send, run, ended, ends, wait, now } = open({ queueMs: 2_000 });
    const { call } = createLimitedProvider({ now, wait, perSecond: 1, burst: 1, saysLeft: false });
    const onUnsent = jest.fn();
    for (let index = 0; index < 30; index += 1) void send('a', call, { watcher: { onUnsent } });
    await run();
    const failed = ended.filter(({ error }) => error !== undefined);
    expect(new Set(failed.map(codeOf))).toEqual(new Set(['provider_rate_limited']));
    expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThan(2_600);
    expect(ends.expired).toBeGreaterThan(20);
    expect(onUnsent.mock.calls.length).toBeGreaterThanOrEqual(ends.expired);
  });

  it('do not wait beyond their deadline, nor are sent for the first time when their hold may be given back', async () => {
    const { send, run, ended, wait, now } = open();
    const { call } = createLimitedProvider({ now, wait, perSecond: 2, burst: 1, saysLeft: false });
    const firstSent = new Map<string, number>();
    for (let index = 0; index < 60; index += 1) {
      const name = `request ${index}`;
      const note = (place: AttemptPlace): Promise<unknown> => {
        if (!firstSent.has(name)) firstSent.set(name, now());
        return call(place);
      };
      void wait(index * 50).then(() => send(name, note, { deadlineMs: now() + 4_000, hold: { beginByMs: now() + 2_000 } }));
    }
    await run();
    for (const [name, atMs] of firstSent) expect(atMs - Number(name.split(' ')[1]) * 50).toBeLessThanOrEqual(1_000);
    expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThan(4_100);
    expect(firstSent.size).toBeLessThan(60);
    expect(new Set(ended.map(codeOf))).toEqual(new Set(['undefined', 'provider_rate_limited']));
  });

  it('leave with their callers, at once', async () => {
    const { send, run, ended, ends, wait, now, pacing } = open();
    const { call, seen } = createLimitedProvider({ now, wait, perSecond: 1, burst: 1, retryAfterSeconds: 5 });
    const leave: ((reason: Error) => void)[] = [];
    const watcher: RunWatcher = { onLeave: (listener) => void leave.push(listener), onUnsent: jest.fn() };
    void send('stays', call);
    void send('leaves', call, { watcher });
    void wait(1_000).then(() => {
      expect([...pacing.waiting()]).toEqual([['a', 1]]);
      leave[0]?.(new Error('gone'));
    });
    await run();
    expect(ended.map(({ name, atMs, error }) => [name, atMs, String(error)])).toEqual([
      ['stays', 6, 'undefined'],
      ['leaves', 1_000, 'Error: gone'],
    ]);
    expect([ends, seen.taken, (watcher.onUnsent as jest.Mock).mock.calls.length]).toEqual([
      { served: 0, expired: 0, displaced: 0, left: 1 },
      1,
      1,
    ]);
  });

  it('stay out of a full queue, the last of those with most in it first', async () => {
    const { send, run, ended, ends, wait, now } = open({ waitingMax: 10 });
    const { call } = createLimitedProvider({ now, wait, perSecond: 2, burst: 1, saysLeft: false });
    for (let index = 0; index < 30; index += 1) void send('flood', call);
    void wait(50).then(() => send('late', call));
    await run();
    expect(ended.filter(({ name }) => name === 'late').map(codeOf)).toEqual(['undefined']);
    expect(ends.displaced).toBe(1);
    expect(ended.filter(({ error, atMs }) => error !== undefined && atMs < 20)).toHaveLength(19);
  });

  it('fail at once while the account is shut for longer than they may wait, but for one a second', async () => {
    const { send, run, ended, wait, now } = open({ queueMs: 3_000 });
    const { call, seen } = createLimitedProvider({ now, wait, perSecond: 0.02, burst: 1, saysLeft: false, retryAfterSeconds: 50 });
    const flow = async (): Promise<void> => {
      for (let index = 0; index < 100; index += 1) {
        await wait(100);
        void send('a', call);
      }
    };
    void flow();
    await run();
    expect(ended.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(seen.refused).toBeLessThanOrEqual(11);
    expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThan(10);
  });

  it('go on as soon as one that tried all the same was taken', async () => {
    const { send, run, ended, wait } = open({ queueMs: 3_000 });
    let refusals = 1;
    const call = async (place: AttemptPlace): Promise<void> => {
      place.noteSent();
      await wait(5);
      refusals -= 1;
      place.noteReply({ status: refusals >= 0 ? 429 : 200, headers: {} });
      if (refusals >= 0) throw new GatewayError('provider_rate_limited', 'come back tomorrow', { retryAfterSeconds: 40 });
    };
    const flow = async (): Promise<void> => {
      for (let index = 0; index < 6; index += 1) await send('a', call);
    };
    void flow();
    await run();
    expect(ended.map(codeOf)).toEqual(['provider_rate_limited', ...Array<string>(5).fill('undefined')]);
    expect(ended.at(-1)?.atMs).toBeLessThan(100);
  });

  it('that are refused for themselves give up, and let the others through', async () => {
    const { send, run, ended, wait, now } = open();
    const { call } = createLimitedProvider({ now, wait, perSecond: 50, burst: 50, saysLeft: false });
    const tooLarge = async (place: AttemptPlace): Promise<never> => {
      place.noteSent();
      await wait(2);
      place.noteReply({ status: 429, headers: {} });
      throw new GatewayError('provider_rate_limited', 'request too large');
    };
    void send('large', tooLarge);
    const others = async (): Promise<void> => {
      for (let index = 0; index < 20; index += 1) {
        await wait(100);
        void send('other', call);
      }
    };
    void others();
    await run();
    expect(ended.filter(({ name, error }) => name === 'other' && error === undefined)).toHaveLength(20);
    expect(ended.filter(({ name }) => name === 'large').map(codeOf)).toEqual(['provider_rate_limited']);
  });

  it('wait for what is to come back as well, before anything is refused', async () => {
    const { send, run, ended, wait, now } = open();
    const { call, seen } = createLimitedProvider({ now, wait, perSecond: 1, burst: 2 });
    const flow = async (): Promise<void> => {
      for (let index = 0; index < 5; index += 1) await send('a', call);
    };
    void flow();
    await run();
    expect([seen.taken, seen.refused]).toEqual([5, 0]);
    expect(ended.map(({ queuedMs }) => queuedMs > 0)).toEqual([false, false, true, true, true]);
  });

  it('do not wait while another attempt of their plan is ready', async () => {
    const { send, run, ended, wait, now } = open();
    const { call } = createLimitedProvider({ now, wait, perSecond: 1, burst: 1 });
    const served: string[] = [];
    const attempts = [makeAttempt('a/m'), makeAttempt('b/m')];
    const either = async (place: AttemptPlace): Promise<void> => {
      if (place.attempt.providerId === 'a') await call(place);
      served.push(place.attempt.providerId);
    };
    for (let index = 0; index < 4; index += 1) void send('x', either, { attempts });
    await run();
    expect(served.sort()).toEqual(['a', 'b', 'b', 'b']);
    expect(ended.every(({ error, queuedMs }) => error === undefined && queuedMs === 0)).toBe(true);
  });

  it('are sent once as before where none may wait', async () => {
    const { send, run, ended, wait, now } = open({ queueMs: 0 });
    const { call, seen } = createLimitedProvider({ now, wait, perSecond: 1, burst: 1 });
    for (let index = 0; index < 3; index += 1) void send('a', call);
    await run();
    expect(ended.map(codeOf).sort()).toEqual(['provider_rate_limited', 'provider_rate_limited', 'undefined']);
    expect(seen.refused).toBe(2);
  });

  it('are not sent again where the provider says that it does not help', async () => {
    const { send, run, ended, pacing } = open();
    const refused = (place: AttemptPlace): Promise<never> => {
      place.noteSent();
      place.noteReply({ status: 429, headers: { 'x-should-retry': 'false' } });
      return Promise.reject(new GatewayError('provider_rate_limited', 'never', { retryAfterSeconds: 1 }));
    };
    void send('a', refused);
    await run();
    expect([ended.map(codeOf), pacing.find(makeAttempt('a/m'))]).toEqual([['provider_rate_limited'], undefined]);
  });

  it('wait for an account whose own limit refuses them before they are sent', async () => {
    const { send, run, ended, wait } = open();
    let runs = 0;
    const limited = async (place: AttemptPlace): Promise<void> => {
      if (runs > 0) throw new GatewayError('provider_rate_limited', 'at its limit', { retryAfterSeconds: 1 });
      runs += 1;
      place.noteSent();
      await wait(700);
      runs -= 1;
    };
    for (let index = 0; index < 3; index += 1) void send('a', limited);
    await run();
    expect(ended.map(codeOf)).toEqual(['undefined', 'undefined', 'undefined']);
  });

  it('are not sent again where the provider took a part of them', async () => {
    const { send, run, ended } = open();
    let calls = 0;
    const partly = (place: AttemptPlace): Promise<never> => {
      calls += 1;
      place.noteSent();
      place.noteReply({ status: 200, headers: {} });
      place.noteReply({ status: 429, headers: {} });
      return Promise.reject(new GatewayError('provider_rate_limited', 'slow down'));
    };
    void send('a', partly);
    await run();
    expect([calls, ended.map(codeOf)]).toEqual([1, ['provider_rate_limited']]);
  });
});

it.each(['requests', 'tokens', 'inputTokens', 'outputTokens'] as const)(
  'a reply that says only of %s that nothing is left is kept to',
  (name) => {
    const nowMs = 1_000_000;
    const pacing = createPacing({
      queueMs: 10_000,
      now: () => nowMs,
      schedule: () => () => undefined,
      readAllowance: () => ({ [name]: { limit: 10, remaining: 0, resetAtMs: nowMs + 5_000, refill: 'window' } }),
      isSpent: () => true,
    });
    const attempt = makeAttempt('a/m');
    pacing.noteServed(attempt, undefined, {});
    expect(pacing.readyAtMs(attempt)).toBe(nowMs + 5_000);
  },
);

describe('several accounts of one provider', () => {
  const [one, two] = [makeAttempt('a/m', { accountId: 'one' }), makeAttempt('a/m', { accountId: 'two' })];

  it('share the requests by what is left of each, then in the order of the plan', async () => {
    const { send, run, wait, now, ended } = open();
    const providers = {
      one: createLimitedProvider({ now, wait, perSecond: 1, burst: 20 }),
      two: createLimitedProvider({ now, wait, perSecond: 3, burst: 60 }),
    };
    const flow = async (): Promise<void> => {
      for (let index = 0; index < 60; index += 1) {
        await send('x', (place) => providers[place.attempt.accountId as 'one' | 'two'].call(place), { attempts: [one, two] });
      }
    };
    void flow();
    await run();
    expect(ended.filter(({ error }) => error !== undefined)).toEqual([]);
    expect([providers.one.seen.refused, providers.two.seen.refused]).toEqual([0, 0]);
    expect(providers.one.seen.taken).toBeGreaterThan(10);
    expect(providers.one.seen.taken).toBeLessThan(20);
  });

  it('are passed over while they are exhausted, and the first that is ready again is waited for', async () => {
    const { send, run, wait, now, ended } = open();
    const providers = {
      one: createLimitedProvider({ now, wait, perSecond: 0.1, burst: 1, retryAfterSeconds: 9 }),
      two: createLimitedProvider({ now, wait, perSecond: 1, burst: 1, retryAfterSeconds: 1 }),
    };
    const served: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const call = async (place: AttemptPlace): Promise<void> => {
        await providers[place.attempt.accountId as 'one' | 'two'].call(place);
        served.push(place.attempt.accountId ?? '');
      };
      void wait(index * 20).then(() => send('x', call, { attempts: [one, two] }));
    }
    await run();
    expect(ended.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(served).toEqual(['one', 'two', 'two', 'two']);
  });
});
