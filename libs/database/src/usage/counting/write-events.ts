import type { DeadLetterReason, DecodedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral, nullableArrayLiteral } from '../../postgres/array-literal';
import type { JournalledEvent } from './decode-batch';

export type CountableEvent = { readonly place: JournalledEvent; readonly decoded: Extract<DecodedUsageEvent, { kind: 'event' }> };

export type DeadLetter = {
  readonly event: JournalledEvent;
  readonly reason: DeadLetterReason | 'unplaced' | 'unstorable' | 'sequence_taken';
};

/** Cannot stand in JSON text, so payloads travel joined by it, which spares both sides the quoting of thousands of texts. */
const SEPARATOR = '\x1e';

const ADD_EVENTS = {
  name: 'weir-add-events',
  text: `INSERT INTO usage_event (writer_id, seq, org_id, admitted_at, time_clamped, event_id, request_id, payload)
    SELECT writer_id, seq, org_id, to_timestamp(admitted_ms / 1000.0), time_clamped, event_id, request_id, payload::json
    FROM ROWS FROM (unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::boolean[], $6::text[], $7::text[]),
      string_to_table($8::text, E'\\x1e')) AS t(writer_id, seq, org_id, admitted_ms, time_clamped, event_id, request_id, payload)`,
};

const ADD_DEAD_LETTERS = {
  name: 'weir-add-dead-letters',
  text: `INSERT INTO usage_dead_letter (writer_id, seq, reason, payload)
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bytea[])`,
};

export async function writeEvents(client: PoolClient, events: readonly CountableEvent[]): Promise<void> {
  if (events.length === 0) return;
  await client.query({
    ...ADD_EVENTS,
    values: [
      arrayLiteral(events.map(({ place }) => place.writerId)),
      arrayLiteral(events.map(({ place }) => place.sequence)),
      arrayLiteral(events.map(({ decoded }) => decoded.event.org_id)),
      arrayLiteral(events.map(({ decoded }) => decoded.admittedAtMs)),
      arrayLiteral(events.map(({ decoded }) => String(decoded.isTimeClamped))),
      events.map(({ decoded }) => decoded.event.event_id),
      events.map(({ decoded }) => decoded.event.request_id),
      events.map(({ decoded }) => decoded.payload).join(SEPARATOR),
    ],
  });
}

export async function writeDeadLetters(client: PoolClient, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await client.query({
    ...ADD_DEAD_LETTERS,
    values: [
      nullableArrayLiteral(letters.map(({ event }) => (event.isPlaced ? event.writerId : null))),
      nullableArrayLiteral(letters.map(({ event }) => (event.isPlaced ? String(event.sequence) : null))),
      arrayLiteral(letters.map(({ reason }) => reason)),
      letters.map(({ event }) => Buffer.from(event.payload)),
    ],
  });
}
