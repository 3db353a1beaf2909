import { DAY_MS, periodStart, type Resolution, type UsageFeed } from '@weir/usage';
import { listPeriods, makeStale, type OrganizationPeriod, type Versions } from '../build/periods';
import type { ClickHouse } from '../connection/create-clickhouse';
import { instantLiteral, periodLiteral, uuidLiteral } from '../connection/literals';
import type { PassMark } from '../build/pass-mark';
import { encodeEvent } from '../schema/encode-event';

type RewriteParts = {
  readonly clickhouse: ClickHouse;
  readonly feed: Pick<UsageFeed, 'readDay' | 'hold'>;
  readonly versions: Versions;
  readonly mark: PassMark;
  /** Of the pass: higher than that of every row there is. */
  readonly run: number;
};

type Day = { readonly organizationId: string; readonly dayMs: number };

/**
 * Writes the events of an organization's day once more, out of Postgres, and removes all that is not among them. Readers see
 * each event once at every moment: the new rows replace the old ones before those go. Does nothing of a day of which
 * Postgres keeps no events.
 */
export async function rewriteDay({ clickhouse, feed, versions, mark, run }: RewriteParts, day: Day): Promise<void> {
  const { organizationId, dayMs } = day;
  let count = 0;
  await mark.write();
  await makeStale(clickhouse, await listKnown(clickhouse, day), versions);
  for await (const events of feed.readDay(organizationId, dayMs)) {
    await feed.hold();
    await makeStale(clickhouse, listPeriods(events), versions);
    await clickhouse.insert(
      'usage_event',
      events.map((event) => encodeEvent(event, run)),
    );
    count += events.length;
  }
  if (count === 0) return;
  await clickhouse.run(
    `DELETE FROM usage_event WHERE org_id = ${uuidLiteral(organizationId)} AND admitted_at >= ${instantLiteral(dayMs)}
      AND admitted_at < ${instantLiteral(dayMs + DAY_MS)} AND run < ${run}`,
  );
}

/** The periods of the day that ClickHouse knows, with the month that it is in. */
async function listKnown(clickhouse: ClickHouse, { organizationId, dayMs }: Day): Promise<OrganizationPeriod[]> {
  const rows = await clickhouse.read<[Resolution, string]>(
    `SELECT DISTINCT resolution, toString(toUnixTimestamp(period)) FROM usage_period WHERE org_id = ${uuidLiteral(organizationId)}
      AND ((period >= ${periodLiteral(dayMs)} AND period < ${periodLiteral(dayMs + DAY_MS)})
        OR (resolution = 'month' AND period = ${periodLiteral(periodStart('month', dayMs))}))`,
  );
  return rows.map(([resolution, seconds]) => ({ organizationId, resolution, startMs: Number(seconds) * 1000 }));
}
