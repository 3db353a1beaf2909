import { GatewayError } from '@weir/errors';
import { runAttempts } from './run-attempts';
import { endsRequest, shouldTryNext } from './should-try-next';

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
});

describe('endsRequest', () => {
  it.each([
    ['provider_failed', 0, false],
    ['provider_failed', 1, true],
    ['provider_refused', 0, true],
  ] as const)('%s at attempt %i of two: %s', (code, index, expected) => {
    expect(endsRequest(new GatewayError(code, ''), { index, count: 2 })).toBe(expected);
  });
});

describe('runAttempts', () => {
  it('moves on after a fault of the provider and tells which attempt answered', async () => {
    const open = (attempt: string) =>
      attempt === 'a' ? Promise.reject(new GatewayError('provider_failed', '')) : Promise.resolve(attempt);

    await expect(runAttempts(['a', 'b', 'c'], open)).resolves.toEqual({ opened: 'b', attempt: 'b', index: 1 });
  });

  it('stops at a fault of the caller', async () => {
    const seen: string[] = [];
    const open = (attempt: string) => {
      seen.push(attempt);
      return Promise.reject(new GatewayError('provider_refused', 'bad request'));
    };

    await expect(runAttempts(['a', 'b'], open)).rejects.toThrow('bad request');
    expect(seen).toEqual(['a']);
  });

  it('ends with the last error when nothing answers', async () => {
    await expect(runAttempts(['a', 'b'], (attempt) => Promise.reject(new GatewayError('provider_failed', attempt)))).rejects.toThrow('b');
  });
});
