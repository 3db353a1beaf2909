import { findDimension, type Dimension, type DimensionRequest, type UsageFilter } from '@weir/usage';
import { invariant } from '@weir/errors';
import { SERIES_COLUMNS } from '../series/series-columns';

type DimensionSql = {
  /** Of the value as text; null where there is none. `s` is the series, `field` a bind parameter. */
  readonly value: (field: string) => string;
  /** What has to be joined for it. */
  readonly join?: string;
  /** The column that has the value, where it is no text: compared as it is, so that Postgres knows how many rows have it. */
  readonly plain?: { readonly column: string; readonly type: 'uuid' | 'boolean' };
};

const GROUP_JOIN = 'LEFT JOIN user_group grp ON grp.id = s.group_id AND grp.organization_id = s.org_id';
const MEMBER_JOIN = 'LEFT JOIN user_account member ON member.id = s.user_id';
const KEY_LABEL_JOIN = 'LEFT JOIN label_set key_labels ON key_labels.id = s.key_label_set_id AND key_labels.organization_id = s.org_id';
const GROUP_LABEL_JOIN =
  'LEFT JOIN label_set group_labels ON group_labels.id = s.group_label_set_id AND group_labels.organization_id = s.org_id';

/** Names and e-mails are today's; labels are those of the set that was in force when the request was admitted. */
const JOINED_SQL: Readonly<Record<NonNullable<Dimension['joined']>, DimensionSql>> = {
  group_name: { value: () => 'grp.name', join: GROUP_JOIN },
  member_email: { value: () => 'member.email', join: MEMBER_JOIN },
  key_labels: { value: (field) => `key_labels.labels ->> ${field}::text`, join: KEY_LABEL_JOIN },
  group_labels: { value: (field) => `group_labels.labels ->> ${field}::text`, join: GROUP_LABEL_JOIN },
};

function sqlOf({ of, joined }: Dimension): DimensionSql {
  if (joined !== undefined) return JOINED_SQL[joined];
  const column = `s.${of}`;
  const { type } = SERIES_COLUMNS[of];
  if (type === 'jsonb') return { value: (field) => `${column} ->> ${field}::text` };
  return type === 'text' ? { value: () => column } : { value: () => `${column}::text`, plain: { column, type } };
}

/** Everything of a series that stands in another table: `grp`, `member`, `key_labels`, `group_labels`. */
export const SERIES_JOINS: readonly string[] = [GROUP_JOIN, MEMBER_JOIN, KEY_LABEL_JOIN, GROUP_LABEL_JOIN];

/** Makes a bind parameter of a value. */
export type Bind = (value: unknown) => string;

export type DimensionsSql = { readonly values: readonly string[]; readonly joins: readonly string[] };

/** The SQL of the asked dimensions; caller-chosen names become bind parameters through `bind`. */
export function dimensionsSql(requests: readonly DimensionRequest[], bind: Bind): DimensionsSql {
  const values = requests.map(({ dimension, field }) => {
    const { value } = sqlOf(dimension);
    return `coalesce(${value(field === null ? '' : bind(field))}, ${bind(dimension.missing)})`;
  });
  const joins = requests.flatMap(({ dimension }) => sqlOf(dimension).join ?? []);
  return { values, joins: [...new Set(joins)] };
}

export type ConditionsSql = { readonly conditions: readonly string[]; readonly joins: readonly string[] };

/** What series must satisfy to have one of the values in each of the filters' dimensions. */
export function conditionsSql(filters: readonly UsageFilter[], bind: Bind): ConditionsSql {
  const asked = filters.map(({ name, values }) => ({ values, request: requestOf(name) }));
  return {
    conditions: asked.map(({ values, request }) => conditionSql(request, values, bind)),
    joins: [...new Set(asked.flatMap(({ request }) => sqlOf(request.dimension).join ?? []))],
  };
}

/** A filter's dimension; its name was checked when the query was read. */
export function requestOf(name: string): DimensionRequest {
  const request = findDimension(name);
  invariant(request !== undefined, `${name} was checked to be a dimension`);
  return request;
}

function conditionSql({ dimension, field }: DimensionRequest, values: readonly string[], bind: Bind): string {
  const { value, plain } = sqlOf(dimension);
  const column = plain?.column ?? value(field === null ? '' : bind(field));
  // What a value is missing under is also a text that a caller may have written: both are counted under it.
  const compared = plain === undefined ? values : values.filter((one) => one !== dimension.missing);
  const isOneOf = `${column} = ANY(${bind(compared)}::${plain?.type ?? 'text'}[])`;
  return values.includes(dimension.missing) ? `(${isOneOf} OR ${column} IS NULL)` : isOneOf;
}
