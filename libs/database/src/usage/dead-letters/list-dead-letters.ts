import type { Pool } from 'pg';
import { IS_WAITING } from './waiting-letters';

type DeadLetter = {
  readonly id: string;
  readonly reason: string;
  /** Its place in a journal; null where the bus brought none. */
  readonly writerId: string | null;
  readonly sequence: string | null;
  /** UTC epoch milliseconds. */
  readonly receivedAtMs: number;
  /** How the event begins; what is not text is shown as a replacement character. */
  readonly beginning: string;
};

type Row = {
  readonly id: string;
  readonly reason: string;
  readonly writer_id: string | null;
  readonly seq: string | null;
  readonly received_ms: string;
  readonly beginning: Buffer;
};

const LETTERS_MAX = 1_000;
const BEGINNING_BYTES = 300;

const LIST = `SELECT id::text AS id, reason, writer_id, seq::text AS seq, floor(extract(epoch FROM received_at) * 1000)::text AS received_ms,
    substring(payload FROM 1 FOR ${BEGINNING_BYTES}) AS beginning
  FROM usage_dead_letter WHERE ${IS_WAITING} ORDER BY id LIMIT ${LETTERS_MAX}`;

/** Events that wait to be replayed or dismissed, oldest first, at most 1,000. */
export async function listDeadLetters(pool: Pool): Promise<DeadLetter[]> {
  const { rows } = await pool.query<Row>(LIST);
  return rows.map(({ id, reason, writer_id: writerId, seq, received_ms: ms, beginning }) => ({
    ...{ id, reason, writerId, sequence: seq, receivedAtMs: Number(ms), beginning: beginning.toString('utf8') },
  }));
}
