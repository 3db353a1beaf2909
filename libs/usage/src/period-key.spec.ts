import * as fc from 'fast-check';
import { HOUR_MS, periodCeiling, periodKey, periodStart } from './period-key';

const anyInstant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });

describe('periods', () => {
  test('an hour is the floor of the epoch, whatever the time zone of the process', () => {
    fc.assert(fc.property(anyInstant, (at) => periodStart('hour', at) === Math.floor(at / HOUR_MS) * HOUR_MS));
    expect(periodKey(periodStart('day', Date.parse('2026-03-08T07:30:00Z')))).toBe('2026-03-08T00:00:00Z');
  });

  test('the last millisecond of a month belongs to it, the next one does not', () => {
    expect(periodKey(periodStart('month', Date.parse('2028-02-29T23:59:59.999Z')))).toBe('2028-02-01T00:00:00Z');
    expect(periodKey(periodStart('month', Date.parse('2028-03-01T00:00:00.000Z')))).toBe('2028-03-01T00:00:00Z');
    expect(periodKey(periodStart('month', Date.parse('2026-12-31T23:59:59.999Z')))).toBe('2026-12-01T00:00:00Z');
  });

  test('hours nest in days and days in months', () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(periodStart('day', periodStart('hour', at))).toBe(periodStart('day', at));
        expect(periodStart('month', periodStart('day', at))).toBe(periodStart('month', at));
      }),
    );
  });

  test('the ceiling is the next start, or the instant itself when it is one', () => {
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('hour' as const, 'day' as const, 'month' as const), (at, resolution) => {
        const ceiling = periodCeiling(resolution, at);
        expect(ceiling).toBeGreaterThanOrEqual(at);
        expect(periodStart(resolution, ceiling)).toBe(ceiling);
        if (ceiling > at) expect(periodStart(resolution, ceiling - 1)).toBe(periodStart(resolution, at));
      }),
    );
  });
});
