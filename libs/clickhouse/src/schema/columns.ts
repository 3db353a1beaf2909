import { MEASURE_COLUMNS, type Dimension, type MeasureColumn, type SeriesDimensions } from '@weir/usage';

type SeriesColumn = {
  readonly type: string;
  /** As JSON. */
  readonly of: (series: SeriesDimensions) => unknown;
};

const TEXT = 'LowCardinality(String)';

/**
 * What usage can be sliced by, in events and in sums alike, by the names that the fields have in usage events. What is missing
 * here for a new dimension needs a line here and a statement in `tables.ts` that adds the column.
 */
export const SERIES_COLUMNS = {
  api_key_id: { type: 'UUID', of: (series) => series.apiKeyId },
  user_id: { type: 'Nullable(UUID)', of: (series) => series.userId },
  group_id: { type: 'Nullable(UUID)', of: (series) => series.groupId },
  key_label_set_id: { type: 'Nullable(UUID)', of: (series) => series.keyLabelSetId },
  group_label_set_id: { type: 'Nullable(UUID)', of: (series) => series.groupLabelSetId },
  is_byok: { type: 'Bool', of: (series) => series.isByok },
  model_requested: { type: TEXT, of: (series) => series.modelRequested },
  model_used: { type: TEXT, of: (series) => series.modelUsed },
  provider_used: { type: TEXT, of: (series) => series.providerUsed },
  origin_title: { type: 'Nullable(String)', of: (series) => series.originTitle },
  end_user_id: { type: 'Nullable(String)', of: (series) => series.endUserId },
  endpoint: { type: TEXT, of: (series) => series.endpoint },
  modality: { type: TEXT, of: (series) => series.modality },
  extra: { type: 'Map(String, String)', of: (series) => Object.fromEntries(series.extra) },
} as const satisfies Readonly<Record<Dimension['of'], SeriesColumn>> & Readonly<Record<string, SeriesColumn>>;

export const SERIES_NAMES = Object.keys(SERIES_COLUMNS);

export const MEASURE_NAMES = Object.keys(MEASURE_COLUMNS) as MeasureColumn[];

/** Whole numbers: money is pico-dollars, of which 64 bits hold nine million dollars only. */
export function measureType(column: MeasureColumn): string {
  return column.endsWith('_pico') ? 'Int128' : 'Int64';
}
