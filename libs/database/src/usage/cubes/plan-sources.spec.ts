import { DAY_MS, findDimension, HOUR_MS, planUsageSegments, type DimensionRequest } from '@weir/usage';
import { CUBES, CUBES_OF_HOURS, CUBES_TO_BUILD, findCubes } from './cubes';
import { findCubeDays, planSources, type ExactDay } from './plan-sources';

const DAY = Date.UTC(2024, 1, 28);
/** Of hours alone. */
const SEVENTH = { hour: 7, day: null };

/** All of the day up to cube 8, and nothing but that. */
function whole(startMs: number): ExactDay {
  return { startMs, cubes: 8, hours: 0 };
}

function hours(startMs: number, endMs: number) {
  return planUsageSegments({ startMs, endMs }, 'hour');
}

describe('planning where hours and days are read', () => {
  test('exact days come from the cube, neighbours as one stretch, and no hour is left out or read twice', () => {
    const [startMs, endMs] = [DAY - 5 * HOUR_MS, DAY + 6 * DAY_MS + HOUR_MS];
    const exact = [DAY, DAY + DAY_MS, DAY + 3 * DAY_MS].map(whole);
    expect(planSources(hours(startMs, endMs), SEVENTH, exact)).toEqual([
      { rollup: 'hour', startMs, endMs: DAY, cubeId: null },
      { rollup: 'hour', startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 2 * DAY_MS, endMs: DAY + 3 * DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + 3 * DAY_MS, endMs: DAY + 4 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 4 * DAY_MS, endMs, cubeId: null },
    ]);
    expect(findCubeDays(hours(startMs, endMs), SEVENTH)).toEqual({ startMs: DAY - DAY_MS, endMs: DAY + 7 * DAY_MS });
  });

  test('of a day of which only a part is asked, only that is read; days outside are not', () => {
    const range = { startMs: DAY + HOUR_MS, endMs: DAY + 2 * DAY_MS - HOUR_MS };
    expect(findCubeDays(hours(range.startMs, range.endMs), SEVENTH)).toEqual({ startMs: DAY, endMs: DAY + 2 * DAY_MS });
    const around = [DAY - DAY_MS, DAY, DAY + DAY_MS, DAY + 2 * DAY_MS].map(whole);
    expect(planSources(hours(range.startMs, range.endMs), SEVENTH, around)).toEqual([{ rollup: 'hour', ...range, cubeId: 7 }]);
    expect(planSources(hours(range.startMs, range.endMs), SEVENTH, [whole(DAY + DAY_MS)])).toEqual([
      { rollup: 'hour', startMs: range.startMs, endMs: DAY + DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + DAY_MS, endMs: range.endMs, cubeId: 7 },
    ]);
    expect(planSources(hours(DAY + HOUR_MS, DAY + 3 * HOUR_MS), SEVENTH, [whole(DAY)])).toEqual([
      { rollup: 'hour', startMs: DAY + HOUR_MS, endMs: DAY + 3 * HOUR_MS, cubeId: 7 },
    ]);
  });

  test('months are read as they are, and so is what no cube has', () => {
    const segments = planUsageSegments({ startMs: DAY, endMs: DAY + 40 * DAY_MS + HOUR_MS }, 'month');
    const planned = planSources(segments, { hour: 7, day: 8 }, [whole(DAY)]);
    expect(planned.map(({ rollup, cubeId }) => [rollup, cubeId])).toEqual([
      ['day', 8],
      ['day', null],
      ['month', null],
      ['day', null],
      ['hour', null],
    ]);
    expect(findCubeDays(segments, { hour: 7, day: 8 })).toEqual({ startMs: DAY, endMs: DAY + 41 * DAY_MS });
    const none = { hour: null, day: null };
    expect(findCubeDays(segments, none)).toBeUndefined();
    expect(planSources(segments, none, [])).toEqual(segments.map((segment) => ({ ...segment, cubeId: null })));
  });

  test('days from a cube of days, the edges from hours', () => {
    const [startMs, endMs] = [DAY - 5 * HOUR_MS, DAY + 4 * DAY_MS];
    const exact = [DAY - DAY_MS, DAY, DAY + DAY_MS, DAY + 3 * DAY_MS].map(whole);
    const segments = planUsageSegments({ startMs, endMs }, 'day');
    const days = [
      { rollup: 'day', startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 5 },
      { rollup: 'day', startMs: DAY + 2 * DAY_MS, endMs: DAY + 3 * DAY_MS, cubeId: null },
      { rollup: 'day', startMs: DAY + 3 * DAY_MS, endMs, cubeId: 5 },
    ];
    expect(planSources(segments, { hour: 2, day: 5 }, exact)).toEqual([{ rollup: 'hour', startMs, endMs: DAY, cubeId: 2 }, ...days]);
    expect(planSources(segments, { hour: null, day: 5 }, exact)).toEqual([{ rollup: 'hour', startMs, endMs: DAY, cubeId: null }, ...days]);
    expect(findCubeDays(segments, { hour: null, day: 5 })).toEqual({ startMs: DAY, endMs });
  });
});

