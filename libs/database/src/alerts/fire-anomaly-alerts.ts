import { findAnomaly, formatAlertAmount, listComparedHours, type AlertDetails, type AnomalySensitivity } from '@weir/limits';
import { HOUR_MS } from '@weir/usage';
import type { Pool } from 'pg';
import { readHoursOfKeys, type AnomalyMeasure, type HourUsage } from './anomaly-hours';
import { LAST_OF_EPISODE, NOW, RECOVERY_DAYS } from './write-crossings';

/** Keys whose past is read at a time. */
const KEYS_AT_ONCE = 200;
/** Usage of an hour is counted until so long after it. */
const LATE_MS = 5 * 60_000;

/** A key and hour that an alert asks about. */
type Question = {
  readonly alertId: string;
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly hourMs: number;
  readonly sinceMs: number;
  readonly measure: AnomalyMeasure;
  readonly sensitivity: AnomalySensitivity;
  readonly least: bigint;
};
type Judged = {
  readonly question: Question;
  readonly value: bigint;
  readonly usual: bigint;
  readonly threshold: bigint;
  readonly isUnusual: boolean;
};

type QuestionRow = {
  alert_id: string;
  org_id: string;
  api_key_id: string;
  since_ms: string;
  measure: AnomalyMeasure;
  sensitivity: AnomalySensitivity;
  least: string;
};

const QUESTION = `a.id AS alert_id, a.org_id, k.id AS api_key_id, floor(extract(epoch FROM k.created_at) * 1000)::text AS since_ms,
  a.settings->>'measure' AS measure, a.settings->>'sensitivity' AS sensitivity, a.amount_pico::text AS least`;

/** Keys that used at least what is noticed in an hour, and of which nothing was reported that day, or long enough ago. */
const CANDIDATES = {
  name: 'weir-find-anomaly-candidates',
  text: `SELECT s.*, last.repetition FROM (
      SELECT ${QUESTION}, a.repeat_hours, to_char(to_timestamp($2::bigint / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') || '/' || k.id AS episode
      FROM alert a
      JOIN usage_hour h ON h.org_id = a.org_id AND h.period_start = to_timestamp($2::bigint / 1000.0)
      JOIN usage_series u ON u.id = h.series_id
      JOIN api_key k ON k.id = u.api_key_id
      WHERE a.scope = 'anomaly' AND (a.scope_id = '' OR a.scope_id = u.api_key_id::text)
      GROUP BY a.id, k.id
      HAVING sum(CASE a.settings->>'measure' WHEN 'requests' THEN h.requests ELSE h.cost_pico END) >= greatest(a.amount_pico, 1)) s
    LEFT JOIN LATERAL (${LAST_OF_EPISODE}) last ON true
    WHERE last.repetition IS NULL OR last.fired_at + s.repeat_hours * interval '1 hour' <= ${NOW}`,
};

type CandidateRow = QuestionRow & { episode: string; repetition: number | null };

const REPORT = {
  name: 'weir-report-anomaly',
  text: `INSERT INTO alert_firing (alert_id, org_id, period, kind, repetition, value_pico, threshold_pico, details, fired_at, next_attempt_at)
    SELECT $2::uuid, $3::uuid, $4, $5, $6::int, $7::numeric, $8::numeric, $9::jsonb, ${NOW}, ${NOW} WHERE EXISTS (SELECT 1 FROM alert WHERE id = $2::uuid)
    ON CONFLICT (alert_id, period) DO NOTHING`,
};

/** The newest notice about each key, of alerts that report when it is over, of an hour before the last whole one. */
const OPEN = {
  name: 'weir-find-open-anomalies',
  text: `SELECT ${QUESTION}, f.period, f.repetition, f.details, f.threshold_pico::text AS threshold FROM (
      SELECT DISTINCT ON (f.alert_id, f.details->'anomaly'->>'apiKeyId') f.*
      FROM alert_firing f JOIN alert a ON a.id = f.alert_id
      WHERE a.scope = 'anomaly' AND a.notify_recovery AND f.kind = 'crossed' AND f.fired_at > ${NOW} - interval '${RECOVERY_DAYS} days'
      ORDER BY f.alert_id, f.details->'anomaly'->>'apiKeyId', f.fired_at DESC, f.repetition DESC) f
    JOIN alert a ON a.id = f.alert_id
    JOIN api_key k ON k.id = (f.details->'anomaly'->>'apiKeyId')::uuid
    WHERE (f.details->'anomaly'->>'hour')::timestamptz < to_timestamp($2::bigint / 1000.0)
      AND NOT EXISTS (SELECT 1 FROM alert_firing r WHERE r.alert_id = f.alert_id AND r.period = f.period || '#recovered')`,
};

type OpenRow = QuestionRow & { period: string; repetition: number; details: AlertDetails; threshold: string };

