import { GatewayError } from '@weir/errors';
import { makeAttempt } from '../__fixtures__/make-attempt';
import { routeOf } from './route-key';
import { createLatencyBook } from './create-latency-book';
import { createOutlierEjection } from './create-outlier-ejection';
import { createRetryBudget } from './create-retry-budget';
import { createRouteHealth } from './create-route-health';
import { encodeOutcome, recordOutcomes } from './outcome-header';

function clock() {
  let nowMs = 0;
  return { now: () => nowMs, advance: (milliseconds: number) => void (nowMs += milliseconds) };
}

describe('outlier ejection', () => {
  function open() {
    const time = clock();
    const ejection = createOutlierEjection(time);
    const fail = (times: number) => Array.from({ length: times }, () => ejection.record('a', true));
    return { ...time, ejection, fail };
  }

  it('leaves a route out after five failures in a row, for thirty seconds', () => {
    const { ejection, fail, advance } = open();
    fail(4);
    ejection.record('a', false);
    fail(4);
    expect(ejection.admit('a')).toBe(true);
    fail(1);
    expect([ejection.admit('a'), ejection.isEjected('a'), ejection.ejected()]).toEqual([false, true, ['a']]);
    advance(29_999);
    expect(ejection.admit('a')).toBe(false);
  });

  it('lets one probe through afterwards, and everybody once that succeeds', () => {
    const { ejection, fail, advance } = open();
    fail(5);
    advance(30_000);
    expect([1, 2, 3].map(() => ejection.admit('a'))).toEqual([true, false, false]);
    ejection.record('a', false);
    expect([1, 2].map(() => ejection.admit('a'))).toEqual([true, true]);
  });

  it('stays away longer each time a probe fails, at most five minutes, and forgets that in health', () => {
    const { ejection, fail, advance } = open();
    const howLong = (): number => {
      let milliseconds = 0;
      for (; !ejection.admit('a'); milliseconds += 1000) advance(1000);
      return milliseconds;
    };
    fail(5);
    const times = Array.from({ length: 12 }, () => {
      const milliseconds = howLong();
      ejection.record('a', true);
      return milliseconds / 1000;
    });
    expect(times).toEqual([30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 300, 300]);
    howLong();
    ejection.record('a', false);
    advance(600_000);
    fail(5);
    expect(howLong()).toBe(30_000);
  });

  it('gives a probe without a result to another request', () => {
    const { ejection, fail, advance } = open();
    fail(5);
    advance(30_000);
    expect(ejection.admit('a')).toBe(true);
    advance(30_000);
    expect([ejection.admit('a'), ejection.admit('a')]).toEqual([true, false]);
  });

  it('leaves out a route that fails every other time, and none that fails now and then', () => {
    const { ejection } = open();
    for (let count = 0; count < 20; count += 1) {
      ejection.record('half', count % 2 === 0);
      ejection.record('tenth', count % 10 === 0);
    }
    ejection.record('half', true);
    expect([ejection.isEjected('half'), ejection.isEjected('tenth')]).toEqual([true, false]);
  });
});

describe('the latency book', () => {
  it('forgets by half every ten minutes, and altogether when nothing was measured for long', () => {
    const { now, advance } = clock();
    const book = createLatencyBook({ now });
    expect(book.read('a').samples).toBe(0);
    book.note('a', 100);
    advance(600_000);
    book.note('a', 400);
    expect(book.read('a').meanMs).toBeCloseTo((100 * 0.5 + 400) / 1.5, 6);
    advance(1_800_000);
    expect(book.read('a').samples).toBe(0);
  });

  it('follows a provider that has become slow within some fifty requests', () => {
    const book = createLatencyBook({ now: () => 0 });
    for (let count = 0; count < 1000; count += 1) book.note('a', 100);
    for (let count = 0; count < 100; count += 1) book.note('a', 1000);
    expect(book.read('a').meanMs).toBeGreaterThan(850);
  });
});

