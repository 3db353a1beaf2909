import type { LimitWindow } from '@weir/contracts';
import { findWindow } from '@weir/limits';
import type { Pool } from 'pg';
import { arrayLiteral, nullableArrayLiteral } from '../postgres/array-literal';
import { LAST_OF_EPISODE, NOW, RECOVERY_DAYS } from './write-crossings';

/** A limit for each of many may be reached by many at once: the rest is reported later, as long as it holds. */
const NOTICES_AN_HOUR = 60;
/** Usage of the last seconds of a window is counted after its end. */
const LATE_STEPS_MS = [60_000, 120_000];

const ALERTS = {
  name: 'weir-list-limit-alerts',
  text: `SELECT a.id AS alert_id, r.document->>'window' AS window_name, coalesce(o.settings->>'time_zone', 'UTC') AS time_zone
    FROM alert a
    JOIN organization o ON o.id = a.org_id
    JOIN organization_rule r ON r.id = CASE a.scope WHEN 'limit' THEN a.scope_id::uuid END AND r.organization_id = a.org_id AND r.kind = 'limit'
    WHERE a.scope = 'limit' AND r.document->>'window' IS NOT NULL`,
};

type AlertRow = { readonly alert_id: string; readonly window_name: LimitWindow; readonly time_zone: string };

/** Windows that count together for an alert, and what a notice about them is once for. */
type AskedWindow = {
  readonly alertId: string;
  readonly window: LimitWindow;
  /** Starts of the first and last of them; null for a limit without windows. */
  readonly starts: { readonly firstMs: number; readonly lastMs: number } | null;
  /** Null where the window has no end of its own. */
  readonly endMs: number | null;
  readonly isCurrent: boolean;
  /** After the name of the scope without its start. */
  readonly suffix: string;
};

/** The window of now, and those that have just ended. */
function askWindows({ alert_id: alertId, window_name: window, time_zone: timeZone }: AlertRow, nowMs: number): AskedWindow[] {
  const place = findWindow(window, nowMs, timeZone);
  if (place === null) return [{ alertId, window, starts: null, endMs: null, isCurrent: true, suffix: '' }];
  const { startMs, endMs, pastStartsMs } = place;
  if (pastStartsMs.length > 0) {
    const starts = { firstMs: Math.min(...pastStartsMs), lastMs: startMs };
    return [{ alertId, window, starts, endMs: null, isCurrent: true, suffix: nameEpisode(window, nowMs) }];
  }
  const ask = (at: { startMs: number; endMs: number }, isCurrent: boolean): AskedWindow => ({
    ...{ alertId, window, isCurrent, endMs: at.endMs, suffix: nameEpisode(window, at.startMs) },
    starts: { firstMs: at.startMs, lastMs: at.startMs },
  });
  const ended = LATE_STEPS_MS.map((lateMs) => findWindow(window, nowMs - lateMs, timeZone)).filter((late) => late !== null);
  const others = new Map(ended.filter((late) => late.startMs !== startMs).map((late) => [late.startMs, late]));
  return [ask({ startMs, endMs }, true), ...[...others.values()].map((late) => ask(late, false))];
}

/** Of minutes, one notice an hour; a rolling window never begins anew, and is reported once a day or month. */
function nameEpisode(window: LimitWindow, atMs: number): string {
  const instant = new Date(atMs).toISOString();
  if (window === 'minute') return `@${instant.slice(0, 13)}`;
  if (window === '24h') return `@${instant.slice(0, 10)}`;
  return window === '30d' ? `@${instant.slice(0, 7)}` : `@${atMs / 1000}`;
}

function bindWindows(asked: readonly AskedWindow[]): unknown[] {
  const seconds = (ms: number | undefined | null): string | null => (ms === undefined || ms === null ? null : String(ms / 1000));
  return [
    arrayLiteral(asked.map(({ alertId }) => alertId)),
    asked.map(({ window }) => window),
    nullableArrayLiteral(asked.map(({ starts }) => seconds(starts?.firstMs))),
    nullableArrayLiteral(asked.map(({ starts }) => seconds(starts?.lastMs))),
    nullableArrayLiteral(asked.map(({ endMs }) => seconds(endMs))),
    arrayLiteral(asked.map(({ isCurrent }) => String(isCurrent))),
    asked.map(({ suffix }) => suffix),
  ];
}

/**
 * Alerts about limits, with all that the limit has counted for one partition in the windows that are asked for. The names of
 * scopes are `limit:<id>:<measure>:<partition>:<window>[@<start>]`; what was counted before the limit was given another
 * measure or window is left out, and so are amounts of another unit.
 */
const STATES = `SELECT a.id AS alert_id, a.org_id, a.repeat_hours, r.name, r.document, n.unit, n.partition, asked.is_current,
    to_timestamp(asked.ends_at) AS ends_at, split_part(min(u.scope), '@', 1) || asked.suffix AS episode, sum(u.used) AS value, t.threshold
  FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], $8::text[])
    AS asked(alert_id, window_name, first_start, last_start, ends_at, is_current, suffix)
  JOIN alert a ON a.id = asked.alert_id
  JOIN organization_rule r ON r.id = CASE a.scope WHEN 'limit' THEN a.scope_id::uuid END AND r.organization_id = a.org_id AND r.kind = 'limit'
  JOIN limit_usage u ON u.org_id = a.org_id AND u.limit_id = r.id AND split_part(u.scope, ':', 3) = r.document->>'measure'
    AND split_part(split_part(u.scope, ':', 5), '@', 1) = asked.window_name AND r.document->>'window' = asked.window_name
    AND (asked.first_start IS NULL AND u.window_start IS NULL
      OR u.window_start BETWEEN to_timestamp(asked.first_start) AND to_timestamp(asked.last_start))
  CROSS JOIN LATERAL (SELECT nullif(split_part(u.scope, ':', 4), '-') AS partition,
    CASE r.document->>'measure' WHEN 'usd' THEN 'USD' WHEN 'requests' THEN 'requests' ELSE 'tokens' END AS unit) n
  CROSS JOIN LATERAL (SELECT CASE WHEN a.amount_pico IS NULL
    THEN ceil((r.document->>'amount')::numeric * CASE n.unit WHEN 'USD' THEN 1000000000000 ELSE 1 END * a.percentage / 100)
    WHEN a.settings->>'unit' = n.unit THEN a.amount_pico END AS threshold) t
  GROUP BY a.id, r.id, n.unit, n.partition, asked.is_current, asked.ends_at, asked.suffix, asked.first_start, t.threshold`;

