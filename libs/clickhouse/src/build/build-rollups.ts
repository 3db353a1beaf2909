import { periodCeiling, type Resolution, type UsageFeed } from '@weir/usage';
import type { ClickHouse } from '../connection/create-clickhouse';
import type { PassMark } from './pass-mark';
import { instantLiteral, periodLiteral, periodOf, uuidLiteral } from '../connection/literals';
import { MEASURE_NAMES, SERIES_NAMES } from '../schema/columns';
import { READ_ONCE } from '../schema/read-once';
import { writePeriods, type OrganizationPeriod, type Versions } from './periods';

/** What is counted comes a few seconds late at most; an hour that something comes for after this is built again. */
const SETTLED_AFTER_MS = 5 * 60_000;
const PERIODS_AT_ONCE = 500;
/** Each level is added up from the one before it, hours from events. */
const FINER = { day: 'hour', month: 'day' } as const;

const SUMS = MEASURE_NAMES.map((name) => `sum(${name})`).join(', ');
const COLUMNS = [...SERIES_NAMES, ...MEASURE_NAMES].join(', ');

type BuildParts = {
  readonly clickhouse: ClickHouse;
  readonly versions: Versions;
  readonly mark: PassMark;
  readonly feed: Pick<UsageFeed, 'hold'>;
  readonly nowMs: number;
  /** Only periods that begin then or later. */
  readonly sinceMs: number;
};

/**
 * Adds up the periods that are over and have no valid sums: hours from events, each once, days from hours and months from days.
 * Nothing reads a build before its period says so, so a build that dies leaves nothing. Returns how many were built.
 */
export async function buildRollups(parts: BuildParts): Promise<number> {
  let built = 0;
  for (const resolution of ['hour', 'day', 'month'] as const) {
    const waiting = await findWaiting(parts, resolution);
    for (let at = 0; at < waiting.length; at += PERIODS_AT_ONCE) {
      const some = waiting.slice(at, at + PERIODS_AT_ONCE);
      await parts.mark.write();
      const build = parts.versions.next();
      await parts.clickhouse.run(buildSql(resolution, some, build), READ_ONCE);
      // A process that has lost its turn must not say what is valid: the next one may have deleted this build.
      await parts.feed.hold();
      await writePeriods(parts.clickhouse, some, { version: parts.versions.next(), build });
    }
    built += waiting.length;
  }
  return built;
}

async function findWaiting({ clickhouse, nowMs, sinceMs }: BuildParts, resolution: Resolution): Promise<OrganizationPeriod[]> {
  const rows = await clickhouse.read<[string, string]>(
    `SELECT toString(org_id), toString(toUnixTimestamp(period)) FROM usage_period
      WHERE resolution = '${resolution}' AND period >= ${periodLiteral(sinceMs)}
      GROUP BY org_id, period HAVING argMax(build, version) = 0 ORDER BY period, org_id`,
  );
  const periods = rows.map(([organizationId, seconds]) => ({ organizationId, resolution, startMs: Number(seconds) * 1000 }));
  return periods.filter(({ startMs }) => periodCeiling(resolution, startMs + 1) + SETTLED_AFTER_MS <= nowMs);
}

function buildSql(resolution: Resolution, periods: readonly OrganizationPeriod[], build: number): string {
  const into = `INSERT INTO usage_rollup (org_id, resolution, period, build, ${COLUMNS})`;
  const select = `SELECT org_id, '${resolution}', built_period, ${build}, ${SERIES_NAMES.join(', ')}, ${SUMS}`;
  return `${into} ${select} FROM (${factsSql(resolution, periods)}) GROUP BY org_id, built_period, ${SERIES_NAMES.join(', ')}`;
}

/** Facts of the level below, with the period that they go into. */
function factsSql(resolution: Resolution, periods: readonly OrganizationPeriod[]): string {
  const column = resolution === 'hour' ? 'admitted_at' : 'period';
  const from = `SELECT org_id, ${periodOf(resolution, column)} AS built_period, ${COLUMNS}`;
  const isBuilt = `(${listRanges(periods)
    .map((range) => isInRange(range, column))
    .join(' OR ')})`;
  if (resolution === 'hour') return `${from} FROM usage_event FINAL WHERE ${isBuilt}`;
  const isFiner = `resolution = '${FINER[resolution]}' AND ${isBuilt}`;
  return `${from} FROM usage_rollup WHERE ${isFiner} AND (org_id, period, build) IN (${validBuilds(FINER[resolution], isBuilt)})`;
}

type OrganizationRange = { readonly organizationId: string; readonly startMs: number; readonly endMs: number };

/** Neighbouring periods of an organization become one range. */
function listRanges(periods: readonly OrganizationPeriod[]): OrganizationRange[] {
  const ranges = new Map<string, OrganizationRange>();
  const closed: OrganizationRange[] = [];
  for (const { organizationId, resolution, startMs } of periods) {
    const last = ranges.get(organizationId);
    const endMs = periodCeiling(resolution, startMs + 1);
    if (last !== undefined && last.endMs !== startMs) closed.push(last);
    ranges.set(organizationId, { organizationId, startMs: last?.endMs === startMs ? last.startMs : startMs, endMs });
  }
  return [...closed, ...ranges.values()];
}

/**
 * By the bounds of the column itself. Where a function of a key is compared with a set instead, ClickHouse 26.9 passes over parts that
 * have rows of it: `toStartOfHour(admitted_at) IN (…)` of a part whose only row is in the last milliseconds of an hour.
 */
function isInRange({ organizationId, startMs, endMs }: OrganizationRange, column: 'admitted_at' | 'period'): string {
  const literal = column === 'period' ? periodLiteral : instantLiteral;
  return `(org_id = ${uuidLiteral(organizationId)} AND ${column} >= ${literal(startMs)} AND ${column} < ${literal(endMs)})`;
}

/** The valid builds of the periods in a range. */
export function validBuilds(resolution: Resolution, range: string): string {
  return `SELECT org_id, period, argMax(build, version) AS valid FROM usage_period WHERE resolution = '${resolution}' AND ${range}
    GROUP BY org_id, period HAVING valid > 0`;
}
