import { periodStart, type CountedEvent, type Resolution } from '@weir/usage';
import type { ClickHouse } from '../connection/create-clickhouse';
import { periodLiteral, spellPeriodJson, uuidLiteral } from '../connection/literals';

/** One period of one organization. */
export type OrganizationPeriod = { readonly organizationId: string; readonly resolution: Resolution; readonly startMs: number };

/** Versions of periods and numbers of builds: each is used once, and later passes have higher ones. */
export type Versions = { next(): number };

/** More than the pages of any pass. A pass each second uses up what a number holds in 280 years. */
const VERSIONS_OF_RUN = 1_000_000;

/** Lower than every version of a pass, and above those of the passes before. */
export function versionsBefore(run: number): number {
  return run * VERSIONS_OF_RUN;
}

export function createVersions(run: number): Versions {
  let count = 0;
  return { next: () => versionsBefore(run) + (count += 1) };
}

const RESOLUTIONS: readonly Resolution[] = ['hour', 'day', 'month'];

/** The hours, days and months that events are in, each once. */
export function listPeriods(events: readonly Pick<CountedEvent, 'event' | 'admittedAtMs'>[]): OrganizationPeriod[] {
  const periods = new Map<string, OrganizationPeriod>();
  for (const { event, admittedAtMs } of events) {
    for (const resolution of RESOLUTIONS) {
      const startMs = periodStart(resolution, admittedAtMs);
      periods.set(`${event.org_id} ${resolution} ${startMs}`, { organizationId: event.org_id, resolution, startMs });
    }
  }
  return [...periods.values()];
}

/** Says that sums of these periods are not valid. To be called before events of them are written, so that none is passed over. */
export async function makeStale(clickhouse: ClickHouse, periods: readonly OrganizationPeriod[], versions: Versions): Promise<void> {
  const stale = await findStale(clickhouse, periods);
  const changed = periods.filter((period) => !stale.has(keyOf(period)));
  await writePeriods(clickhouse, changed, { version: versions.next(), build: 0 });
}

/** Which of them are stale already, as the hour that runs nearly always is. */
async function findStale(clickhouse: ClickHouse, periods: readonly OrganizationPeriod[]): Promise<ReadonlySet<string>> {
  if (periods.length === 0) return new Set();
  const organizations = [...new Set(periods.map(({ organizationId }) => uuidLiteral(organizationId)))];
  const starts = periods.map(({ startMs }) => startMs);
  const rows = await clickhouse.read<[string, Resolution, string]>(
    `SELECT toString(org_id), resolution, toString(toUnixTimestamp(period)) FROM usage_period
      WHERE org_id IN (${organizations.join(', ')}) AND period >= ${periodLiteral(Math.min(...starts))} AND period <= ${periodLiteral(Math.max(...starts))}
      GROUP BY org_id, resolution, period HAVING argMax(build, version) = 0`,
  );
  return new Set(
    rows.map(([organizationId, resolution, seconds]) => keyOf({ organizationId, resolution, startMs: Number(seconds) * 1000 })),
  );
}

export async function writePeriods(
  clickhouse: ClickHouse,
  periods: readonly OrganizationPeriod[],
  state: { readonly version: number; readonly build: number },
): Promise<void> {
  const rows = periods.map(({ organizationId, resolution, startMs }) => ({
    ...{ org_id: organizationId, resolution, period: spellPeriodJson(startMs) },
    ...state,
  }));
  await clickhouse.insert('usage_period', rows);
}

function keyOf({ organizationId, resolution, startMs }: OrganizationPeriod): string {
  return `${organizationId} ${resolution} ${startMs}`;
}
