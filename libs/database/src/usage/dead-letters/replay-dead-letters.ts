import { decodeUsageEvent, type DeadLetterReason } from '@weir/usage';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { arrayLiteral } from '../../postgres/array-literal';
import { createUsageBounds } from '../bounds/create-usage-bounds';
import { countEvents, type CountingParts } from '../counting/count-events';
import type { JournalledEvent } from '../counting/decode-batch';
import { listFreshSequences } from '../counting/mark-seen';
import { createSeriesDirectory } from '../rollups/series-directory';
import type { CountableEvent } from '../counting/write-events';
import { IS_WAITING } from './waiting-letters';

type ReplayOptions = {
  readonly pool: Pool;
  readonly log?: DatabaseLog;
  /** Only letters of this reason. */
  readonly reason?: string;
  /** Counts events that came more than 35 days late in the hour they belong to. */
  readonly acceptLate?: boolean;
};

type ReplayResult = {
  readonly replayed: number;
  /** How many of the tried letters still cannot be counted, by reason. */
  readonly refused: Readonly<Record<string, number>>;
};

type Letter = {
  readonly id: string;
  readonly writer_id: string;
  readonly seq: string;
  readonly payload: Buffer;
  readonly received_ms: string;
};

/**
 * Counts dead letters that can be counted by now. Safe to repeat and to run beside aggregators: a letter's sequence was
 * marked seen when it was set aside, so the bus cannot bring the event again, and that it was replayed is written in the
 * transaction that counts it. Letters without a place in a journal are left: nothing proves that they are new.
 */
export async function replayDeadLetters({ pool, log = SILENT_LOG, reason, acceptLate = false }: ReplayOptions): Promise<ReplayResult> {
  const parts: ReplayParts = { pool, log, now: Date.now, acceptLate, series: createSeriesDirectory(), bounds: createUsageBounds() };
  const refused: Record<string, number> = {};
  let replayed = 0;
  for (let after = '0'; ;) {
    const ids = await listLetters(pool, after, reason);
    const last = ids.at(-1);
    if (last === undefined) break;
    const outcomes = await replayHalving(parts, ids);
    for (const outcome of outcomes) {
      if (outcome === 'replayed') replayed += 1;
      else refused[outcome] = (refused[outcome] ?? 0) + 1;
    }
    after = last;
  }
  log.info({ replayed, refused }, 'dead letters of usage were replayed');
  return { replayed, refused };
}

type ReplayParts = CountingParts & { readonly pool: Pool; readonly acceptLate: boolean };
type Outcome = 'replayed' | DeadLetterReason | 'unstorable';

const LETTERS_AT_ONCE = 500;

const LIST = `SELECT id::text AS id FROM usage_dead_letter
  WHERE id > $1::bigint AND ${IS_WAITING} AND writer_id IS NOT NULL AND ($2::text IS NULL OR reason = $2)
  ORDER BY id LIMIT ${LETTERS_AT_ONCE}`;

/** Who replays the same letters at once waits here, and then finds them replayed. */
const LOCK = `SELECT id::text AS id, writer_id, seq::text AS seq, payload, floor(extract(epoch FROM received_at) * 1000)::text AS received_ms
  FROM usage_dead_letter WHERE id = ANY($1::bigint[]) AND ${IS_WAITING} ORDER BY id FOR UPDATE`;

const MARK = 'UPDATE usage_dead_letter SET replayed_at = now() WHERE id = ANY($1::bigint[])';

async function listLetters(pool: Pool, after: string, reason: string | undefined): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(LIST, [after, reason ?? null]);
  return rows.map(({ id }) => id);
}

/** Data exceptions and broken constraints: one letter that Postgres still refuses must not hold up the others. */
const UNSTORABLE = /^2[23]/;

async function replayHalving(parts: ReplayParts, ids: readonly string[]): Promise<Outcome[]> {
  try {
    return await replayTogether(parts, ids);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !UNSTORABLE.test(error.code ?? '')) throw error;
    if (ids.length === 1) return ['unstorable'];
    const middle = ids.length >> 1;
    return [...(await replayHalving(parts, ids.slice(0, middle))), ...(await replayHalving(parts, ids.slice(middle)))];
  }
}

async function replayTogether(parts: ReplayParts, ids: readonly string[]): Promise<Outcome[]> {
  const { outcomes, remember } = await runInTransaction(parts.pool, async (client) => {
    const letters = await lockLetters(client, ids);
    const decoded = letters.map((letter) => decodeLetter(letter, parts.acceptLate));
    const countable = decoded.flatMap(({ countable: one }) => (one === null ? [] : [one]));
    const counted = await countEvents(parts, client, countable, listFreshSequences(countable.map(({ place }) => place)));
    const done = letters.filter((_, at) => decoded[at]?.countable !== null).map(({ id }) => id);
    await client.query(MARK, [arrayLiteral(done)]);
    return { outcomes: decoded.map(({ outcome }) => outcome), remember: counted };
  });
  remember();
  return outcomes;
}

async function lockLetters(client: PoolClient, ids: readonly string[]): Promise<Letter[]> {
  return (await client.query<Letter>(LOCK, [arrayLiteral(ids)])).rows;
}

/** Late or early is what the event was when it came, not what it is by now. */
function decodeLetter(letter: Letter, acceptLate: boolean): { outcome: Outcome; countable: CountableEvent | null } {
  const payload = letter.payload.toString('utf8');
  const decoded = decodeUsageEvent(payload, Number(letter.received_ms), { acceptLate });
  if (decoded.kind === 'dead-letter') return { outcome: decoded.reason, countable: null };
  const place: JournalledEvent = { writerId: letter.writer_id, epoch: 0, sequence: BigInt(letter.seq), isPlaced: true, payload, decoded };
  return { outcome: 'replayed', countable: { place, decoded } };
}
