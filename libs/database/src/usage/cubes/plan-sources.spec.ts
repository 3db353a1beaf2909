import { DAY_MS, findDimension, HOUR_MS, planUsageSegments, type DimensionRequest } from '@weir/usage';
import { findCube } from './cubes';
import { listTouchedDays, planSources } from './plan-sources';

const DAY = Date.UTC(2024, 1, 28);

function hours(startMs: number, endMs: number) {
  return planUsageSegments({ startMs, endMs }, 'hour');
}

describe('planning where hours are read', () => {
  test('exact days come from the cube, neighbours as one stretch, and no hour is left out or read twice', () => {
    const [startMs, endMs] = [DAY - 5 * HOUR_MS, DAY + 6 * DAY_MS + HOUR_MS];
    const exact = [DAY, DAY + DAY_MS, DAY + 3 * DAY_MS];
    expect(planSources(hours(startMs, endMs), 7, exact)).toEqual([
      { rollup: 'hour', startMs, endMs: DAY, cubeId: null },
      { rollup: 'hour', startMs: DAY, endMs: DAY + 2 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 2 * DAY_MS, endMs: DAY + 3 * DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + 3 * DAY_MS, endMs: DAY + 4 * DAY_MS, cubeId: 7 },
      { rollup: 'hour', startMs: DAY + 4 * DAY_MS, endMs, cubeId: null },
    ]);
    expect(listTouchedDays(hours(startMs, endMs))).toEqual({ startMs: DAY - DAY_MS, endMs: DAY + 7 * DAY_MS });
  });

  test('of a day of which only a part is asked, only that is read; days outside are not', () => {
    const range = { startMs: DAY + HOUR_MS, endMs: DAY + 2 * DAY_MS - HOUR_MS };
    expect(listTouchedDays(hours(range.startMs, range.endMs))).toEqual({ startMs: DAY, endMs: DAY + 2 * DAY_MS });
    expect(planSources(hours(range.startMs, range.endMs), 7, [DAY - DAY_MS, DAY, DAY + DAY_MS, DAY + 2 * DAY_MS])).toEqual([
      { rollup: 'hour', ...range, cubeId: 7 },
    ]);
    expect(planSources(hours(range.startMs, range.endMs), 7, [DAY + DAY_MS])).toEqual([
      { rollup: 'hour', startMs: range.startMs, endMs: DAY + DAY_MS, cubeId: null },
      { rollup: 'hour', startMs: DAY + DAY_MS, endMs: range.endMs, cubeId: 7 },
    ]);
    expect(planSources(hours(DAY + HOUR_MS, DAY + 3 * HOUR_MS), 7, [DAY])).toEqual([
      { rollup: 'hour', startMs: DAY + HOUR_MS, endMs: DAY + 3 * HOUR_MS, cubeId: 7 },
    ]);
  });

  test('days and months are read as they are', () => {
    const segments = planUsageSegments({ startMs: DAY, endMs: DAY + 40 * DAY_MS + HOUR_MS }, 'month');
    const planned = planSources(segments, 7, [DAY]);
    expect(planned.map(({ rollup, cubeId }) => [rollup, cubeId])).toEqual([
      ['day', null],
      ['month', null],
      ['day', null],
      ['hour', null],
    ]);
  });
});

describe('finding a cube', () => {
  const request = (name: string): DimensionRequest =>
    findDimension(name) ?? { dimension: { name, match: 'exact', column: 'extra', missing: '' }, field: null };

  test.each<[string[], boolean, number | undefined]>([
    [[], false, 1],
    [['model_used', 'is_byok'], false, 1],
    [['model_used'], true, 2],
    [['model_used', 'group_name', 'member_email', 'api_key_label.team', 'group_label.team', 'api_key_id'], false, 2],
    [['origin_title'], false, undefined],
    [['user_id'], false, undefined],
    [['model_used', 'extra.team'], true, undefined],
  ])('%j, of one key: %s', (groupBy, isOfOneKey, id) => {
    expect(findCube(groupBy.map(request), isOfOneKey)?.id).toBe(id);
  });
});
