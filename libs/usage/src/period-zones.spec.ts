import * as fc from 'fast-check';
import { HOUR_MS, periodKey, periodStart } from './period-key';

const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata'];
/** Days on which clocks are set in New York: March forward, November back. */
const SWITCHES = [Date.UTC(2026, 2, 8), Date.UTC(2026, 10, 1)];

describe('T1: periods in any time zone of the process', () => {
  const own = process.env['TZ'];
  afterEach(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it('are the same on the days on which clocks are set, and an hour is always a whole division', () => {
    const describeDays = (): string[] =>
      SWITCHES.flatMap((day) =>
        Array.from({ length: 96 }, (_, half) => day - 12 * HOUR_MS + half * 1_800_000).map((at) =>
          (['hour', 'day', 'month'] as const).map((resolution) => periodKey(periodStart(resolution, at))).join(' '),
        ),
      );
    const reported = ZONES.map((zone) => {
      process.env['TZ'] = zone;
      return describeDays();
    });
    expect(reported[1]).toEqual(reported[0]);
    expect(reported[2]).toEqual(reported[0]);
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) }), (zone, at) => {
        process.env['TZ'] = zone;
        return periodStart('hour', at) === Math.floor(at / HOUR_MS) * HOUR_MS;
      }),
    );
  });
});
