import * as fc from 'fast-check';
import { DAY_MS, HOUR_MS, periodCeiling, periodStart } from './period-key';
import { planUsageEdges, planUsageSegments } from './plan-usage-segments';

const anyRange = fc
  .tuple(fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }), fc.integer({ min: 1, max: 100 * DAY_MS }))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));

describe('usage segments', () => {
  test('cover exactly the whole hours inside the range, each once, on boundaries of their rollup', () => {
    fc.assert(
      fc.property(anyRange, fc.constantFrom('hour' as const, 'day' as const, 'month' as const), (range, resolution) => {
        const segments = planUsageSegments(range, resolution);
        let at = periodCeiling('hour', range.startMs);
        for (const segment of segments) {
          expect(segment.startMs).toBe(at);
          expect(periodStart(segment.rollup, segment.startMs)).toBe(segment.startMs);
          expect(periodStart(segment.rollup, segment.endMs)).toBe(segment.endMs);
          at = segment.endMs;
        }
        expect(at).toBe(Math.max(periodStart('hour', range.endMs), periodCeiling('hour', range.startMs)));
      }),
    );
  });

  test('together with the edges are exactly the range, and no edge reaches beyond its hour', () => {
    const anyShort = fc.integer({ min: 1, max: 3 * HOUR_MS });
    fc.assert(
      fc.property(fc.tuple(anyRange, anyShort), ([{ startMs, endMs }, length]) => {
        for (const range of [
          { startMs, endMs },
          { startMs, endMs: startMs + length },
        ]) {
          const edges = planUsageEdges(range);
          const pieces = [...edges, ...planUsageSegments(range, 'day')].sort((a, b) => a.startMs - b.startMs);
          expect([pieces[0]?.startMs, pieces.at(-1)?.endMs]).toEqual([range.startMs, range.endMs]);
          for (const [at, piece] of pieces.entries()) if (at > 0) expect(piece.startMs).toBe(pieces[at - 1]?.endMs);
          for (const edge of edges) expect(periodStart('hour', edge.startMs)).toBe(periodStart('hour', edge.endMs - 1));
          for (const edge of edges) expect(edge.endMs - edge.startMs).toBeLessThan(HOUR_MS);
        }
      }),
    );
  });

  test('whole days are read from days, only the edges from hours', () => {
    const startMs = Date.parse('2026-08-07T22:15:00Z');
    expect(planUsageSegments({ startMs, endMs: startMs + 2 * DAY_MS }, 'day')).toEqual([
      { rollup: 'hour', startMs: Date.parse('2026-08-07T23:00:00Z'), endMs: Date.parse('2026-08-08T00:00:00Z') },
      { rollup: 'day', startMs: Date.parse('2026-08-08T00:00:00Z'), endMs: Date.parse('2026-08-09T00:00:00Z') },
      { rollup: 'hour', startMs: Date.parse('2026-08-09T00:00:00Z'), endMs: Date.parse('2026-08-09T22:00:00Z') },
    ]);
    expect(planUsageEdges({ startMs, endMs: startMs + 2 * DAY_MS })).toEqual([
      { startMs, endMs: Date.parse('2026-08-07T23:00:00Z') },
      { startMs: Date.parse('2026-08-09T22:00:00Z'), endMs: startMs + 2 * DAY_MS },
    ]);
  });
});
