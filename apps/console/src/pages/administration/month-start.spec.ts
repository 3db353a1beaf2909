import { monthStart } from './month-start';

describe('monthStart', () => {
  it('is of UTC', () => {
    expect(monthStart(new Date('2026-12-01T00:30:00+01:00'))).toBe('2026-11-01T00:00:00Z');
  });
});
