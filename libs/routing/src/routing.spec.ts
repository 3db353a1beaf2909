import { GatewayError } from '@weir/errors';
import { makeAttempt } from './__fixtures__/make-attempt';
import { createRetryBudget } from './health/create-retry-budget';
import { createRouteHealth } from './health/create-route-health';
import type { AttemptPlace } from './attempt-runner';
import { createAttemptRunner } from './run-attempts';
import { planRetry, shouldTryElsewhere, shouldTryNext } from './should-try-next';

describe('shouldTryNext', () => {
  it.each([
    ['provider_unreachable', true],
    ['provider_timeout', true],
    ['provider_rate_limited', true],
    ['provider_credentials', true],
    ['provider_refused', false],
    ['provider_not_found', false],
    ['overloaded', false],
  ] as const)('%s: %s', (code, expected) => {
    expect(shouldTryNext(new GatewayError(code, ''))).toBe(expected);
  });

  it('never hides our own faults behind another attempt', () => {
    expect(shouldTryNext(new TypeError('bug'))).toBe(false);
  });

  it('goes elsewhere with what one place has no words for, unless it was sent', () => {
    expect([true, false].map((isSent) => shouldTryElsewhere(new GatewayError('unsupported_field', ''), isSent))).toEqual([false, true]);
  });
});

describe('planRetry', () => {
  const half = () => 0.5;

  it('waits a random time below a limit that doubles up to two seconds', () => {
    const most = [0, 1, 2, 3, 9].map((tries) => planRetry(new GatewayError('provider_failed', ''), { tries, random: () => 1 })?.waitMs);
    expect(most).toEqual([250, 500, 1000, 2000, 2000]);
    expect(planRetry(new GatewayError('provider_failed', ''), { tries: 0, random: () => 0 })).toEqual({ waitMs: 100 });
  });

  it('waits as long as the provider says when that is short, and else not at all', () => {
    const reported = (retryAfterSeconds: number) =>
      planRetry(new GatewayError('provider_rate_limited', '', { retryAfterSeconds }), { tries: 0, random: half });
    expect([reported(0), reported(3), reported(5), reported(6)]).toEqual([{ waitMs: 100 }, { waitMs: 3000 }, { waitMs: 5000 }, undefined]);
  });

  it('never retries what the same place would refuse again', () => {
    expect(planRetry(new GatewayError('provider_credentials', ''), { tries: 0, random: half })).toBeUndefined();
    expect(planRetry(new GatewayError('overloaded', ''), { tries: 0, random: half })).toBeUndefined();
  });
});

type Script = Readonly<Record<string, (GatewayError | TypeError | 'ok')[]>>;

function harness(script: Script, { nowMs = 0, deadlineMs = 60_000 } = {}) {
  const waits: number[] = [];
  let clockMs = nowMs;
  const health = createRouteHealth({ now: () => clockMs });
  const runner = createAttemptRunner({
    health,
    budget: createRetryBudget({ now: () => clockMs }),
    now: () => clockMs,
    elapsed: () => clockMs,
    random: () => 0.5,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      clockMs += milliseconds;
      return Promise.resolve();
    },
  });
  const calls: string[] = [];
  const logical: number[] = [];
  const unsent: number[] = [];
  const left: Record<string, (GatewayError | TypeError | 'ok')[]> = Object.fromEntries(
    Object.entries(script).map(([id, reported]) => [id, [...reported]]),
  );
  const open = (place: AttemptPlace): Promise<string> => {
    const { modelId } = place.attempt;
    const reported = left[modelId]?.shift() ?? 'ok';
    if (!modelId.startsWith('mute/')) place.noteSent();
    calls.push(modelId);
    if (reported === 'ok') return Promise.resolve(modelId);
    if (place.endsWith(reported)) logical.push(place.index);
    return Promise.reject(reported);
  };
  const run = (...models: string[]) =>
    runner.run({ attempts: models.map((id) => makeAttempt(id)), stream: false, deadlineMs }, open, {
      onUnsent: ({ index }) => void unsent.push(index),
    });
  return { run, health, calls, waits, logical, unsent, advance: (milliseconds: number) => (clockMs += milliseconds) };
}

const failed = new GatewayError('provider_failed', 'failed');
const refused = new GatewayError('provider_refused', 'bad request');

