import { DAY_MS, HOUR_MS, periodCeiling, periodStart, type Resolution } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { readKeptSince } from '../partitions/read-partitions';
import { comparePlaces, sumUnexplained, type ComparedPlaces, type Difference, type Place, type PlaceSum } from './compare-places';
import { rebuildDay, rebuildHour, rebuildMonth } from './rebuild-usage';

type CheckOptions = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log?: DatabaseLog;
};

type CheckResult = {
  readonly checked: number;
  /** What the checks of the last 24 hours found, of this and all other processes. Must be 0. */
  readonly unexplainedPico: bigint;
};

type Check = { readonly resolution: Resolution; readonly startMs: number; readonly dueMs: number };

/** An hour or day is looked at when it is over, when a day has passed, and when no event can restate it any more. */
const HOUR_DELAYS = [2 * HOUR_MS, 26 * HOUR_MS, 36 * DAY_MS];
const DAY_DELAYS = [26 * HOUR_MS, 37 * DAY_MS];
/** A check that was not made within this time, because nothing ran, is not made up for. */
const MISSED_AFTER_MS = 2 * DAY_MS;
const CHECKS_AT_ONCE = 300;
const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('weir-usage-checks', 0)) AS locked";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('weir-usage-checks', 0))";

/** Places that must agree, and what is built anew from which when they do not. A ledger is never changed, only reported. */
const COMPARED: Readonly<Record<Resolution, readonly Place[]>> = {
  hour: ['events', 'hour', 'ledger'],
  day: ['hour', 'day'],
  month: ['day', 'month', 'spend', 'ledger'],
};
const REBUILD = { hour: rebuildHour, day: rebuildDay, month: rebuildMonth } as const;

/** Makes the checks that are due, and mends what differs. One process at a time; the others have nothing to do. */
export async function checkUsage({ pool, now, log = SILENT_LOG }: CheckOptions): Promise<CheckResult> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (rows[0]?.locked !== true) return { checked: 0, unexplainedPico: await readUnexplained(client) };
    const due = await listDue(client, now());
    for (const check of due) await runCheck({ pool, client, log }, check);
    await client.query(UNLOCK);
    return { checked: due.length, unexplainedPico: await readUnexplained(client) };
  } finally {
    // Ending the session gives the lock back whatever happened.
    client.release(true);
  }
}

async function readUnexplained(client: PoolClient): Promise<bigint> {
  const { rows } = await client.query<{ pico: string }>(
    "SELECT coalesce(sum(unexplained_pico), 0)::text AS pico FROM usage_check WHERE checked_at > now() - interval '24 hours'",
  );
  return BigInt(rows[0]?.pico ?? 0);
}

async function listDue(client: PoolClient, nowMs: number): Promise<Check[]> {
  const first = await client.query<{ ms: string | null }>(
    'SELECT (extract(epoch FROM min(period_start)) * 1000)::bigint::text AS ms FROM usage_month',
  );
  const firstMs = first.rows[0]?.ms;
  if (firstMs === undefined || firstMs === null) return [];
  const candidates = listCandidates(nowMs).filter(({ startMs }) => startMs >= Number(firstMs));
  const done = await client.query<{ key: string }>(
    `SELECT resolution || ' ' || extract(epoch FROM period_start)::bigint || ' ' || extract(epoch FROM due_at)::bigint AS key FROM usage_check
      WHERE due_at >= to_timestamp($1::double precision)`,
    [(nowMs - MISSED_AFTER_MS - DAY_MS) / 1000],
  );
  const keys = new Set(done.rows.map(({ key }) => key));
  return candidates
    .filter(({ resolution, startMs, dueMs }) => !keys.has(`${resolution} ${startMs / 1000} ${dueMs / 1000}`))
    .slice(0, CHECKS_AT_ONCE);
}

/** Oldest first, finer before coarser: a month is compared when its hours and days have been mended. */
export function listCandidates(nowMs: number): Check[] {
  const checks: Check[] = [];
  const addAll = (resolution: 'hour' | 'day', stepMs: number, delays: readonly number[]): void => {
    for (const delay of delays) {
      const last = periodStart(resolution, nowMs - delay);
      for (let startMs = last - MISSED_AFTER_MS; startMs <= last; startMs += stepMs)
        checks.push({ resolution, startMs, dueMs: startMs + delay });
    }
  };
  addAll('hour', HOUR_MS, HOUR_DELAYS);
  addAll('day', DAY_MS, DAY_DELAYS);
  const today = periodStart('day', nowMs);
  for (const dueMs of [today - DAY_MS, today]) {
    const current = periodStart('month', dueMs - 1);
    checks.push(
      { resolution: 'month', startMs: periodStart('month', current - 1), dueMs },
      { resolution: 'month', startMs: current, dueMs },
    );
  }
  return checks;
}

type CheckParts = { readonly pool: Pool; readonly client: PoolClient; readonly log: DatabaseLog };

type Finding = { readonly organization_id: string; readonly between: readonly Place[]; readonly what: string; readonly by: string };

async function runCheck(parts: CheckParts, { resolution, startMs, dueMs }: Check): Promise<void> {
  const range = { startMs, endMs: periodCeiling(resolution, startMs + 1), places: await listPlaces(parts.client, resolution, startMs) };
  const { differences, sums } = await compareInSnapshot(parts.client, range);
  const mendable = differences.filter((one) => isMendable(one, sums.get(one.organizationId)));
  for (const organizationId of new Set(mendable.map((one) => one.organizationId))) {
    await REBUILD[resolution]({ pool: parts.pool, organizationId, periodStartMs: startMs, log: parts.log });
  }
  const findings = differences.map(toFinding);
  if (findings.length > 0)
    parts.log.error({ resolution, period: new Date(startMs).toISOString(), findings: findings.slice(0, 20) }, 'usage does not add up');
  await parts.client.query(
    `INSERT INTO usage_check (resolution, period_start, due_at, unexplained_pico, findings)
      VALUES ($1, to_timestamp($2::bigint), to_timestamp($3::bigint), $4, $5) ON CONFLICT DO NOTHING`,
    [resolution, startMs / 1000, dueMs / 1000, String(sumUnexplained(differences)), JSON.stringify(findings)],
  );
}

/** What is no longer kept cannot be compared. */
async function listPlaces(client: PoolClient, resolution: Resolution, startMs: number): Promise<readonly Place[]> {
  const places = COMPARED[resolution];
  return places.includes('events') && startMs < (await readKeptSince(client, 'usage_event'))
    ? places.filter((place) => place !== 'events')
    : places;
}

async function compareInSnapshot(
  client: PoolClient,
  range: { readonly startMs: number; readonly endMs: number; readonly places: readonly Place[] },
): Promise<ComparedPlaces> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const compared = await comparePlaces(client, range);
  await client.query('COMMIT');
  return compared;
}

/** Where the finest place has nothing at all, it was cleared and not the others wrong: that is for a person to judge. */
function isMendable({ between }: Difference, sums: readonly PlaceSum[] = []): boolean {
  return !between.includes('ledger') && (sums[0]?.attempts ?? 0n) > 0n;
}

function toFinding({ organizationId, between, what, by }: Difference): Finding {
  return { organization_id: organizationId, between, what, by: String(by) };
}
