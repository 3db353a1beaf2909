import type { PoolClient } from 'pg';
import { arrayLiteral } from './array-literal';
import type { JournalledEvent } from './decode-batch';

/**
 * Which of these repeats are none: their place in a journal was counted for another event. Only what raw events are kept
 * of can be compared; what is older is a repeat, as is everything whose own event is counted, under whatever place.
 */
export async function findTaken(client: PoolClient, repeats: readonly JournalledEvent[]): Promise<JournalledEvent[]> {
  const named = repeats.flatMap((event) => (event.decoded.kind === 'event' ? [{ event, reported: event.decoded.event }] : []));
  if (named.length === 0) return [];
  const { rows } = await client.query<{ at: number }>({
    ...FIND_UNCOUNTED,
    values: [
      arrayLiteral(named.map(({ event }) => event.writerId)),
      arrayLiteral(named.map(({ event }) => String(event.sequence))),
      arrayLiteral(named.map(({ reported }) => String(reported.admitted_at))),
      named.map(({ reported }) => reported.event_id),
      arrayLiteral(named.map(({ reported }) => reported.org_id)),
      named.map(({ reported }) => reported.request_id),
    ],
  });
  return rows.flatMap(({ at }) => named[at - 1]?.event ?? []);
}

/** First by the whole key, which finds every honest repeat in one partition; only what is left is looked for in all. */
const FIND_UNCOUNTED = {
  name: 'weir-find-uncounted',
  text: `SELECT told.at::int AS at
    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::uuid[], $6::text[])
      WITH ORDINALITY AS told(writer_id, seq, admitted_ms, event_id, org_id, request_id, at)
    WHERE NOT EXISTS (SELECT 1 FROM usage_event e WHERE e.writer_id = told.writer_id AND e.seq = told.seq
        AND e.admitted_at = to_timestamp(told.admitted_ms / 1000.0) AND e.event_id = told.event_id)
      AND EXISTS (SELECT 1 FROM usage_event e WHERE e.writer_id = told.writer_id AND e.seq = told.seq AND e.event_id <> told.event_id)
      AND NOT EXISTS (SELECT 1 FROM usage_event e
        WHERE e.org_id = told.org_id AND e.request_id = told.request_id AND e.event_id = told.event_id)
      AND NOT EXISTS (SELECT 1 FROM usage_dead_letter l WHERE l.reason = 'sequence_taken' AND l.writer_id = told.writer_id
        AND l.seq = told.seq AND position(convert_to('"event_id":"' || told.event_id || '"', 'UTF8') IN l.payload) > 0)
    ORDER BY told.at`,
};