describe('the attempt runner', () => {
  it('moves on after a fault of the provider, at once, and counts how many were sent', async () => {
    const { run, calls, waits, logical } = harness({ 'a/m': [failed] });
    const { opened, place } = await run('a/m', 'b/m', 'c/m');
    expect([opened, place.index, place.number]).toEqual(['b/m', 1, 2]);
    expect([calls, waits, logical]).toEqual([['a/m', 'b/m'], [], []]);
  });

  it('makes no other attempt when what is made of the reply fails, and one after an attempt that throws', async () => {
    const runner = createAttemptRunner({ health: createRouteHealth({ now: () => 0 }), now: () => 0, elapsed: () => 0 });
    const plan = { attempts: [makeAttempt('a/m'), makeAttempt('b/m')], stream: false, deadlineMs: 1 };
    const calls: string[] = [];
    const open = ({ attempt: { modelId } }: AttemptPlace): Promise<string> => {
      calls.push(modelId);
      if (modelId === 'a/m') throw new GatewayError('provider_not_configured', '');
      return Promise.resolve(modelId);
    };

    await expect(runner.runToEnd(plan, { open, finish: (opened) => `${opened}!` })).resolves.toBe('b/m!');
    const finish = (): never => {
      throw failed;
    };
    await expect(runner.runToEnd(plan, { open, finish })).rejects.toBe(failed);
    expect(calls).toEqual(['a/m', 'b/m', 'a/m', 'b/m']);
  });

  it('stops at a fault of the caller, which then counts the request', async () => {
    const { run, calls, logical } = harness({ 'a/m': [refused] });
    await expect(run('a/m', 'b/m')).rejects.toBe(refused);
    expect([calls, logical]).toEqual([['a/m'], [0]]);
  });

  it('tries the same place again after a pause, then the next one', async () => {
    const { run, calls, waits } = harness({ 'a/m': [failed, failed] });
    await expect(run('a/m', 'a/m', 'b/m')).resolves.toMatchObject({ opened: 'b/m' });
    expect([calls, waits]).toEqual([['a/m', 'a/m', 'b/m'], [175]]);
  });

  it('leaves out a place whose streams all break off, and lets it in again when one begins after that', async () => {
    const cut = new GatewayError('provider_stream_cut', '');
    const clock = { elapsedMs: 0 };
    const health = createRouteHealth({ now: () => clock.elapsedMs });
    const runner = createAttemptRunner({ health, now: () => 0, elapsed: () => clock.elapsedMs });
    const stream = async (...ends: (GatewayError | undefined)[]): Promise<void> => {
      for (const end of ends) {
        const { place } = await runner.run({ attempts: [makeAttempt('a/m')], stream: true, deadlineMs: 1 }, (opening) => {
          opening.noteSent();
          opening.noteStreaming();
          return Promise.resolve();
        });
        place.noteOver(end);
      }
    };
    await stream(cut, cut, cut, cut, undefined, cut, cut, cut, cut);
    expect(health.ejected()).toEqual([]);
    await stream(cut);
    expect(health.ejected()).toHaveLength(1);
    clock.elapsedMs = 30_000;
    await stream(undefined);
    expect(health.ejected()).toEqual([]);
  });

  it('leaves a place at once that wants to be left alone for long, and stays away from it', async () => {
    const limited = new GatewayError('provider_rate_limited', '', { retryAfterSeconds: 30 });
    const { run, calls, waits, advance } = harness({ 'a/m': [limited] });
    await run('a/m', 'a/m', 'b/m');
    await run('a/m', 'a/m', 'b/m');
    advance(30_000);
    await run('a/m', 'a/m', 'b/m');
    expect([calls, waits]).toEqual([['a/m', 'b/m', 'b/m', 'a/m'], []]);
  });

  it('ends with the last error when every attempt fails, counted once', async () => {
    const last = new GatewayError('provider_overloaded', 'last');
    const { run, logical } = harness({ 'a/m': [failed], 'b/m': [last] });
    await expect(run('a/m', 'b/m')).rejects.toBe(last);
    expect(logical).toEqual([1]);
  });

  it('passes over a place that has no words for the request, and calls onUnsent when it ends there', async () => {
    const wordless = new GatewayError('unsupported_field', '');
    const first = harness({ 'mute/m': [wordless] });
    await expect(first.run('mute/m', 'b/m')).resolves.toMatchObject({ place: { number: 1 } });
    expect(first.unsent).toEqual([]);
    const second = harness({ 'a/m': [failed], 'mute/m': [wordless] });
    await expect(second.run('a/m', 'mute/m')).rejects.toBe(wordless);
    expect([second.logical, second.unsent]).toEqual([[1], [1]]);
  });

  it('begins nothing after the deadline', async () => {
    const { run, calls } = harness({ 'a/m': [failed] }, { nowMs: 60_000 });
    await expect(run('a/m', 'b/m')).rejects.toBe(failed);
    expect(calls).toEqual(['a/m']);
  });

  it('goes on only while its budget lasts', async () => {
    const { run, calls } = harness({ 'a/m': Array<GatewayError>(100).fill(failed) });
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => run('a/m', 'b/m')));
    const retried = calls.filter((id) => id === 'b/m').length;
    // 5 of the first requests fail and eject a route: the others go to the second one first.
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(100 - retried);
    expect(retried).toBeLessThanOrEqual(0.2 * 100 + 30);
  });

  it('never leaves everything out: with all routes ejected the first is asked', async () => {
    const { run, calls, health } = harness({});
    for (const model of ['a/m', 'b/m'])
      for (let count = 0; count < 5; count += 1) health.record(makeAttempt(model), { isStream: false, error: failed });
    expect(health.ejected()).toHaveLength(2);
    await run('a/m', 'b/m');
    expect(calls).toEqual(['a/m']);
  });
});
