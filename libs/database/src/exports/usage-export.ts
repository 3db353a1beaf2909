import type { Pool } from 'pg';
import { formatRanges, toRanges } from '../usage/counting/sequence-ranges';

/** An event that was counted and not exported yet; the payload is JSON as it was journalled. */
export type UsageExportRow = { readonly writerId: string; readonly sequence: bigint; readonly payload: string };

/** Events to export, and what is done with their journals once they were taken. */
export type UsageExportPage = {
  readonly rows: readonly UsageExportRow[];
  /** Sequences that were looked at, by journal: those without an event are letters that are set aside for good. */
  readonly looked: readonly { readonly writerId: string; readonly ranges: string }[];
};

/** Journals that have something left; letters that wait are no events yet. */
const LEFT = `SELECT w.writer_id, w.seen - coalesce(x.exported, '{}') - coalesce(d.waiting, '{}') AS ranges, w.updated_at
  FROM usage_writer w
  LEFT JOIN usage_exported x ON x.writer_id = w.writer_id
  LEFT JOIN LATERAL (SELECT range_agg(int8range(l.seq, l.seq, '[]')) AS waiting FROM usage_dead_letter l
    WHERE l.writer_id = w.writer_id AND l.replayed_at IS NULL AND l.dismissed_at IS NULL) d ON true
  WHERE NOT w.seen <@ coalesce(x.exported, '{}')`;

const READ_LEFT = {
  name: 'weir-usage-export-left',
  text: `SELECT writer_id, ranges::text AS ranges FROM (${LEFT}) l WHERE NOT isempty(ranges) ORDER BY updated_at LIMIT $1`,
};

const READ_EVENTS = {
  name: 'weir-usage-export-events',
  text: `SELECT e.writer_id, e.seq::text AS seq, e.payload::text AS payload
    FROM unnest($1::uuid[], $2::text[]) AS asked(writer_id, ranges)
    CROSS JOIN LATERAL unnest(asked.ranges::int8multirange) AS r
    CROSS JOIN LATERAL (SELECT * FROM usage_event u WHERE u.writer_id = asked.writer_id AND u.seq >= lower(r) AND u.seq < upper(r)
      ORDER BY u.seq LIMIT $3) e
    ORDER BY e.writer_id, e.seq LIMIT $3`,
};

const WRITERS_AT_ONCE = 20;

type Left = { readonly writer_id: string; readonly ranges: string };

/** Some of what is left, by journal and sequence. */
export async function readUsageExport(pool: Pool, limit: number): Promise<UsageExportPage> {
  const { rows: left } = await pool.query<Left>({ ...READ_LEFT, values: [WRITERS_AT_ONCE] });
  if (left.length === 0) return { rows: [], looked: [] };
  const values = [left.map((each) => each.writer_id), left.map(({ ranges }) => ranges), limit];
  const found = await pool.query<{ writer_id: string; seq: string; payload: string }>({ ...READ_EVENTS, values });
  const rows = found.rows.map(({ writer_id: writerId, seq, payload }) => ({ writerId, sequence: BigInt(seq), payload }));
  return { rows, looked: rows.length < limit ? left.map((each) => ({ writerId: each.writer_id, ranges: each.ranges })) : ofRows(rows) };
}

/** A full page is not all there is: no more than its own rows are done with. */
function ofRows(rows: readonly UsageExportRow[]): UsageExportPage['looked'] {
  const sequences = new Map<string, bigint[]>();
  for (const { writerId, sequence } of rows) sequences.set(writerId, [...(sequences.get(writerId) ?? []), sequence]);
  return [...sequences].map(([writerId, each]) => ({ writerId, ranges: formatRanges(toRanges(each)) }));
}

const NOTE = {
  name: 'weir-usage-export-note',
  text: `INSERT INTO usage_exported (writer_id, exported) SELECT writer_id, ranges::int8multirange FROM unnest($1::uuid[], $2::text[]) AS t(writer_id, ranges)
    ON CONFLICT (writer_id) DO UPDATE SET exported = usage_exported.exported + EXCLUDED.exported`,
};

/** Notes that these were taken. */
export async function noteUsageExported(pool: Pool, looked: UsageExportPage['looked']): Promise<void> {
  if (looked.length === 0) return;
  await pool.query({ ...NOTE, values: [looked.map(({ writerId }) => writerId), looked.map(({ ranges }) => ranges)] });
}
