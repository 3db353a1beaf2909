import type { UsageCorrection, UsageEvent } from '@weir/contracts';
import { DAY_MS, type Resolution, type UsageEventLine, type UsageLine } from '@weir/usage';
import type { PoolClient, QueryResultRow } from 'pg';
import type { OrganizationDatabases } from '../../connection/create-database';
import { SERIES_JOINS } from '../queries/dimension-sql';
import { ROLLUP_TABLES } from '../rollups/write-rollups';
import { decodeLine, LINE_COLUMNS, OF_SERIES, SUMS, type LineRow } from './decode-line';
import { BEGIN_SNAPSHOT, holdSnapshot, readSnapshot } from './hold-snapshot';
import { isStillDay, type DayOfOrganization } from './read-day';

/** Rows of one file of a day, always in the same order, read through a cursor as fast as they are taken. */
export type DayRows<Line> = {
  /** Ends the snapshot at the end. */
  pages(): AsyncGenerator<readonly Line[]>;
  /** Ends the snapshot; for a file that is not read to its end. */
  close(): Promise<void>;
};

/** Sums of a day by everything that usage is kept by, or by some of it. */
type LineRows = 'hours' | 'days' | 'keys' | 'models';

type OpenDay = DayOfOrganization & { readonly attempt: bigint };

const OF_PERIOD = 'f.org_id = $1 AND f.period_start >= to_timestamp($2::bigint) AND f.period_start < to_timestamp($3::bigint)';

function factsSql(resolution: Resolution): string {
  return `FROM ${ROLLUP_TABLES[resolution]} f JOIN usage_series s ON s.id = f.series_id AND s.org_id = f.org_id`;
}

function seriesSql(resolution: Resolution): string {
  return `SELECT ${LINE_COLUMNS} ${factsSql(resolution)}
    LEFT JOIN api_key k ON k.id = s.api_key_id AND k.organization_id = s.org_id ${SERIES_JOINS.join(' ')}
    WHERE ${OF_PERIOD} ORDER BY f.period_start, f.series_id`;
}

/** Columns of a series by their type in Postgres: texts are put into order by their bytes, whatever the database is set to. */
const KEY_COLUMNS = ['api_key_id', 'user_id', 'group_id', 'key_label_set_id', 'group_label_set_id', 'is_byok'];
const MODEL_COLUMNS = ['model_requested', 'model_used', 'provider_used', 'is_byok', 'endpoint', 'modality'];
const TEXTS = new Set(['model_requested', 'model_used', 'provider_used', 'endpoint', 'modality']);

function groupedSql(columns: readonly string[]): string {
  const kept = (column: string): string => (columns.includes(column) ? `g.${column}` : `NULL AS ${column}`);
  const order = columns.map((column) => (TEXTS.has(column) ? `g.${column} COLLATE "C"` : `g.${column}`));
  const labels = (set: string): string =>
    columns.includes(`${set}_label_set_id`)
      ? `(SELECT l.labels FROM label_set l WHERE l.id = g.${set}_label_set_id AND l.organization_id = $1) AS ${set}_labels`
      : `NULL AS ${set}_labels`;
  return `SELECT $2::bigint::text AS period_seconds, NULL AS api_key_name, NULL AS member_email, NULL AS group_name,
      ${OF_SERIES.map(kept).join(', ')}, ${labels('key')}, ${labels('group')}, ${SUMS.map((sum) => `g.${sum}::text AS ${sum}`).join(', ')}
    FROM (SELECT ${columns.map((column) => `s.${column}`).join(', ')}, ${SUMS.map((sum) => `sum(f.${sum}) AS ${sum}`).join(', ')}
      ${factsSql('day')} WHERE ${OF_PERIOD} GROUP BY ${columns.map((column) => `s.${column}`).join(', ')}) g
    ORDER BY ${order.join(', ')}`;
}

const LINES_SQL: Readonly<Record<LineRows, string>> = {
  hours: seriesSql('hour'),
  days: seriesSql('day'),
  keys: groupedSql(KEY_COLUMNS),
  models: groupedSql(MODEL_COLUMNS),
};

/** Lines of a settled day. Undefined when it is not any more what `attempt` found. */
export function openDayLines(database: OrganizationDatabases, day: OpenDay, rows: LineRows): Promise<DayRows<UsageLine> | undefined> {
  return openCursor<LineRow, UsageLine>(database, day, {
    sql: LINES_SQL[rows],
    decode: (row) => decodeLine(row, rows === 'hours' ? 'hour' : 'day'),
  });
}

type EventRow = {
  readonly writer_id: string;
  readonly seq: string;
  readonly counted_at_ms: string;
  readonly time_clamped: boolean;
  readonly payload: string;
  readonly key_labels: Readonly<Record<string, string>> | null;
  readonly group_labels: Readonly<Record<string, string>> | null;
};

function labelsSql(field: string): string {
  return `(SELECT l.labels FROM label_set l WHERE l.id = (e.payload ->> '${field}')::uuid AND l.organization_id = $1)`;
}

const EVENTS_SQL = `SELECT e.writer_id, e.seq::text AS seq, floor(extract(epoch FROM e.admitted_at) * 1000)::text AS counted_at_ms, e.time_clamped,
    e.payload::text AS payload, ${labelsSql('key_label_set_id')} AS key_labels, ${labelsSql('group_label_set_id')} AS group_labels
  FROM usage_event e WHERE e.org_id = $1 AND e.admitted_at >= to_timestamp($2::bigint) AND e.admitted_at < to_timestamp($3::bigint)
  ORDER BY e.admitted_at, e.writer_id, e.seq`;

/** Events and corrections of a settled day, by when they count. Undefined when it is not any more what `attempt` found. */
export function openDayEvents(database: OrganizationDatabases, day: OpenDay): Promise<DayRows<UsageEventLine> | undefined> {
  return openCursor<EventRow, UsageEventLine>(database, day, { sql: EVENTS_SQL, decode: decodeEvent });
}

function decodeEvent(row: EventRow): UsageEventLine {
  return {
    event: JSON.parse(row.payload) as UsageEvent | UsageCorrection, // it was checked when it was counted
    countedAtMs: Number(row.counted_at_ms),
    isTimeClamped: row.time_clamped,
    writerId: row.writer_id,
    sequence: row.seq,
    apiKeyLabels: row.key_labels ?? {},
    groupLabels: row.group_labels ?? {},
  };
}

type Cursor<Row, Line> = { readonly sql: string; readonly decode: (row: Row) => Line };

const CURSOR = 'usage_file';

async function openCursor<Row extends QueryResultRow, Line>(
  database: OrganizationDatabases,
  day: OpenDay,
  { sql, decode }: Cursor<Row, Line>,
): Promise<DayRows<Line> | undefined> {
  const client: PoolClient = await database.asOrganization(day.organizationId).begin(BEGIN_SNAPSHOT);
  const snapshot = holdSnapshot<Row>(client, CURSOR);
  try {
    if (!(await isStillDay(client, day, day.attempt))) {
      await snapshot.close();
      return undefined;
    }
    const values = [day.organizationId, day.dayMs / 1000, (day.dayMs + DAY_MS) / 1000];
    await client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${sql}`, values);
    return { pages: () => readSnapshot(snapshot, decode), close: snapshot.close };
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}
