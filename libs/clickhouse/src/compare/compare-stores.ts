import { DAY_MS, type DaySums, type MeasureColumn } from '@weir/usage';
import { validBuilds } from '../build/build-rollups';
import type { ClickHouse } from '../connection/create-clickhouse';
import { instantLiteral, periodLiteral } from '../connection/literals';
import { MEASURE_NAMES } from '../schema/columns';
import { READ_ONCE } from '../schema/read-once';

/** One measure of an organization's day that is not the same in both stores. */
export type StoreDifference = {
  readonly organizationId: string;
  readonly dayMs: number;
  /** Where ClickHouse has it: in the sums that questions read, or in single events. */
  readonly place: 'rollups' | 'events';
  readonly column: MeasureColumn;
  /** What ClickHouse has less what Postgres has, as decimal text. */
  readonly by: string;
};

type Range = { readonly fromMs: number; readonly toMs: number };
type DayRow = readonly [organizationId: string, seconds: string, ...sums: string[]];
type Sums = ReadonlyMap<string, readonly bigint[]>;

const SUMS = MEASURE_NAMES.map((name) => `toString(sum(toInt128(${name})))`).join(', ');

/** Compares every measure of every organization and day of a range, in sums; the last day of it in events as well. */
export async function compareStores(clickhouse: ClickHouse, days: readonly DaySums[], range: Range): Promise<StoreDifference[]> {
  if (range.fromMs >= range.toMs) return [];
  const expected = new Map(
    days.map(({ organizationId, dayMs, sums }) => [keyOf(organizationId, dayMs), MEASURE_NAMES.map((name) => BigInt(sums[name]))]),
  );
  const lastMs = range.toMs - DAY_MS;
  const ofLast = new Map([...expected].filter(([key]) => key.endsWith(` ${lastMs}`)));
  return [
    ...listDifferences('rollups', expected, await readRollups(clickhouse, range)),
    ...listDifferences('events', ofLast, await readEvents(clickhouse, { fromMs: lastMs, toMs: range.toMs })),
  ];
}

async function readRollups(clickhouse: ClickHouse, { fromMs, toMs }: Range): Promise<Sums> {
  const range = `period >= ${periodLiteral(fromMs)} AND period < ${periodLiteral(toMs)}`;
  const rows = await clickhouse.read<DayRow>(
    `SELECT toString(org_id), toString(toUnixTimestamp(period)), ${SUMS} FROM usage_rollup
      WHERE resolution = 'day' AND ${range} AND (org_id, period, build) IN (${validBuilds('day', range)}) GROUP BY org_id, period`,
  );
  return toSums(rows);
}

async function readEvents(clickhouse: ClickHouse, { fromMs, toMs }: Range): Promise<Sums> {
  const rows = await clickhouse.read<DayRow>(
    `SELECT toString(org_id), toString(toUnixTimestamp(toStartOfDay(admitted_at))) AS day, ${SUMS} FROM usage_event FINAL
      WHERE admitted_at >= ${instantLiteral(fromMs)} AND admitted_at < ${instantLiteral(toMs)} GROUP BY org_id, day`,
    READ_ONCE,
  );
  return toSums(rows);
}

function toSums(rows: readonly DayRow[]): Sums {
  return new Map(rows.map(([organizationId, seconds, ...sums]) => [keyOf(organizationId, Number(seconds) * 1000), sums.map(BigInt)]));
}

/** What one side does not have at all is as much as zero. */
function listDifferences(place: StoreDifference['place'], expected: Sums, found: Sums): StoreDifference[] {
  const differences: StoreDifference[] = [];
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [organizationId = '', dayMs] = key.split(' ');
    MEASURE_NAMES.forEach((column, at) => {
      const by = (found.get(key)?.[at] ?? 0n) - (expected.get(key)?.[at] ?? 0n);
      if (by !== 0n) differences.push({ organizationId, dayMs: Number(dayMs), place, column, by: String(by) });
    });
  }
  return differences;
}

function keyOf(organizationId: string, dayMs: number): string {
  return `${organizationId} ${dayMs}`;
}
