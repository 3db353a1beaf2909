import { DAY_MS, findDimension, HOUR_MS, planUsageSegments, type DimensionRequest } from '@weir/usage';
import { CUBES, CUBES_TO_BUILD, findCubes } from './cubes';
import { findCubesWanted, planSources } from './plan-sources';

const DAY = Date.UTC(2024, 1, 28);
/** Of hours alone. */
const SEVENTH = { hour: 7, day: null };

function hours(startMs: number, endMs: number) {
  return planUsageSegments({ startMs, endMs }, 'hour');
}

describe('planning where hours and days are read', () => {
  test('exact days come from the cube, neighbours as one stretch, and no hour is left out or read twice', () => {
    const [startMs, endMs] = [DAY - 5 * HOUR_MS, DAY + 6 * DAY_MS + HOUR_MS];
    const exact = [DAY, DAY + DAY_MS, DAY + 3 * DAY_MS];
    expect(planSources(hours(startMs, endMs), SEVENTH, exact)).toEqual([
      { rollup: 'hour', startMs, endMs: DAY, cubeId: null },
      { rollup: 'hour', startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 2 * DAY_MS, endMs: DAY + 3 * DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + 3 * DAY_MS, endMs: DAY + 4 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 4 * DAY_MS, endMs, cubeId: null },
    ]);
    expect(findCubesWanted(hours(startMs, endMs), SEVENTH)).toEqual({ startMs: DAY - DAY_MS, endMs: DAY + 7 * DAY_MS, cubeId: 7 });
  });

  test('of a day of which only a part is asked, only that is read; days outside are not', () => {
    const range = { startMs: DAY + HOUR_MS, endMs: DAY + 2 * DAY_MS - HOUR_MS };
    expect(findCubesWanted(hours(range.startMs, range.endMs), SEVENTH)).toEqual({ startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 7 });
    expect(planSources(hours(range.startMs, range.endMs), SEVENTH, [DAY - DAY_MS, DAY, DAY + DAY_MS, DAY + 2 * DAY_MS])).toEqual([
      { rollup: 'hour', ...range, cubeId: 7 },
    ]);
    expect(planSources(hours(range.startMs, range.endMs), SEVENTH, [DAY + DAY_MS])).toEqual([
      { rollup: 'hour', startMs: range.startMs, endMs: DAY + DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + DAY_MS, endMs: range.endMs, cubeId: 7 },
    ]);
    expect(planSources(hours(DAY + HOUR_MS, DAY + 3 * HOUR_MS), SEVENTH, [DAY])).toEqual([
      { rollup: 'hour', startMs: DAY + HOUR_MS, endMs: DAY + 3 * HOUR_MS, cubeId: 7 },
    ]);
  });

  test('months are read as they are, and so is what no cube could answer', () => {
    const segments = planUsageSegments({ startMs: DAY, endMs: DAY + 40 * DAY_MS + HOUR_MS }, 'month');
    const planned = planSources(segments, { hour: 7, day: 8 }, [DAY]);
    expect(planned.map(({ rollup, cubeId }) => [rollup, cubeId])).toEqual([
      ['day', 8],
      ['day', null],
      ['month', null],
      ['day', null],
      ['hour', null],
    ]);
    expect(findCubesWanted(segments, { hour: 7, day: 8 })).toEqual({ startMs: DAY, endMs: DAY + 41 * DAY_MS, cubeId: 8 });
    const none = { hour: null, day: null };
    expect(findCubesWanted(segments, none)).toBeUndefined();
    expect(planSources(segments, none, [])).toEqual(segments.map((segment) => ({ ...segment, cubeId: null })));
  });

  test('days from a cube of days, the edges from hours', () => {
    const [startMs, endMs] = [DAY - 5 * HOUR_MS, DAY + 4 * DAY_MS];
    const exact = [DAY - DAY_MS, DAY, DAY + DAY_MS, DAY + 3 * DAY_MS];
    const segments = planUsageSegments({ startMs, endMs }, 'day');
    const days = [
      { rollup: 'day', startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 5 },
      { rollup: 'day', startMs: DAY + 2 * DAY_MS, endMs: DAY + 3 * DAY_MS, cubeId: null },
      { rollup: 'day', startMs: DAY + 3 * DAY_MS, endMs, cubeId: 5 },
    ];
    expect(planSources(segments, { hour: 2, day: 5 }, exact)).toEqual([{ rollup: 'hour', startMs, endMs: DAY, cubeId: 2 }, ...days]);
    expect(planSources(segments, { hour: null, day: 5 }, exact)).toEqual([{ rollup: 'hour', startMs, endMs: DAY, cubeId: null }, ...days]);
    expect(findCubesWanted(segments, { hour: null, day: 5 })).toEqual({ startMs: DAY, endMs, cubeId: 5 });
  });
});

describe('finding a cube', () => {
  const request = (name: string): DimensionRequest =>
    findDimension(name) ?? { dimension: { name, match: 'exact', column: 'extra', missing: '' }, field: null };

  test.each<[string[], boolean, number | null, number | null]>([
    [[], false, 1, 3],
    [['model_used', 'is_byok'], false, 1, 3],
    [['model_used'], true, 2, 4],
    [['model_used', 'group_name', 'member_email', 'api_key_label.team', 'group_label.team', 'api_key_id'], false, 2, 4],
    [['origin_title'], false, null, null],
    [['user_id'], false, null, null],
    [['extra.feature', 'api_key_label.team'], true, null, 5],
    [['model_used', 'extra.team'], true, null, null],
  ])('%j, of one key: %s', (groupBy, isOfOneKey, hour, day) => {
    expect(findCubes(groupBy.map(request), isOfOneKey)).toEqual({ hour, day });
  });
});

describe('cubes', () => {
  test('are added up from what is as fine as they are and there before them', () => {
    expect([...CUBES_TO_BUILD].sort((a, b) => a.id - b.id)).toEqual(CUBES);
    for (const [at, { kept, from, rollup }] of CUBES_TO_BUILD.entries()) {
      if (from === null) continue;
      const source = CUBES_TO_BUILD.slice(0, at).find(({ id }) => id === from);
      expect(source?.kept).toEqual(expect.arrayContaining([...kept]));
      expect(source?.rollup === 'hour' || rollup === 'day').toBe(true);
    }
  });
});
