import { statusOf } from './api-keys';

describe('the status of a listed key', () => {
  it.each([
    ['active', null, 'active'],
    ['active', 1001, 'active'],
    ['active', 1000, 'expired'],
    ['active', 1, 'expired'],
    ['revoked', 1, 'revoked'],
  ])('stored as %s with the end %s is %s', (status, expiresAtMs, expected) => {
    expect(statusOf({ status, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs) }, 1000)).toBe(expected);
  });
});
