import { createHash } from 'node:crypto';
import type { UsageMeasure } from '@weir/contracts';
import { DAY_MS, MEASURE_COLUMNS, type MeasureTotals } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { OrganizationDatabases } from '../../connection/create-database';
import { BEGIN_SNAPSHOT } from './hold-snapshot';

/** One UTC day of an organization; `dayMs` is its start in epoch milliseconds. */
export type DayOfOrganization = { readonly organizationId: string; readonly dayMs: number };

/** A day whose sums are settled, as one snapshot shows it. */
export type SettledDay = {
  readonly organizationName: string;
  /** Which attempt to build its cubes: as long as that is the last one and exact, no hour of the day has changed. */
  readonly attempt: bigint;
  /** Equal for equal hours. */
  readonly fingerprint: string;
  readonly totals: MeasureTotals;
};

const READ_ATTEMPT = {
  name: 'weir-read-settled-day',
  text: `SELECT d.attempt::text AS attempt, o.name FROM usage_cube_day d JOIN organization o ON o.id = d.org_id
    WHERE d.org_id = $1 AND d.day = to_timestamp($2::bigint) AND d.state = 'exact'`,
};

/** What the measures of files are made of. */
const SUMS: Readonly<Record<UsageMeasure, string>> = {
  requests: 'requests',
  attempts: 'attempts',
  errors: 'errors',
  input_tokens: 'input_tokens + cached_tokens + cache_write_tokens',
  cached_tokens: 'cached_tokens',
  cache_write_tokens: 'cache_write_tokens',
  output_tokens: 'output_tokens',
  reasoning_tokens: 'reasoning_tokens',
  searches: 'searches',
  images: 'images',
  characters: 'chars',
  audio_ms: 'audio_ms',
  spend_usd: 'cost_pico',
  billed_usd: 'billed_pico',
};

/** One row as text that depends on nothing but what is in it; two hashes of 64 bits, added up, so that no order matters. */
const ROW = `concat_ws(',', extract(epoch FROM period_start)::bigint, series_id, ${Object.keys(MEASURE_COLUMNS).join(', ')})`;

const READ_HOURS = {
  name: 'weir-read-day-of-files',
  text: `SELECT ${Object.entries(SUMS)
    .map(([measure, sql]) => `coalesce(sum(${sql}), 0)::text AS ${measure}`)
    .join(', ')},
      count(*)::text AS rows, coalesce(sum(hashtextextended(${ROW}, 0)), 0)::text AS one, coalesce(sum(hashtextextended(${ROW}, 1)), 0)::text AS other
    FROM usage_hour WHERE org_id = $1 AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint)`,
};

type HoursRow = Readonly<Record<UsageMeasure | 'rows' | 'one' | 'other', string>>;

/** Undefined while hours of the day are changed, or cubes not built since. */
export async function readSettledDay(database: OrganizationDatabases, day: DayOfOrganization): Promise<SettledDay | undefined> {
  return database.asOrganization(day.organizationId).run(async (client) => {
    const settled = await readAttempt(client, day);
    if (settled === undefined) return undefined;
    const values = [day.organizationId, day.dayMs / 1000, (day.dayMs + DAY_MS) / 1000];
    const { rows } = await client.query<HoursRow>({ ...READ_HOURS, values });
    const [hours] = rows;
    if (hours === undefined) return undefined;
    return {
      organizationName: settled.name,
      attempt: BigInt(settled.attempt),
      fingerprint: createHash('sha256').update(`${hours.rows}/${hours.one}/${hours.other}`).digest('hex').slice(0, 32),
      totals: Object.fromEntries(Object.keys(SUMS).map((measure) => [measure, BigInt(hours[measure as UsageMeasure])])) as MeasureTotals,
    };
  }, BEGIN_SNAPSHOT);
}

/** Whether the day is, in the snapshot of this connection, what that attempt found. */
export async function isStillDay(client: PoolClient, day: DayOfOrganization, attempt: bigint): Promise<boolean> {
  const settled = await readAttempt(client, day);
  return settled !== undefined && BigInt(settled.attempt) === attempt;
}

async function readAttempt(
  client: PoolClient,
  { organizationId, dayMs }: DayOfOrganization,
): Promise<{ readonly attempt: string; readonly name: string } | undefined> {
  const { rows } = await client.query<{ attempt: string; name: string }>({ ...READ_ATTEMPT, values: [organizationId, dayMs / 1000] });
  return rows[0];
}
