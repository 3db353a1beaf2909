import { GatewayError, invariant } from '@weir/errors';
import { periodStart, type Resolution, type UsageExportQuery, type UsageFile, type UsageLine } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { OrganizationDatabases } from '../../connection/create-database';
import { findMonthWithoutDays } from '../queries/check-rollups-kept';
import { conditionsSql, SERIES_JOINS, type Bind } from '../queries/dimension-sql';
import { ROLLUP_TABLES } from '../rollups/write-rollups';
import { decodeLine, LINE_COLUMNS, type LineRow } from './decode-line';
import { BEGIN_SNAPSHOT, holdSnapshot, readSnapshot } from './hold-snapshot';

/** What all lines of a file add up to. Counts are decimal text. */
type UsageExportTotals = {
  readonly lines: string;
  readonly requests: string;
  readonly costPico: bigint;
  readonly billedPico: bigint;
};

/** One finance file while it is written: a snapshot, read through a cursor as fast as it is taken. */
export type UsageExport = {
  readonly file: UsageFile;
  readonly totals: UsageExportTotals;
  /** Pages of lines by period, then by series, which always come in the same order. Ends the snapshot at the end. */
  pages(): AsyncGenerator<readonly UsageLine[]>;
  /** Ends the snapshot; for a file that no one takes to its end. */
  close(): Promise<void>;
};

const CURSOR = 'usage_export';

const READ_STATE = {
  name: 'weir-read-export-state',
  text: `SELECT o.name, coalesce(m.version, 0)::text AS revision, floor(extract(epoch FROM m.updated_at) * 1000)::text AS as_of_ms
    FROM organization o
    LEFT JOIN spend_month m ON m.scope = 'organization' AND m.scope_id = o.id::text AND m.month = to_timestamp($2::bigint)
    WHERE o.id = $1`,
};

export async function openUsageExport(database: OrganizationDatabases, query: UsageExportQuery): Promise<UsageExport> {
  const client = await database.asOrganization(query.organizationId).begin(BEGIN_SNAPSHOT);
  const snapshot = holdSnapshot<LineRow>(client, CURSOR);
  try {
    const file = await readFileState(client, query);
    const totals = await readTotals(client, query);
    await declareCursor(client, query);
    return { file, totals, pages: () => readSnapshot(snapshot, (row) => decodeLine(row, query.resolution)), close: snapshot.close };
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function readFileState(client: PoolClient, { organizationId, startMs, endMs, isClosed }: UsageExportQuery): Promise<UsageFile> {
  const { rows } = await client.query<{ name: string; revision: string; as_of_ms: string | null }>({
    ...READ_STATE,
    values: [organizationId, periodStart('month', startMs) / 1000],
  });
  const [state] = rows;
  invariant(state !== undefined, `organization ${organizationId} is there: it asks`);
  const { name: organizationName, revision, as_of_ms: asOfMs } = state;
  return { organizationId, organizationName, startMs, endMs, revision, asOfMs: asOfMs === null ? null : Number(asOfMs), isClosed };
}

type TotalsRow = { readonly lines: string; readonly requests: string; readonly cost: string; readonly billed: string };

/** Of the lines and of the period as a whole, which is kept far longer: a file must never be less than what was used. */
async function readTotals(client: PoolClient, query: UsageExportQuery): Promise<UsageExportTotals> {
  const read = async (resolution: Resolution): Promise<TotalsRow | undefined> => {
    const { facts, values } = factsSql(query, resolution);
    const { rows } = await client.query<TotalsRow>(
      `SELECT count(*)::text AS lines, coalesce(sum(f.requests), 0)::text AS requests, coalesce(sum(f.cost_pico), 0)::text AS cost,
        coalesce(sum(f.billed_pico), 0)::text AS billed ${facts}`,
      values,
    );
    return rows[0];
  };
  const [lines, whole] = [await read(query.resolution), await read(query.isDay ? 'day' : 'month')];
  const isLess = lines === undefined || lines.cost !== whole?.cost || lines.billed !== whole.billed || lines.requests !== whole.requests;
  const months = query.isDay ? [periodStart('month', query.startMs)] : [];
  if (isLess || (await findMonthWithoutDays(client, query.organizationId, months)) !== undefined) throw noLongerKept(query);
  return { lines: lines.lines, requests: lines.requests, costPico: BigInt(lines.cost), billedPico: BigInt(lines.billed) };
}

function noLongerKept({ resolution, isDay }: UsageExportQuery): GatewayError {
  const instead = isDay && resolution === 'day' ? 'ask for the month, with `resolution=month`' : 'ask with a coarser `resolution`';
  return new GatewayError('conflict', `Lines by ${resolution} are no longer kept for this period; ${instead}.`, { field: 'resolution' });
}

type FactsSql = { readonly facts: string; readonly values: unknown[] };

/** `f` the rows of a rollup in the period, as far as the filters leave them over, `s` the series of each. */
function factsSql({ organizationId, startMs, endMs, filters }: UsageExportQuery, resolution: Resolution): FactsSql {
  const values: unknown[] = [organizationId, startMs / 1000, endMs / 1000];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { conditions } = conditionsSql(filters, bind);
  const facts = `FROM (
      SELECT * FROM ${ROLLUP_TABLES[resolution]}
      WHERE org_id = $1 AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint)
    ) f JOIN usage_series s ON s.id = f.series_id LEFT JOIN api_key k ON k.id = s.api_key_id AND k.organization_id = s.org_id
      ${SERIES_JOINS.join(' ')}
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`;
  return { facts, values };
}

async function declareCursor(client: PoolClient, query: UsageExportQuery): Promise<void> {
  const { facts, values } = factsSql(query, query.resolution);
  await client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR SELECT ${LINE_COLUMNS} ${facts} ORDER BY f.period_start, f.series_id`, values);
}
