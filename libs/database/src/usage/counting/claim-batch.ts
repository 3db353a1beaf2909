import type { BatchSource } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import type { JournalledEvent } from './decode-batch';
import { includesSequence, parseRanges, type SequenceRange } from './sequence-ranges';

/** What of a batch no one has counted yet. While the transaction lives, no other can claim events of the same writers. */
type ClaimedBatch = {
  readonly fresh: readonly JournalledEvent[];
  /** Their places are seen already, earlier or in this batch. */
  readonly repeats: readonly JournalledEvent[];
  readonly previousOffset: bigint | null;
};

const LOCK_OFFSET = {
  name: 'weir-lock-offset',
  text: `INSERT INTO usage_offset (topic, partition, next_offset) VALUES ($1, $2, 0)
    ON CONFLICT (topic, partition) DO UPDATE SET updated_at = now() RETURNING next_offset::text AS next_offset`,
};

const ADD_WRITERS = {
  name: 'weir-add-writers',
  text: 'INSERT INTO usage_writer (writer_id) SELECT unnest($1::uuid[]) ON CONFLICT (writer_id) DO NOTHING',
};

/** The fence: who comes second waits here, then sees what the first has seen. Ordered, so that two never wait for each other. */
const LOCK_WRITERS = {
  name: 'weir-lock-writers',
  text: 'SELECT writer_id, seen::text AS seen FROM usage_writer WHERE writer_id = ANY($1::uuid[]) ORDER BY writer_id FOR UPDATE',
};

export async function claimBatch(
  client: PoolClient,
  placed: readonly JournalledEvent[],
  source: BatchSource | null,
): Promise<ClaimedBatch> {
  const previousOffset = source === null ? null : await lockOffset(client, source);
  const seen = await lockWriters(client, [...new Set(placed.map(({ writerId }) => writerId))].sort());
  const taken = new Map<string, Set<bigint>>();
  const fresh: JournalledEvent[] = [];
  const repeats: JournalledEvent[] = [];
  for (const event of placed) (isFresh(event, seen, taken) ? fresh : repeats).push(event);
  return { fresh, repeats, previousOffset };
}

function isFresh(
  { writerId, sequence }: JournalledEvent,
  seen: ReadonlyMap<string, readonly SequenceRange[]>,
  taken: Map<string, Set<bigint>>,
): boolean {
  if (includesSequence(seen.get(writerId) ?? [], sequence)) return false;
  const ofWriter = taken.get(writerId) ?? new Set<bigint>();
  if (ofWriter.has(sequence)) return false;
  taken.set(writerId, ofWriter.add(sequence));
  return true;
}

async function lockOffset(client: PoolClient, { topic, partition }: BatchSource): Promise<bigint> {
  const { rows } = await client.query<{ next_offset: string }>({ ...LOCK_OFFSET, values: [topic, partition] });
  return BigInt(rows[0]?.next_offset ?? 0);
}

async function lockWriters(client: PoolClient, writerIds: readonly string[]): Promise<Map<string, SequenceRange[]>> {
  if (writerIds.length === 0) return new Map();
  const lock = () => client.query<{ writer_id: string; seen: string }>({ ...LOCK_WRITERS, values: [arrayLiteral(writerIds)] });
  let { rows } = await lock();
  if (rows.length < writerIds.length) {
    await client.query({ ...ADD_WRITERS, values: [arrayLiteral(writerIds)] });
    ({ rows } = await lock());
  }
  return new Map(rows.map((row) => [row.writer_id, parseRanges(row.seen)]));
}
