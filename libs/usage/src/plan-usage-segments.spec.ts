import * as fc from 'fast-check';
import { DAY_MS, HOUR_MS, periodCeiling, periodStart } from './period-key';
import { planUsageSegments } from './plan-usage-segments';

const anyRange = fc
  .tuple(fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }), fc.integer({ min: 1, max: 100 * DAY_MS }))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));

describe('usage segments', () => {
  test('cover exactly the whole hours of the range, each once, on boundaries of their rollup', () => {
    fc.assert(
      fc.property(anyRange, fc.constantFrom('hour' as const, 'day' as const, 'month' as const), (range, resolution) => {
        const segments = planUsageSegments(range, resolution);
        let at = periodStart('hour', range.startMs);
        for (const segment of segments) {
          expect(segment.startMs).toBe(at);
          expect(periodStart(segment.rollup, segment.startMs)).toBe(segment.startMs);
          expect(periodStart(segment.rollup, segment.endMs)).toBe(segment.endMs);
          at = segment.endMs;
        }
        expect(at).toBe(periodCeiling('hour', range.endMs));
      }),
    );
  });

  test('whole days are read from days, only the edges from hours', () => {
    const startMs = Date.parse('2026-08-07T22:15:00Z');
    expect(planUsageSegments({ startMs, endMs: startMs + 2 * DAY_MS }, 'day')).toEqual([
      { rollup: 'hour', startMs: Date.parse('2026-08-07T22:00:00Z'), endMs: Date.parse('2026-08-08T00:00:00Z') },
      { rollup: 'day', startMs: Date.parse('2026-08-08T00:00:00Z'), endMs: Date.parse('2026-08-09T00:00:00Z') },
      { rollup: 'hour', startMs: Date.parse('2026-08-09T00:00:00Z'), endMs: Date.parse('2026-08-09T22:00:00Z') + HOUR_MS },
    ]);
  });
});
