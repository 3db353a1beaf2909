import { invariant } from '@weir/errors';
import { DAY_MS, type CountedEvent, type FeedPage } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { formatRanges, type SequenceRange } from '../counting/sequence-ranges';
import { HOLD_LEASE } from './feed-lease';
import { EVENT_COLUMNS, readCounted, type EventRow } from './read-counted';
import type { PassLeft, RerateLeft, WriterLeft } from './read-pass';

/** Some megabytes, and a second of work. */
const EVENTS_AT_ONCE = 5_000;
const WRITERS_AT_ONCE = 100;

const READ_EVENTS = {
  name: 'weir-feed-events',
  text: `SELECT ${EVENT_COLUMNS}
    FROM unnest($1::uuid[], $2::text[]) AS asked(writer_id, ranges)
    CROSS JOIN LATERAL unnest(asked.ranges::int8multirange) AS r
    CROSS JOIN LATERAL (SELECT * FROM usage_event u WHERE u.writer_id = asked.writer_id AND u.seq >= lower(r) AND u.seq < upper(r)
      ORDER BY u.seq LIMIT $3) e
    ORDER BY e.writer_id, e.seq LIMIT $3`,
};

const READ_CORRECTIONS = {
  name: 'weir-feed-corrections',
  text: `SELECT ${EVENT_COLUMNS} FROM usage_event e WHERE e.writer_id = $1::uuid AND e.seq > $2::bigint ORDER BY e.seq LIMIT $3`,
};

const NOTE = {
  name: 'weir-note-fed',
  text: `INSERT INTO usage_fed (writer_id, fed) SELECT writer_id, ranges::int8multirange FROM unnest($1::uuid[], $2::text[]) AS t(writer_id, ranges)
    ON CONFLICT (writer_id) DO UPDATE SET fed = usage_fed.fed + EXCLUDED.fed`,
};

export type PagesParts = { readonly pool: Pool; readonly owner: string; readonly eventsAtOnce?: number };

/** All of a pass, page by page; what is noted does not come again. */
export async function* readPages(parts: PagesParts, { writers, rerates }: PassLeft): AsyncIterable<FeedPage> {
  for (let left: readonly WriterLeft[] = writers; left.length > 0;) {
    const { rows, looked, rest } = await readSome(parts, left);
    yield { events: await readCounted(parts.pool, rows), note: () => noteFed(parts, looked) };
    left = rest;
  }
  for (const rerate of rerates) yield* readCorrections(parts, rerate);
}

type Some = { readonly rows: readonly EventRow[]; readonly looked: readonly WriterLeft[]; readonly rest: readonly WriterLeft[] };

async function readSome({ pool, eventsAtOnce = EVENTS_AT_ONCE }: PagesParts, left: readonly WriterLeft[]): Promise<Some> {
  const asked = left.slice(0, WRITERS_AT_ONCE);
  const values = [asked.map(({ writerId }) => writerId), asked.map(({ ranges }) => formatRanges(ranges)), eventsAtOnce];
  const { rows } = await pool.query<EventRow>({ ...READ_EVENTS, values });
  const last = rows.at(-1);
  if (last === undefined || rows.length < eventsAtOnce) return { rows, looked: asked, rest: left.slice(asked.length) };
  // A full page is not all there is: writers and sequences come in order, so what is behind its last row is left.
  const at = asked.findIndex(({ writerId }) => writerId === last.writer_id);
  const cut = asked[at];
  invariant(cut !== undefined, 'a page has events of the writers that were asked for');
  const [before, behind] = cutRanges(cut, BigInt(last.seq) + 1n);
  return { rows, looked: [...asked.slice(0, at), before], rest: [...(behind.ranges.length > 0 ? [behind] : []), ...left.slice(at + 1)] };
}

function cutRanges({ writerId, ranges }: WriterLeft, at: bigint): [WriterLeft, WriterLeft] {
  const isSome = ({ from, to }: SequenceRange): boolean => from < to;
  const before = ranges.map(({ from, to }) => ({ from, to: to < at ? to : at })).filter(isSome);
  const behind = ranges.map(({ from, to }) => ({ from: from > at ? from : at, to })).filter(isSome);
  return [
    { writerId, ranges: before },
    { writerId, ranges: behind },
  ];
}

/** Corrections have places that are no sequence: those of a re-rating come as a whole each time that it has made more. */
async function* readCorrections(parts: PagesParts, { rerateId, corrected }: RerateLeft): AsyncIterable<FeedPage> {
  const { pool, eventsAtOnce = EVENTS_AT_ONCE } = parts;
  for (let after = '-1'; ;) {
    const { rows } = await pool.query<EventRow>({ ...READ_CORRECTIONS, values: [rerateId, after, eventsAtOnce] });
    const isLast = rows.length < eventsAtOnce;
    const fed = [{ writerId: rerateId, ranges: [{ from: 0n, to: corrected }] }];
    yield { events: await readCounted(pool, rows), note: () => noteFed(parts, isLast ? fed : []) };
    if (isLast) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

async function noteFed({ pool, owner }: PagesParts, looked: readonly WriterLeft[]): Promise<void> {
  await runInTransaction(pool, async (client) => {
    await holdLease(client, owner);
    await client.query({ ...NOTE, values: [looked.map(({ writerId }) => writerId), looked.map(({ ranges }) => formatRanges(ranges))] });
  });
}

async function holdLease(client: PoolClient, owner: string): Promise<void> {
  const { rowCount } = await client.query({ ...HOLD_LEASE, values: [owner] });
  if (rowCount !== 1) throw new Error('another process feeds usage by now');
}

const READ_DAY = {
  name: 'weir-feed-day',
  text: `SELECT ${EVENT_COLUMNS} FROM usage_event e WHERE e.org_id = $1::uuid
      AND e.admitted_at >= to_timestamp($2::double precision / 1000) AND e.admitted_at < to_timestamp($3::double precision / 1000)
      AND (e.admitted_at, e.writer_id, e.seq) > (to_timestamp($4::double precision / 1000), $5::uuid, $6::bigint)
    ORDER BY e.admitted_at, e.writer_id, e.seq LIMIT $7`,
};

const FIRST_PLACE = ['00000000-0000-0000-0000-000000000000', '-1'] as const;

type Day = { readonly organizationId: string; readonly dayMs: number };

/** All events of an organization's UTC day that are kept, corrections among them. */
export async function* readDayEvents(parts: PagesParts, { organizationId, dayMs }: Day): AsyncIterable<readonly CountedEvent[]> {
  const { pool, eventsAtOnce = EVENTS_AT_ONCE } = parts;
  for (let after: readonly unknown[] = [dayMs, ...FIRST_PLACE]; ;) {
    const { rows } = await pool.query<EventRow>({
      ...READ_DAY,
      values: [organizationId, dayMs, dayMs + DAY_MS, ...after, eventsAtOnce],
    });
    if (rows.length > 0) yield await readCounted(pool, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < eventsAtOnce) return;
    after = [Number(last.admitted_ms), last.writer_id, last.seq];
  }
}
