import { findExpiryError, NO_EXPIRY, readExpiry, toExpiryChoice } from './expiry';

const NOW = Date.parse('2026-11-23T12:00:00Z');

describe('expiry', () => {
  it('is never, in days, or at the end of a day', () => {
    expect(readExpiry(NO_EXPIRY, NOW)).toBeNull();
    expect(readExpiry({ choice: '7', date: '' }, NOW)).toBe('2026-11-30T12:00:00.000Z');
    expect(readExpiry({ choice: 'date', date: '2026-12-31' }, NOW)).toBe('2026-12-31T23:59:59Z');
  });

  it('needs a day that is not over', () => {
    expect(findExpiryError({ choice: 'date', date: '' }, NOW)).toBe('Choose a day.');
    expect(findExpiryError({ choice: 'date', date: '2026-11-22' }, NOW)).toBe('This day is over.');
    expect(findExpiryError({ choice: 'date', date: '2026-11-23' }, NOW)).toBeUndefined();
    expect(findExpiryError(NO_EXPIRY, NOW)).toBeUndefined();
  });

  it('of a key is its day', () => {
    expect(toExpiryChoice('2026-12-31T23:59:59.000Z')).toEqual({ choice: 'date', date: '2026-12-31' });
    expect(toExpiryChoice(null)).toEqual(NO_EXPIRY);
  });
});
