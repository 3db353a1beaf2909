import { projectMonth } from './project-month';

describe('the projected end of a month', () => {
  it('goes on as it went', () => {
    expect(projectMonth(15n, new Date('2026-11-16T00:00:00Z'))).toBe(30n);
    expect(projectMonth(31n, new Date('2026-12-31T23:59:59.999Z'))).toBe(31n);
  });

  it('is not guessed on the first day', () => {
    expect(projectMonth(15n, new Date('2026-11-01T23:00:00Z'))).toBeNull();
  });
});
