import type { DimensionRequest } from '@weir/usage';

/** Hours or days with series added up that differ only in what is not kept. */
export type Cube = {
  /** As stored. */
  readonly id: number;
  readonly rollup: CubeRollup;
  /** Columns of `usage_series` by which its rows differ. */
  readonly kept: readonly string[];
  /** The cube it is added up from; null: the hours themselves. */
  readonly from: number | null;
};

/** Months are few rows as they are. */
type CubeRollup = 'hour' | 'day';

const WHAT = ['modality', 'model_requested', 'model_used', 'provider_used', 'is_byok'] as const;
const LABELS = ['key_label_set_id', 'group_label_set_id'] as const;
const WHO = ['api_key_id', 'user_id', 'group_id', ...LABELS] as const;

/**
 * Fewest rows first. Free text of callers, which makes most series, is in no cube of hours: queries about it read the
 * hours themselves. Cubes are numbered in the order in which they came to be: a day of which one is exact has all before it.
 */
export const CUBES: readonly Cube[] = [
  { id: 1, rollup: 'hour', kept: WHAT, from: 2 },
  { id: 2, rollup: 'hour', kept: [...WHAT, ...WHO], from: null },
  { id: 3, rollup: 'day', kept: WHAT, from: 1 },
  { id: 4, rollup: 'day', kept: [...WHAT, ...WHO], from: 2 },
  { id: 6, rollup: 'day', kept: ['modality', ...LABELS, 'extra'], from: 5 },
  { id: 5, rollup: 'day', kept: ['modality', ...WHO, 'extra'], from: null },
];

/** Each after the one it is added up from. */
export const CUBES_TO_BUILD: readonly Cube[] = [...CUBES].sort((a, b) => b.kept.length - a.kept.length || a.id - b.id);

/**
 * Those that are built of hours of a day that is not over. `usage_cube_day.exact_hours` counts for all of them: a later cube
 * of hours needs a count of its own.
 */
export const CUBES_OF_HOURS: readonly Cube[] = CUBES.filter(({ rollup }) => rollup === 'hour');

/** What a day has to be built with to be built; `usage_cube_day_waiting` names it too. */
export const NEWEST_CUBE = Math.max(...CUBES.map(({ id }) => id));

/** Of each rollup the smallest cube that can serve a query, if there is one. */
export type FoundCubes = Readonly<Record<CubeRollup, number | null>>;

/** `requests`: of what is asked, and of what is filtered by. `isOfSome`: of one key, member or group; what is kept of who asked is kept together. */
export function findCubes(requests: readonly DimensionRequest[], isOfSome: boolean): FoundCubes {
  const needed: string[] = requests.map(({ dimension }) => dimension.of);
  if (isOfSome) needed.push('api_key_id', 'user_id', 'group_id');
  const find = (of: CubeRollup): number | null =>
    CUBES.find(({ rollup, kept }) => rollup === of && needed.every((column) => kept.includes(column)))?.id ?? null;
  return { hour: find('hour'), day: find('day') };
}
