import type { Pool } from 'pg';
import { contiguousWatermark, parseRanges, type SequenceRange } from '../counting/sequence-ranges';

/** A journal as Postgres knows it. */
export type WriterState = {
  readonly writerId: string;
  /** The highest sequence below which nothing is missing; null while 0 is. */
  readonly watermark: bigint | null;
  /** Sequences that never came though later ones did: usage that is missing. */
  readonly holes: readonly SequenceRange[];
  /** Since when there is a hole, UTC epoch milliseconds; null when there is none. */
  readonly firstGapAtMs: number | null;
  readonly updatedAtMs: number;
};

const READ_WRITERS = `SELECT writer_id, seen::text AS seen, (int8multirange(int8range(0, upper(seen))) - seen)::text AS holes,
    floor(extract(epoch FROM first_gap_at) * 1000)::text AS first_gap_at_ms, floor(extract(epoch FROM updated_at) * 1000)::text AS updated_at_ms
  FROM usage_writer WHERE updated_at >= to_timestamp($1::double precision) OR first_gap_at IS NOT NULL ORDER BY writer_id`;

type Row = {
  readonly writer_id: string;
  readonly seen: string;
  readonly holes: string | null;
  readonly first_gap_at_ms: string | null;
  readonly updated_at_ms: string;
};

/** Writers that were heard of since a moment, and all that have holes. For operators: writers serve all organizations. */
export async function readWriters(pool: Pool, sinceMs = 0): Promise<WriterState[]> {
  const { rows } = await pool.query<Row>(READ_WRITERS, [sinceMs / 1000]);
  return rows.map((row) => ({
    writerId: row.writer_id,
    watermark: contiguousWatermark(parseRanges(row.seen)) ?? null,
    holes: parseRanges(row.holes ?? ''),
    firstGapAtMs: row.first_gap_at_ms === null ? null : Number(row.first_gap_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  }));
}
