import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import type { JournalledEvent } from './decode-batch';

/**
 * Which of these are not repeats: their sequence in a journal was counted for another event. Only events whose raw form is
 * still kept can be compared; what is older is a repeat, as is everything whose own event is counted, under whichever sequence.
 */
export async function findTaken(client: PoolClient, repeats: readonly JournalledEvent[]): Promise<JournalledEvent[]> {
  const named = repeats.flatMap((event) => (event.decoded.kind === 'event' ? [{ event, usage: event.decoded.event }] : []));
  if (named.length === 0) return [];
  const { rows } = await client.query<{ at: number }>({
    ...FIND_UNCOUNTED,
    values: [
      arrayLiteral(named.map(({ event }) => event.writerId)),
      arrayLiteral(named.map(({ event }) => String(event.sequence))),
      arrayLiteral(named.map(({ usage }) => String(usage.admitted_at))),
      named.map(({ usage }) => usage.event_id),
      arrayLiteral(named.map(({ usage }) => usage.org_id)),
      named.map(({ usage }) => usage.request_id),
    ],
  });
  return rows.flatMap(({ at }) => named[at - 1]?.event ?? []);
}

/** First by the whole key, which finds every honest repeat in one partition; only what is left is looked for in all. */
const FIND_UNCOUNTED = {
  name: 'weir-find-uncounted',
  text: `SELECT given.at::int AS at
    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::uuid[], $6::text[])
      WITH ORDINALITY AS given(writer_id, seq, admitted_ms, event_id, org_id, request_id, at)
    WHERE NOT EXISTS (SELECT 1 FROM usage_event e WHERE e.writer_id = given.writer_id AND e.seq = given.seq
        AND e.admitted_at = to_timestamp(given.admitted_ms / 1000.0) AND e.event_id = given.event_id)
      AND EXISTS (SELECT 1 FROM usage_event e WHERE e.writer_id = given.writer_id AND e.seq = given.seq AND e.event_id <> given.event_id)
      AND NOT EXISTS (SELECT 1 FROM usage_event e
        WHERE e.org_id = given.org_id AND e.request_id = given.request_id AND e.event_id = given.event_id)
      AND NOT EXISTS (SELECT 1 FROM usage_dead_letter l WHERE l.reason = 'sequence_taken' AND l.writer_id = given.writer_id
        AND l.seq = given.seq AND position(convert_to('"event_id":"' || given.event_id || '"', 'UTF8') IN l.payload) > 0)
    ORDER BY given.at`,
};