/**
 * Notes keys whose hour is far above what is usual for them, once for each alert, key and UTC day, and what is as usual
 * again. Only keys that used enough in an hour to be noticed are looked at; where two processes look at once, one writes.
 */
export async function fireAnomalyAlerts(pool: Pool, nowMs: number): Promise<number> {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  let fired = nowMs - hourMs < LATE_MS ? await fireHour(pool, nowMs, hourMs - HOUR_MS) : 0;
  fired += await fireHour(pool, nowMs, hourMs);
  return fired + (await recover(pool, nowMs, hourMs));
}

async function fireHour(pool: Pool, nowMs: number, hourMs: number): Promise<number> {
  const { rows } = await pool.query<CandidateRow>({ ...CANDIDATES, values: [nowMs, hourMs] });
  let fired = 0;
  for (let from = 0; from < rows.length; from += KEYS_AT_ONCE) {
    const some = rows.slice(from, from + KEYS_AT_ONCE);
    const judged = await judge(
      pool,
      some.map((row) => toQuestion(row, hourMs)),
    );
    for (const [place, finding] of judged.entries()) {
      const row = some[place];
      if (row === undefined || !finding.isUnusual) continue;
      const repetition = row.repetition === null ? 0 : row.repetition + 1;
      const period = repetition === 0 ? row.episode : `${row.episode}#${repetition}`;
      fired += await report(pool, nowMs, { ...finding, period, kind: 'crossed', repetition, details: describe(finding) });
    }
  }
  return fired;
}

/** It is over when a whole hour was as usual, and the one that runs is so far. */
async function recover(pool: Pool, nowMs: number, hourMs: number): Promise<number> {
  const lastMs = Math.floor((nowMs - LATE_MS) / HOUR_MS) * HOUR_MS - HOUR_MS;
  const { rows } = await pool.query<OpenRow>({ ...OPEN, values: [nowMs, lastMs] });
  let fired = 0;
  for (let from = 0; from < rows.length; from += KEYS_AT_ONCE) {
    const some = rows.slice(from, from + KEYS_AT_ONCE);
    const judged = await judge(
      pool,
      some.flatMap((row) => [toQuestion(row, lastMs), toQuestion(row, hourMs)]),
    );
    for (const [place, row] of some.entries()) {
      const [last, current] = judged.slice(2 * place, 2 * place + 2);
      if (last === undefined || current === undefined || last.isUnusual || current.isUnusual) continue;
      const { period, repetition, details } = row;
      const notice = {
        ...last,
        threshold: BigInt(row.threshold),
        period: `${period}#recovered`,
        kind: 'recovered' as const,
        repetition,
        details,
      };
      fired += await report(pool, nowMs, notice);
    }
  }
  return fired;
}

async function judge(pool: Pool, questions: readonly Question[]): Promise<Judged[]> {
  const past = await readHoursOfKeys(
    pool,
    questions.map(({ organizationId, apiKeyId, hourMs, sinceMs }) => ({
      ...{ organizationId, apiKeyId },
      hours: [hourMs, ...listComparedHours(hourMs, sinceMs)],
    })),
  );
  return questions.map((question, place) => {
    const hours: ReadonlyMap<number, HourUsage> = past[place] ?? new Map();
    const earlier = new Map([...hours].map(([at, usage]) => [at, usage[question.measure]]));
    const value = earlier.get(question.hourMs) ?? 0n;
    return { question, value, ...findAnomaly({ ...question, value, earlier }) };
  });
}

function toQuestion(row: QuestionRow, hourMs: number): Question {
  return {
    ...{ alertId: row.alert_id, organizationId: row.org_id, apiKeyId: row.api_key_id, hourMs },
    sinceMs: Number(row.since_ms),
    measure: row.measure,
    sensitivity: row.sensitivity,
    least: BigInt(row.least),
  };
}

/** What a notice says of the hour. */
function describe({ question: { apiKeyId, hourMs, measure, sensitivity }, usual }: Judged): AlertDetails {
  const unit = measure === 'usd' ? 'USD' : 'requests';
  return { unit, anomaly: { apiKeyId, hour: new Date(hourMs).toISOString(), usual: formatAlertAmount(usual, unit), sensitivity } };
}

type Report = Pick<Judged, 'question' | 'value' | 'threshold'> & {
  readonly period: string;
  readonly kind: 'crossed' | 'recovered';
  readonly repetition: number;
  readonly details: AlertDetails;
};

async function report(
  pool: Pool,
  nowMs: number,
  { question, value, threshold, period, kind, repetition, details }: Report,
): Promise<number> {
  const { alertId, organizationId } = question;
  const values = [nowMs, alertId, organizationId, period, kind, repetition, String(value), String(threshold), JSON.stringify(details)];
  return (await pool.query({ ...REPORT, values })).rowCount ?? 0;
}
