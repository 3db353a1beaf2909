import { DAY_MS, HOUR_MS } from '@weir/usage';
import * as fc from 'fast-check';
import { periodKeyOf, planFacts, type FactsPlan } from './plan-facts';

const MONTH = Date.UTC(2026, 6);
const DAYS = 31;

/** Every hour of a month and the day after it, each once: from which place. */
function listMoments({ rollups, events }: FactsPlan): number[] {
  const lengths = { hour: HOUR_MS, day: DAY_MS, month: DAYS * DAY_MS };
  const ranges = [
    ...events,
    ...(['hour', 'day', 'month'] as const).flatMap((resolution) =>
      rollups[resolution].map(({ startMs }) => ({ startMs, endMs: startMs + lengths[resolution] })),
    ),
  ];
  const quarter = HOUR_MS / 4;
  return ranges
    .flatMap(({ startMs, endMs }) => Array.from({ length: (endMs - startMs) / quarter }, (_, at) => startMs + at * quarter))
    .sort((a, b) => a - b);
}

describe('where usage is read from in ClickHouse', () => {
  it('covers each moment of a range once, whatever is valid and wherever it begins', () => {
    const anyHour = fc.integer({ min: 0, max: DAYS * 24 * 4 });
    const anyState = fc.constantFrom(0, 1);
    const anyCase = fc.record({
      ...{ a: anyHour, b: anyHour, resolution: fc.constantFrom('hour' as const, 'day' as const, 'month' as const), month: anyState },
      hours: fc.array(anyState, { minLength: DAYS * 24, maxLength: DAYS * 24 }),
      days: fc.array(anyState, { minLength: DAYS, maxLength: DAYS }),
    });
    fc.assert(
      fc.property(anyCase, ({ a, b, resolution, hours, days, month }) => {
        const [startMs, endMs] = [Math.min(a, b), Math.max(a, b)].map((at) => MONTH + (at * HOUR_MS) / 4) as [number, number];
        const known = new Map<string, number>([
          [periodKeyOf('month', MONTH), month * 7],
          ...days.map((state, at) => [periodKeyOf('day', MONTH + at * DAY_MS), state * 8] as const),
          ...hours.map((state, at) => [periodKeyOf('hour', MONTH + at * HOUR_MS), state * 9] as const),
        ]);
        const expected = Array.from({ length: (endMs - startMs) / (HOUR_MS / 4) }, (_, at) => startMs + (at * HOUR_MS) / 4);
        expect(listMoments(planFacts({ startMs, endMs, resolution }, known))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('reads nothing of periods in which nothing was used, and neighbouring events at once', () => {
    const known = new Map([
      [periodKeyOf('month', MONTH), 0],
      [periodKeyOf('day', MONTH), 0],
      [periodKeyOf('day', MONTH + DAY_MS), 5],
      ...[1, 2, 9].map((hour) => [periodKeyOf('hour', MONTH + hour * HOUR_MS), hour === 9 ? 3 : 0] as const),
    ]);
    expect(planFacts({ startMs: MONTH, endMs: MONTH + DAYS * DAY_MS, resolution: 'month' }, known)).toEqual({
      rollups: { month: [], day: [{ startMs: MONTH + DAY_MS, build: 5 }], hour: [{ startMs: MONTH + 9 * HOUR_MS, build: 3 }] },
      events: [{ startMs: MONTH + HOUR_MS, endMs: MONTH + 3 * HOUR_MS }],
    });
  });
});
