import { GatewayError } from '@weir/errors';
import { makeAttempt } from '../__fixtures__/make-attempt';
import { createOutcomeBook } from './create-outcome-book';
import { createRouteHealth } from './create-route-health';

function clock() {
  let nowMs = 0;
  return { now: () => nowMs, advance: (milliseconds: number) => void (nowMs += milliseconds) };
}

describe('an outcome book', () => {
  it('counts this window and the one before, and nothing older', () => {
    const { now, advance } = clock();
    const book = createOutcomeBook({ now, windowMs: 100 });
    book.note('a', 'm', true);
    book.note('a', 'm', false);
    advance(150);
    book.note('a', 'm', false);
    expect(book.list(10)).toEqual([{ route: 'a', model: 'm', attempts: 3, failures: 1 }]);
    advance(100);
    expect(book.list(10)).toEqual([{ route: 'a', model: 'm', attempts: 1, failures: 0 }]);
    advance(100);
    expect(book.list(10)).toEqual([]);
  });

  it('lists no more than it is asked for, and forgets all when it is full', () => {
    const book = createOutcomeBook({ now: () => 0 });
    for (let index = 0; index < 10_001; index += 1) book.note(`route ${index % 7}`, `model ${index}`, false);
    expect(book.list(5)).toHaveLength(1);
    book.note('other', 'model', false);
    expect(book.list(1)).toHaveLength(1);
  });
});

describe('a description of health', () => {
  it('says what is ejected for how long still, how many attempts failed, and how fast a model is', () => {
    const { now, advance } = clock();
    const health = createRouteHealth({ now });
    const attempt = makeAttempt('one/model with words', { region: 'eu' });
    const own = makeAttempt('one/other', { credentialId: 'credential' });
    health.record(attempt, { isStream: true, firstByteMs: 120 });
    for (let index = 0; index < 5; index += 1)
      health.record(attempt, { isStream: true, error: new GatewayError('provider_failed', 'down') });
    health.record(own, { isStream: false, error: new GatewayError('provider_rate_limited', 'slow down') });
    // The caller's own fault says nothing of the provider.
    health.record(own, { isStream: false, error: new GatewayError('invalid_request', 'no') });
    advance(10_000);

    expect(health.describe()).toEqual({
      ejected: [{ provider: 'one', region: 'eu', account: null, forMs: 20_000 }],
      outcomes: [
        { provider: 'one', region: 'eu', account: null, model: 'one/model with words', attempts: 6, failures: 5 },
        { provider: 'one', region: null, account: 'credential', model: 'one/other', attempts: 1, failures: 1 },
      ],
      latencies: [{ provider: 'one', region: 'eu', model: 'one/model with words', isStream: true, meanMs: 120, samples: 1 }],
    });
  });

  it('says 0 while a probe is waited for', () => {
    const { now, advance } = clock();
    const health = createRouteHealth({ now });
    const attempt = makeAttempt('one/model');
    for (let index = 0; index < 5; index += 1)
      health.record(attempt, { isStream: false, error: new GatewayError('provider_failed', 'down') });
    advance(30_001);
    expect(health.describe().ejected).toEqual([]);
    expect(health.admit(attempt)).toBe(true);
    expect(health.describe().ejected).toMatchObject([{ provider: 'one', forMs: 0 }]);
  });
});
