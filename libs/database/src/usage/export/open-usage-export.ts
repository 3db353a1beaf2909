import { GatewayError, invariant } from '@weir/errors';
import { periodCeiling, periodStart, type UsageExportQuery, type UsageFile, type UsageLine } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { OrganizationDoor } from '../../create-database';
import { ROLLUP_TABLES } from '../write-rollups';
import { decodeLine, LINE_COLUMNS, type LineRow } from './decode-line';

/** What all lines of a file add up to. Counts are decimal text. */
export type UsageExportTotals = {
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
  /** Ends the snapshot; for a file that nobody takes to its end. */
  close(): Promise<void>;
};

const LINES_PER_PAGE = 1_000;

/** Postgres ends a snapshot that nobody reads from: a stalled download must not hold back the clean-up of old rows. */
const BEGIN =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '60s'; SET LOCAL statement_timeout = '60s'";

const READ_STATE = {
  name: 'weir-read-export-state',
  text: `SELECT o.name, coalesce(m.version, 0)::text AS revision, floor(extract(epoch FROM m.updated_at) * 1000)::text AS as_of_ms
    FROM organization o
    LEFT JOIN spend_month m ON m.scope = 'organization' AND m.scope_id = o.id::text AND m.month = to_timestamp($2::bigint)
    WHERE o.id = $1`,
};

export async function openUsageExport(database: OrganizationDoor, query: UsageExportQuery): Promise<UsageExport> {
  const client = await database.asOrganization(query.organizationId).begin(BEGIN);
  const snapshot = holdSnapshot(client);
  try {
    const file = await readFileState(client, query);
    const totals = await readTotals(client, query);
    await declareCursor(client, query);
    return { file, totals, pages: () => readPages(snapshot, query), close: snapshot.close };
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

type Snapshot = { fetch(): Promise<readonly LineRow[]>; close(): Promise<void> };

function holdSnapshot(client: PoolClient): Snapshot {
  let fetching: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  // The server may end the snapshot while nothing is asked of it; whoever asks next is told.
  client.on('error', ignore);
  const close = async (): Promise<void> => {
    await fetching.catch(ignore);
    const error = await client.query('ROLLBACK').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    client.removeListener('error', ignore);
    client.release(error !== undefined);
  };
  return {
    fetch: async () => {
      const asked = client.query<LineRow>(`FETCH ${LINES_PER_PAGE} FROM usage_export`);
      fetching = asked;
      return (await asked).rows;
    },
    close: () => (closing ??= close()),
  };
}

function ignore(): void {
  // Told to whoever asks.
}

async function readFileState(client: PoolClient, { organizationId, startMs, endMs }: UsageExportQuery): Promise<UsageFile> {
  const { rows } = await client.query<{ name: string; revision: string; as_of_ms: string | null }>({
    ...READ_STATE,
    values: [organizationId, periodStart('month', startMs) / 1000],
  });
  const [state] = rows;
  invariant(state !== undefined, `organization ${organizationId} is there: it asks`);
  const { name: organizationName, revision, as_of_ms: asOfMs } = state;
  return { organizationId, organizationName, startMs, endMs, revision, asOfMs: asOfMs === null ? null : Number(asOfMs) };
}

type TotalsRow = { readonly lines: string; readonly requests: string; readonly cost: string; readonly billed: string };

/** Of the lines and of the days, which are kept far longer: a file must never be less than what was used. */
async function readTotals(client: PoolClient, query: UsageExportQuery): Promise<UsageExportTotals> {
  const read = async (table: string): Promise<TotalsRow | undefined> => {
    const { rows } = await client.query<TotalsRow>(
      `SELECT count(*)::text AS lines, coalesce(sum(requests), 0)::text AS requests, coalesce(sum(cost_pico), 0)::text AS cost,
        coalesce(sum(billed_pico), 0)::text AS billed FROM ${table} WHERE ${WITHIN}`,
      boundsOf(query),
    );
    return rows[0];
  };
  const [lines, days] = [await read(ROLLUP_TABLES[query.resolution]), await read(ROLLUP_TABLES.day)];
  if (lines === undefined || lines.cost !== days?.cost || lines.billed !== days.billed || lines.requests !== days.requests) {
    throw new GatewayError(
      'conflict',
      `Lines by ${query.resolution} are no longer kept for this period; ask with a coarser \`resolution\`.`,
      {
        field: 'resolution',
      },
    );
  }
  return { lines: lines.lines, requests: lines.requests, costPico: BigInt(lines.cost), billedPico: BigInt(lines.billed) };
}

const WITHIN = 'org_id = $1 AND period_start >= to_timestamp($2::bigint) AND period_start < to_timestamp($3::bigint)';

function boundsOf({ organizationId, startMs, endMs }: UsageExportQuery): unknown[] {
  return [organizationId, startMs / 1000, endMs / 1000];
}

async function declareCursor(client: PoolClient, query: UsageExportQuery): Promise<void> {
  await client.query(
    `DECLARE usage_export NO SCROLL CURSOR FOR SELECT ${LINE_COLUMNS}
      FROM (SELECT * FROM ${ROLLUP_TABLES[query.resolution]} WHERE ${WITHIN}) f JOIN usage_series s ON s.id = f.series_id
        LEFT JOIN api_key k ON k.id = s.api_key_id AND k.organization_id = s.org_id
        LEFT JOIN label_set key_labels ON key_labels.id = s.key_label_set_id
        LEFT JOIN label_set group_labels ON group_labels.id = s.group_label_set_id
      ORDER BY f.period_start, f.series_id`,
    boundsOf(query),
  );
}

async function* readPages(snapshot: Snapshot, { resolution }: UsageExportQuery): AsyncGenerator<UsageLine[]> {
  try {
    for (;;) {
      const rows = await snapshot.fetch();
      if (rows.length === 0) return;
      yield rows.map((row) => {
        const periodStartMs = Number(row.period_seconds) * 1000;
        return decodeLine(row, periodStartMs, periodCeiling(resolution, periodStartMs + 1));
      });
    }
  } finally {
    await snapshot.close();
  }
}
