import type { BatchSource } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import type { JournalledEvent } from './decode-batch';
import { contiguousWatermark, formatRanges, parseRanges, toRanges } from './sequence-ranges';

/** A hole below what was seen is the sign of loss: `first_gap_at` says since when there is one. */
const MARK_SEEN = {
  name: 'weir-mark-seen',
  text: `UPDATE usage_writer w SET
      seen = w.seen + fresh.ranges,
      last_epoch = greatest(w.last_epoch, fresh.epoch),
      first_gap_at = CASE WHEN w.seen + fresh.ranges = int8multirange(int8range(0, upper(w.seen + fresh.ranges)))
        THEN NULL ELSE coalesce(w.first_gap_at, now()) END,
      updated_at = now()
    FROM (SELECT unnest($1::uuid[]) AS writer_id, unnest($2::text[])::int8multirange AS ranges, unnest($3::int[]) AS epoch) fresh
    WHERE w.writer_id = fresh.writer_id`,
};

const READ_SEEN = {
  name: 'weir-read-seen',
  text: 'SELECT writer_id, seen::text AS seen FROM usage_writer WHERE writer_id = ANY($1::uuid[])',
};

const MOVE_OFFSET = {
  name: 'weir-move-offset',
  text: 'UPDATE usage_offset SET next_offset = $3, updated_at = now() WHERE topic = $1 AND partition = $2',
};

const EPOCH_MAX = 2 ** 31 - 1;

/** Sequences of one writer that a batch makes seen. */
export type FreshSequences = { readonly writerId: string; readonly ranges: string; readonly epoch: number };

export function listFreshSequences(fresh: readonly JournalledEvent[]): FreshSequences[] {
  const byWriter = new Map<string, { sequences: bigint[]; epoch: number }>();
  for (const { writerId, sequence, epoch } of fresh) {
    const present = byWriter.get(writerId);
    if (present === undefined) byWriter.set(writerId, { sequences: [sequence], epoch });
    else {
      present.sequences.push(sequence);
      present.epoch = Math.max(present.epoch, epoch);
    }
  }
  const writers = [...byWriter].map(([writerId, { sequences, epoch }]) => ({
    writerId,
    ranges: formatRanges(toRanges(sequences)),
    epoch: Math.min(EPOCH_MAX, Math.max(0, Math.trunc(epoch))),
  }));
  return writers.sort((a, b) => (a.writerId < b.writerId ? -1 : 1));
}

export async function markSeen(client: PoolClient, fresh: readonly FreshSequences[]): Promise<void> {
  if (fresh.length === 0) return;
  await client.query({
    ...MARK_SEEN,
    values: [arrayLiteral(fresh.map((row) => row.writerId)), fresh.map((row) => row.ranges), arrayLiteral(fresh.map((row) => row.epoch))],
  });
}

export async function moveOffset(client: PoolClient, source: BatchSource): Promise<void> {
  await client.query({ ...MOVE_OFFSET, values: [source.topic, source.partition, String(source.nextOffset)] });
}

/** Per writer of the batch, as this transaction leaves it; a writer whose sequence 0 is missing has none. */
export async function readWatermarks(client: PoolClient, writerIds: readonly string[]): Promise<Map<string, bigint>> {
  const watermarks = new Map<string, bigint>();
  if (writerIds.length === 0) return watermarks;
  const { rows } = await client.query<{ writer_id: string; seen: string }>({ ...READ_SEEN, values: [arrayLiteral(writerIds)] });
  for (const row of rows) {
    const watermark = contiguousWatermark(parseRanges(row.seen));
    if (watermark !== undefined) watermarks.set(row.writer_id, watermark);
  }
  return watermarks;
}
