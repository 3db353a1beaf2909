import type { Dimension, SeriesDimensions } from '@weir/usage';
import { arrayLiteral, nullableArrayLiteral } from '../../postgres/array-literal';

type SeriesColumn = {
  readonly type: 'uuid' | 'boolean' | 'text' | 'jsonb';
  /** The column of many series, as a bind parameter. */
  readonly bind: (all: readonly SeriesDimensions[]) => unknown;
};

/**
 * The columns of `usage_series` after its hash, by the names that the fields have in usage events. Every dimension is kept in
 * one of them: what is missing here for a new dimension needs a line here, a field in `SeriesDimensions` and a migration.
 */
export const SERIES_COLUMNS = {
  org_id: { type: 'uuid', bind: (all) => arrayLiteral(all.map((series) => series.organizationId)) },
  api_key_id: { type: 'uuid', bind: (all) => arrayLiteral(all.map((series) => series.apiKeyId)) },
  user_id: { type: 'uuid', bind: (all) => nullableArrayLiteral(all.map((series) => series.userId)) },
  group_id: { type: 'uuid', bind: (all) => nullableArrayLiteral(all.map((series) => series.groupId)) },
  key_label_set_id: { type: 'uuid', bind: (all) => nullableArrayLiteral(all.map((series) => series.keyLabelSetId)) },
  group_label_set_id: { type: 'uuid', bind: (all) => nullableArrayLiteral(all.map((series) => series.groupLabelSetId)) },
  is_byok: { type: 'boolean', bind: (all) => arrayLiteral(all.map((series) => String(series.isByok))) },
  model_requested: { type: 'text', bind: (all) => all.map((series) => series.modelRequested) },
  model_used: { type: 'text', bind: (all) => all.map((series) => series.modelUsed) },
  provider_used: { type: 'text', bind: (all) => all.map((series) => series.providerUsed) },
  origin_title: { type: 'text', bind: (all) => all.map((series) => series.originTitle) },
  end_user_id: { type: 'text', bind: (all) => all.map((series) => series.endUserId) },
  endpoint: { type: 'text', bind: (all) => all.map((series) => series.endpoint) },
  modality: { type: 'text', bind: (all) => all.map((series) => series.modality) },
  extra: { type: 'jsonb', bind: (all) => all.map((series) => JSON.stringify(Object.fromEntries(series.extra))) },
} as const satisfies Readonly<Record<Dimension['of'], SeriesColumn>> & Readonly<Record<string, SeriesColumn>>;
