import type { DimensionColumn, DimensionRequest } from '@weir/usage';

type DimensionSql = {
  /** Of the value as text; null where there is none. `s` is the series, `field` a bind parameter. */
  readonly value: (field: string) => string;
  /** What has to be joined for it. */
  readonly join?: string;
};

const GROUP_JOIN = 'LEFT JOIN user_group grp ON grp.id = s.group_id AND grp.organization_id = s.org_id';
const MEMBER_JOIN = 'LEFT JOIN user_account member ON member.id = s.user_id';
const KEY_LABEL_JOIN = 'LEFT JOIN label_set key_labels ON key_labels.id = s.key_label_set_id AND key_labels.organization_id = s.org_id';
const GROUP_LABEL_JOIN =
  'LEFT JOIN label_set group_labels ON group_labels.id = s.group_label_set_id AND group_labels.organization_id = s.org_id';

/** Names and e-mails are today's; labels are those of the set that was in force when the request was admitted. */
const COLUMN_SQL: Readonly<Record<DimensionColumn, DimensionSql>> = {
  group_name: { value: () => 'grp.name', join: GROUP_JOIN },
  group_id: { value: () => 's.group_id::text' },
  member_id: { value: () => 's.user_id::text' },
  member_email: { value: () => 'member.email', join: MEMBER_JOIN },
  end_user_id: { value: () => 's.end_user_id' },
  api_key_id: { value: () => 's.api_key_id::text' },
  model_requested: { value: () => 's.model_requested' },
  model_used: { value: () => 's.model_used' },
  provider_used: { value: () => 's.provider_used' },
  is_byok: { value: () => 's.is_byok::text' },
  origin_title: { value: () => 's.origin_title' },
  extra: { value: (field) => `s.extra ->> ${field}::text` },
  key_labels: { value: (field) => `key_labels.labels ->> ${field}::text`, join: KEY_LABEL_JOIN },
  group_labels: { value: (field) => `group_labels.labels ->> ${field}::text`, join: GROUP_LABEL_JOIN },
};

export type DimensionsSql = { readonly values: readonly string[]; readonly joins: readonly string[] };

/** The SQL of the asked dimensions; caller-chosen names become bind parameters through `bind`. */
export function dimensionsSql(requests: readonly DimensionRequest[], bind: (value: string) => string): DimensionsSql {
  const values = requests.map(({ dimension, field }) => {
    const { value } = COLUMN_SQL[dimension.column];
    return `coalesce(${value(field === null ? '' : bind(field))}, ${bind(dimension.missing)})`;
  });
  const joins = requests.flatMap(({ dimension }) => COLUMN_SQL[dimension.column].join ?? []);
  return { values, joins: [...new Set(joins)] };
}
