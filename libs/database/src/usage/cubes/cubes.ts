import type { DimensionColumn, DimensionRequest } from '@weir/usage';

/** Hours with series added up that differ only in what is not kept. */
export type Cube = {
  /** As stored. */
  readonly id: number;
  /** Columns of `usage_series` by which its rows differ. */
  readonly kept: readonly string[];
};

const WHAT = ['modality', 'model_requested', 'model_used', 'provider_used', 'is_byok'] as const;
const WHO = ['api_key_id', 'user_id', 'group_id', 'key_label_set_id', 'group_label_set_id'] as const;

/** Fewest rows first. Free text of callers, which makes most series, is in none: questions about it read the hours themselves. */
export const CUBES: readonly Cube[] = [
  { id: 1, kept: WHAT },
  { id: 2, kept: [...WHAT, ...WHO] },
];

/** The column of `usage_series` that a dimension's value stands in or is found by. */
const SERIES_COLUMNS: Readonly<Record<DimensionColumn, string>> = {
  group_name: 'group_id',
  group_id: 'group_id',
  member_id: 'user_id',
  member_email: 'user_id',
  end_user_id: 'end_user_id',
  api_key_id: 'api_key_id',
  model_requested: 'model_requested',
  model_used: 'model_used',
  provider_used: 'provider_used',
  is_byok: 'is_byok',
  origin_title: 'origin_title',
  extra: 'extra',
  key_labels: 'key_label_set_id',
  group_labels: 'group_label_set_id',
};

/** The smallest cube that can answer a question, or undefined. */
export function findCube(requests: readonly DimensionRequest[], isOfOneKey: boolean): Cube | undefined {
  const needed = requests.map(({ dimension }) => SERIES_COLUMNS[dimension.column]);
  if (isOfOneKey) needed.push('api_key_id');
  return CUBES.find(({ kept }) => needed.every((column) => kept.includes(column)));
}
