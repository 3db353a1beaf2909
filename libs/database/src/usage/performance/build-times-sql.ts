import type { DimensionRequest, UsageQuery } from '@weir/usage';
import { askedSeries } from '../queries/build-usage-sql';
import { dimensionsSql, type Bind } from '../queries/dimension-sql';
import { SERIES_COLUMNS } from '../series/series-columns';
import type { Slice } from './plan-slices';

type TimesSql = { readonly text: string; readonly values: readonly unknown[] };

type SqlParts = {
  /** What is asked, in the order of `group_by`. */
  readonly requests: readonly DimensionRequest[];
  readonly slices: readonly Slice[];
  /** Groups whose times are wanted, as JSON lists of their values, and those of them whose times by period are. */
  readonly groups: readonly string[];
  readonly groupsByPeriod: readonly string[];
};

/** One row for each period, each group, both, and neither. */
export type TimesRow = {
  /** Epoch seconds; null where it is of all periods. */
  readonly seconds: string | null;
  /** A JSON list; null where it is of all groups. */
  readonly groups: string | null;
  /** Of requests. */
  readonly requests: string;
  /** Two texts of whole milliseconds each, or null where no request has the time. */
  readonly ms: readonly (string | null)[] | null;
  readonly first_ms: readonly (string | null)[] | null;
};

/** What is read of an event beside what its series has: parsed once, and cast as the columns are. */
const EVENT_COLUMNS = [
  ...Object.entries(SERIES_COLUMNS).map(([name, { type }]) => `${name} ${type}`),
  ...['logical boolean', 'status text', 'admitted_at bigint', 'ended_at bigint', 'dur_ms bigint', 'ttft_ms bigint'],
];

const PERCENTILES = 'ARRAY[0.5, 0.95]';

/**
 * Times of requests, from their events: what the list of requests says of each. `s` is an event, and has the columns of its
 * series, so that conditions and groups are those of usage. Everything a caller wrote is a bind parameter.
 */
export function buildTimesSql(query: UsageQuery, { requests, slices, groups, groupsByPeriod }: SqlParts): TimesSql {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `${bind(query.organizationId)}::uuid`;
  const events = eventsSql(slices, organization, bind);
  const dimensions = dimensionsSql(requests, bind);
  const { conditions, joins } = askedSeries(query, organization, bind);
  const group = requests.length === 0 ? "'[]'" : `array_to_json(ARRAY[${dimensions.values.join(', ')}]::text[])::text`;
  const text = `WITH looked AS MATERIALIZED (
      SELECT extract(epoch FROM date_trunc('${query.resolution}', e.admitted_at, 'UTC'))::bigint AS seconds, ${group} AS grp,
        greatest(s.ended_at - s.admitted_at, s.dur_ms) AS ms, s.dur_ms, s.ttft_ms, s.status <> 'aborted_crash' AS is_timed
      FROM ${events} CROSS JOIN LATERAL json_to_record(e.payload) AS s(${EVENT_COLUMNS.join(', ')})
      ${[...new Set([...dimensions.joins, ...joins])].join(' ')}
      WHERE s.logical AND ${conditions.join(' AND ')}
    ), timed AS (
      SELECT seconds, CASE WHEN grp = ANY(${bind(groups)}::text[]) THEN grp END AS grp,
        CASE WHEN grp = ANY(${bind(groupsByPeriod)}::text[]) THEN grp END AS period_grp,
        CASE WHEN is_timed THEN ms END AS ms, CASE WHEN is_timed THEN ms - dur_ms + ttft_ms END AS first_ms
      FROM looked
    )
    ${selectTimes('NULL', 'NULL', '')}
    UNION ALL ${selectTimes('seconds', 'NULL', 'GROUP BY seconds')}
    ${requests.length === 0 ? '' : `UNION ALL ${selectTimes('NULL', 'grp', 'WHERE grp IS NOT NULL GROUP BY grp')}`}
    ${requests.length === 0 ? '' : `UNION ALL ${selectTimes('seconds', 'period_grp', 'WHERE period_grp IS NOT NULL GROUP BY seconds, period_grp')}`}`;
  return { text, values };
}

/** Of each slice all events, or the first so many in the order of the index. */
function eventsSql(slices: readonly Slice[], organization: string, bind: Bind): string {
  const lists = [
    `${bind(slices.map(({ startMs }) => startMs))}::bigint[]`,
    `${bind(slices.map(({ endMs }) => endMs))}::bigint[]`,
    `${bind(slices.map(({ quota }) => quota))}::bigint[]`,
  ];
  const ofSlice = `SELECT admitted_at, payload FROM usage_event WHERE org_id = ${organization}
    AND admitted_at >= to_timestamp(slice.start_ms / 1000.0) AND admitted_at < to_timestamp(slice.end_ms / 1000.0)`;
  const isWhole = slices.every(({ quota }) => quota === null);
  return `unnest(${lists.join(', ')}) AS slice(start_ms, end_ms, quota)
    CROSS JOIN LATERAL (${isWhole ? ofSlice : `${ofSlice} ORDER BY admitted_at LIMIT slice.quota`}) AS e`;
}

function selectTimes(seconds: string, groups: string, rest: string): string {
  return `SELECT ${seconds}::text AS seconds, ${groups}::text AS groups, count(*)::text AS requests,
      percentile_disc(${PERCENTILES}) WITHIN GROUP (ORDER BY ms)::text[] AS ms,
      percentile_disc(${PERCENTILES}) WITHIN GROUP (ORDER BY first_ms)::text[] AS first_ms
    FROM timed ${rest}`;
}
