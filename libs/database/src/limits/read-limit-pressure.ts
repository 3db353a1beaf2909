import type { LimitWindow } from '@weir/contracts';
import { findWindow } from '@weir/limits';
import type { Pool } from 'pg';
import { nullableArrayLiteral } from '../postgres/array-literal';

/** How full limits of one kind are: of all keys, members, end users and others that they count apart, the fullest. */
export type LimitPressure = {
  readonly scope: string;
  readonly measure: string;
  /** 1 where the limit is used up. */
  readonly fullest: number;
  /** How many are above four fifths. */
  readonly nearlyFull: number;
};

const RULES = {
  name: 'weir-list-limit-windows',
  text: `SELECT DISTINCT r.document->>'window' AS window_name, coalesce(o.settings->>'time_zone', 'UTC') AS time_zone
    FROM organization_rule r JOIN organization o ON o.id = r.organization_id
    WHERE r.kind = 'limit' AND r.document->>'window' IS NOT NULL`,
};

type Windows = { readonly window_name: LimitWindow; readonly time_zone: string };

/** Scopes are named `limit:<id>:<measure>:<partition>:<window>[@<start>]`; what was counted under another measure or window is left out. */
const PRESSURE = {
  name: 'weir-limit-pressure',
  text: `SELECT scope, measure, max(share)::float8 AS fullest, count(*) FILTER (WHERE share >= 0.8)::int AS nearly_full
    FROM (SELECT r.document->>'scope' AS scope, r.document->>'measure' AS measure,
        sum(u.used) / nullif((r.document->>'amount')::numeric * CASE r.document->>'measure' WHEN 'usd' THEN 1000000000000 ELSE 1 END, 0) AS share
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS asked(window_name, time_zone, first_start, last_start)
      JOIN organization o ON coalesce(o.settings->>'time_zone', 'UTC') = asked.time_zone
      JOIN organization_rule r ON r.organization_id = o.id AND r.kind = 'limit' AND r.document->>'window' = asked.window_name
      JOIN limit_usage u ON u.org_id = o.id AND u.limit_id = r.id AND split_part(u.scope, ':', 3) = r.document->>'measure'
        AND split_part(split_part(u.scope, ':', 5), '@', 1) = asked.window_name
        AND (asked.first_start IS NULL AND u.window_start IS NULL
          OR u.window_start BETWEEN to_timestamp(asked.first_start) AND to_timestamp(asked.last_start))
      GROUP BY r.id, split_part(u.scope, ':', 4)) s
    WHERE share IS NOT NULL GROUP BY scope, measure`,
};

type Row = { readonly scope: string; readonly measure: string; readonly fullest: number; readonly nearly_full: number };

/** Of the limits that organizations made, in the windows of now; without requests that run. */
export async function readLimitPressure(pool: Pool, nowMs: number): Promise<LimitPressure[]> {
  const { rows: windows } = await pool.query<Windows>(RULES);
  if (windows.length === 0) return [];
  const places = windows.map(({ window_name: name, time_zone: timeZone }) => findWindow(name, nowMs, timeZone));
  const seconds = (ms: number | undefined): string | null => (ms === undefined ? null : String(ms / 1000));
  const { rows } = await pool.query<Row>({
    ...PRESSURE,
    values: [
      windows.map(({ window_name: name }) => name),
      windows.map(({ time_zone: timeZone }) => timeZone),
      nullableArrayLiteral(places.map((place) => seconds(place === null ? undefined : Math.min(place.startMs, ...place.pastStartsMs)))),
      nullableArrayLiteral(places.map((place) => seconds(place?.startMs))),
    ],
  });
  return rows.map(({ scope, measure, fullest, nearly_full: nearlyFull }) => ({ scope, measure, fullest, nearlyFull }));
}