describe('planning days of which only hours are exact', () => {
  const today: ExactDay = { startMs: DAY, cubes: 0, hours: 7 };
  const FIRST = { hour: 1, day: 3 };

  test('the exact hours come from the cube, whatever part of them is asked', () => {
    const read = (fromHour: number, untilHour: number, exact = [today]) =>
      planSources(hours(DAY + fromHour * HOUR_MS, DAY + untilHour * HOUR_MS), FIRST, exact).map(({ startMs, endMs, cubeId }) => [
        (startMs - DAY) / HOUR_MS,
        (endMs - DAY) / HOUR_MS,
        cubeId,
      ]);
    expect(read(-12, 12, [whole(DAY - DAY_MS), today])).toEqual([
      [-12, 7, 1],
      [7, 12, null],
    ]);
    expect(read(2, 6)).toEqual([[2, 6, 1]]);
    expect(read(6, 8)).toEqual([
      [6, 7, 1],
      [7, 8, null],
    ]);
    expect(read(7, 9)).toEqual([[7, 9, null]]);
    expect(read(-3, 27, [{ ...today, startMs: DAY - DAY_MS, hours: 24 }, today, whole(DAY + DAY_MS)])).toEqual([
      [-3, 7, 1],
      [7, 24, null],
      [24, 27, 1],
    ]);
  });

  test('cubes of the day, and cubes of hours that are not built of hours, are not read', () => {
    const segments = planUsageSegments({ startMs: DAY, endMs: DAY + DAY_MS + 2 * HOUR_MS }, 'day');
    expect(
      planSources(segments, FIRST, [today, { ...today, startMs: DAY + DAY_MS }]).map(({ rollup, cubeId }) => [rollup, cubeId]),
    ).toEqual([
      ['day', null],
      ['hour', 1],
    ]);
    expect(planSources(hours(DAY, DAY + HOUR_MS), SEVENTH, [today])).toMatchObject([{ cubeId: null }]);
  });

  test('of the day as a whole only the cubes it was built with', () => {
    const segments = planUsageSegments({ startMs: DAY, endMs: DAY + DAY_MS }, 'day');
    const plan = (cubes: number) => planSources(segments, { hour: 1, day: 5 }, [{ startMs: DAY, cubes, hours: 24 }])[0]?.cubeId;
    expect([plan(0), plan(2), plan(4), plan(5)]).toEqual([null, null, null, 5]);
  });
});

describe('finding a cube', () => {
  const request = (name: string): DimensionRequest =>
    findDimension(name) ?? { dimension: { name, match: 'exact', of: 'extra', missing: '' }, field: null };

  test.each<[string[], boolean, number | null, number | null]>([
    [[], false, 1, 3],
    [['model_used', 'is_byok'], false, 1, 3],
    [['model_used'], true, 2, 4],
    [['model_used', 'group_name', 'member_email', 'api_key_label.team', 'group_label.team', 'api_key_id'], false, 2, 4],
    [['origin_title'], false, null, null],
    [['user_id'], false, null, null],
    [['extra.feature', 'api_key_label.team'], false, null, 6],
    [['extra.feature', 'api_key_id'], false, null, 5],
    [['extra.feature', 'api_key_label.team'], true, null, 5],
    [['model_used', 'extra.team'], true, null, null],
  ])('%j, of one key: %s', (groupBy, isOfOneKey, hour, day) => {
    expect(findCubes(groupBy.map(request), isOfOneKey)).toEqual({ hour, day });
  });
});

describe('cubes', () => {
  test('those of hours are added up from nothing but hours', () => {
    expect(CUBES_OF_HOURS.map(({ id }) => id)).toEqual([1, 2]);
    for (const { from } of CUBES_OF_HOURS) expect([null, ...CUBES_OF_HOURS.map(({ id }) => id)]).toContain(from);
  });

  test('are added up from what is as fine as they are and there before them', () => {
    const byId = (cubes: typeof CUBES) => [...cubes].sort((a, b) => a.id - b.id);
    expect(byId(CUBES_TO_BUILD)).toEqual(byId(CUBES));
    for (const [at, { kept, from, rollup }] of CUBES_TO_BUILD.entries()) {
      if (from === null) continue;
      const source = CUBES_TO_BUILD.slice(0, at).find(({ id }) => id === from);
      expect(source?.kept).toEqual(expect.arrayContaining([...kept]));
      expect(source?.rollup === 'hour' || rollup === 'day').toBe(true);
    }
  });
});