/** As in the library `limits`: what a notice about a limit says of it. */
const DETAILS = `jsonb_build_object('unit', s.unit, 'limit', jsonb_build_object('name', s.name, 'measure', s.document->>'measure',
  'window', s.document->>'window', 'amount', s.document->>'amount', 'partition', s.partition,
  'windowEnd', to_char(s.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;

const CROSSED = {
  name: 'weir-fire-limit-alerts',
  text: `INSERT INTO alert_firing (alert_id, org_id, period, repetition, value_pico, threshold_pico, details, fired_at, next_attempt_at)
    SELECT d.alert_id, d.org_id, d.episode || coalesce('#' || d.repetition, ''), coalesce(d.repetition, 0), d.value, d.threshold, d.details, ${NOW}, ${NOW}
    FROM (SELECT s.alert_id, s.org_id, s.episode, s.value, s.threshold, last.repetition + 1 AS repetition, ${DETAILS} AS details,
        row_number() OVER (PARTITION BY s.alert_id ORDER BY s.value DESC, s.episode) AS place,
        (SELECT count(*) FROM alert_firing f WHERE f.alert_id = s.alert_id AND f.kind = 'crossed'
          AND f.fired_at > ${NOW} - interval '1 hour') AS noticed
      FROM (${STATES}) s
      LEFT JOIN LATERAL (${LAST_OF_EPISODE}) last ON true
      WHERE s.value >= s.threshold
        AND (last.repetition IS NULL OR (s.is_current AND last.fired_at + s.repeat_hours * interval '1 hour' <= ${NOW}))) d
    WHERE d.place + d.noticed <= ${NOTICES_AN_HOUR}
    ORDER BY d.alert_id, d.episode ON CONFLICT (alert_id, period) DO NOTHING`,
};

/** The newest notice for each partition, of alerts that report when it is over, where nothing was reported after it. */
const OPEN = `SELECT * FROM (
    SELECT DISTINCT ON (f.alert_id, f.details->'limit'->>'partition') f.*
    FROM alert_firing f JOIN alert a ON a.id = f.alert_id
    WHERE a.scope = 'limit' AND a.notify_recovery AND f.kind = 'crossed' AND f.fired_at > ${NOW} - interval '${RECOVERY_DAYS} days'
    ORDER BY f.alert_id, f.details->'limit'->>'partition', f.fired_at DESC, f.repetition DESC) f
  WHERE NOT EXISTS (SELECT 1 FROM alert_firing r WHERE r.alert_id = f.alert_id AND r.period = f.period || '#recovered')`;

const HAS_OPEN = { name: 'weir-has-open-limit-alerts', text: `SELECT 1 FROM (${OPEN}) open LIMIT 1` };

/** A limit that was raised, a window that began, a rolling one that moved on; a limit that is gone has nothing left to report. */
const RECOVERED = {
  name: 'weir-recover-limit-alerts',
  text: `WITH open AS MATERIALIZED (${OPEN}),
      states AS MATERIALIZED (${STATES})
    INSERT INTO alert_firing (alert_id, org_id, period, kind, repetition, value_pico, threshold_pico, details, fired_at, next_attempt_at)
    SELECT o.alert_id, o.org_id, o.period || '#recovered', 'recovered', o.repetition, coalesce(s.value, 0), coalesce(s.threshold, o.threshold_pico), o.details, ${NOW}, ${NOW}
    FROM open o
    JOIN alert a ON a.id = o.alert_id
    JOIN organization_rule r ON r.id = CASE a.scope WHEN 'limit' THEN a.scope_id::uuid END
    LEFT JOIN LATERAL (SELECT s.value, s.threshold FROM states s WHERE s.alert_id = o.alert_id AND s.is_current
      AND s.partition IS NOT DISTINCT FROM o.details->'limit'->>'partition' ORDER BY s.value DESC LIMIT 1) s ON true
    WHERE s.value IS NULL OR s.threshold IS NULL OR s.value < s.threshold
    ORDER BY o.alert_id, o.period ON CONFLICT (alert_id, period) DO NOTHING`,
};

export async function fireLimitAlerts(pool: Pool, nowMs: number): Promise<number> {
  const { rows } = await pool.query<AlertRow>(ALERTS);
  if (rows.length === 0) return 0;
  const values = [nowMs, ...bindWindows(rows.flatMap((row) => askWindows(row, nowMs)))];
  const crossed = await pool.query({ ...CROSSED, values });
  const open = await pool.query({ ...HAS_OPEN, values: [nowMs] });
  if (open.rowCount === 0) return crossed.rowCount ?? 0;
  const recovered = await pool.query({ ...RECOVERED, values });
  return (crossed.rowCount ?? 0) + (recovered.rowCount ?? 0);
}