describe('the retry budget', () => {
  it('is a fifth of the requests of ten seconds and three a second', () => {
    const { now, advance } = clock();
    const budget = createRetryBudget({ now });
    for (let count = 0; count < 1000; count += 1) budget.noteRequest();
    const takeAll = (): number => {
      let taken = 0;
      while (budget.take()) taken += 1;
      return taken;
    };
    expect(takeAll()).toBe(230);
    advance(9_999);
    expect(takeAll()).toBe(0);
    advance(1_000);
    expect(takeAll()).toBe(30);
  });
});

describe('route health', () => {
  const failed = new GatewayError('provider_failed', '');

  it('judges a provider by region and account: one of them failing does not affect the others', () => {
    const health = createRouteHealth({ now: () => 0 });
    const here = makeAttempt('a/m', { region: 'eu' });
    for (let count = 0; count < 5; count += 1) health.record(here, { isStream: false, error: failed });
    const others = [makeAttempt('a/m'), makeAttempt('a/m', { region: 'eu', credentialId: 'k' }), makeAttempt('b/m', { region: 'eu' })];
    expect([here, ...others].map((attempt) => health.admit(attempt))).toEqual([false, true, true, true]);
    expect(health.isEjected(routeOf(makeAttempt('a/other', { region: 'eu' })))).toBe(true);
  });

  it('can be looked at without taking the probe that a request would take', () => {
    const time = clock();
    const health = createRouteHealth({ now: time.now });
    const [broken, busy] = [makeAttempt('a/m'), makeAttempt('b/m')];
    for (let count = 0; count < 5; count += 1) health.record(broken, { isStream: false, error: failed });
    health.record(busy, { isStream: false, error: new GatewayError('provider_rate_limited', '', { retryAfterSeconds: 20 }) });
    expect([broken, busy, makeAttempt('c/m')].map((attempt) => health.look(attempt))).toEqual(['ejected', 'resting', 'ready']);
    time.advance(30_000);
    expect([1, 2].map(() => health.look(broken))).toEqual(['ready', 'ready']);
    expect([1, 2].map(() => health.admit(broken))).toEqual([true, false]);
    expect([health.look(broken), health.look(busy)]).toEqual(['ejected', 'ready']);
  });

  it('does not blame a provider for requests it refused, nor for limits of an account', () => {
    const health = createRouteHealth({ now: () => 0 });
    for (let count = 0; count < 50; count += 1) {
      for (const code of ['provider_refused', 'provider_rate_limited'] as const) {
        health.record(makeAttempt('a/m'), { isStream: false, error: new GatewayError(code, '') });
      }
    }
    expect(health.ejected()).toEqual([]);
  });

  it('knows how fast streams begin apart from how fast whole replies are there', () => {
    const health = createRouteHealth({ now: () => 0 });
    health.record(makeAttempt('a/m'), { isStream: true, firstByteMs: 200 });
    expect([true, false].map((isStream) => health.latencyOf(makeAttempt('a/m'), isStream).samples)).toEqual([1, 0]);
  });

  it('travels from a worker to the edge in a header', () => {
    const attempts = [makeAttempt('a/m'), makeAttempt('b/m')];
    const reported = encodeOutcome(
      encodeOutcome('', { index: 0 }, { isStream: true, error: failed }),
      { index: 1 },
      { isStream: true, firstByteMs: 41.7 },
    );
    expect(reported).toBe('0:provider_failed:,1:ok:42');
    const record = jest.fn();
    recordOutcomes(`${reported},7:ok:1,x,0:other:,:ok:`, { attempts, stream: true }, { record });
    expect(record.mock.calls).toEqual([
      [attempts[0], { isStream: true, error: expect.objectContaining({ code: 'provider_failed' }) }],
      [attempts[1], { isStream: true, firstByteMs: 42 }],
    ]);
  });
});
