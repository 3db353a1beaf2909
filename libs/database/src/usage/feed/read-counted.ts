import {
  decodeUsageEvent,
  measureEvent,
  periodStart,
  seriesOfEvent,
  type CountedEvent,
  type SeriesBounds,
  type TimedUsageEvent,
} from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { createDecidedBounds } from '../bounds/create-decided-bounds';

/** Of `usage_event`, as it is read for the other store. */
export type EventRow = {
  readonly writer_id: string;
  readonly seq: string;
  readonly admitted_ms: string;
  readonly payload: string;
};

export const EVENT_COLUMNS =
  'e.writer_id, e.seq::text AS seq, floor(extract(epoch FROM e.admitted_at) * 1000)::text AS admitted_ms, e.payload::text AS payload';

/** Days of organizations on which an hour had more series than are kept apart. */
const READ_FULL = {
  name: 'weir-feed-full-days',
  text: `SELECT DISTINCT m.org_id, (extract(epoch FROM m.day) * 1000)::bigint::text AS day_ms
    FROM unnest($1::uuid[], $2::bigint[]) AS asked(org_id, day_seconds)
    JOIN usage_bound_met m ON m.org_id = asked.org_id AND m.day = to_timestamp(asked.day_seconds) AND m.bound = 'series'`,
};

/** Nothing of it was folded. */
const UNBOUND: SeriesBounds = { boundExtra: (_organizationId, _admittedAtMs, extra) => extra, hasCapacity: () => true };

type Decoded = TimedUsageEvent & Pick<CountedEvent, 'writerId' | 'sequence' | 'payload'>;
type Hour = { readonly organizationId: string; readonly hourMs: number; readonly events: Decoded[] };

/** What rows were counted as: by the series that counting decided on, which no one decides again. */
export async function readCounted(pool: Pool, rows: readonly EventRow[]): Promise<CountedEvent[]> {
  const hours = gatherHours(rows.flatMap(decodeRow));
  if (hours.length === 0) return [];
  const client = await pool.connect();
  try {
    const fullDays = await readFullDays(client, hours);
    const counted: CountedEvent[] = [];
    for (const hour of hours) {
      const bounds = await openBounds(client, hour, fullDays.has(dayKey(hour.organizationId, periodStart('day', hour.hourMs))));
      for (const decoded of hour.events) {
        counted.push({ ...decoded, series: seriesOfEvent(decoded, bounds), measures: measureEvent(decoded.event) });
      }
    }
    return counted;
  } finally {
    client.release();
  }
}

function decodeRow({ writer_id: writerId, seq, admitted_ms, payload }: EventRow): Decoded[] {
  const admittedAtMs = Number(admitted_ms);
  const decoded = decodeUsageEvent(payload, admittedAtMs, { acceptLate: true, isCounted: true });
  return decoded.kind === 'event' ? [{ writerId, sequence: BigInt(seq), event: decoded.event, admittedAtMs, payload }] : [];
}

function gatherHours(events: readonly Decoded[]): Hour[] {
  const hours = new Map<string, Hour>();
  for (const event of events) {
    const hourMs = periodStart('hour', event.admittedAtMs);
    const key = `${event.event.org_id} ${hourMs}`;
    const hour = hours.get(key);
    if (hour === undefined) hours.set(key, { organizationId: event.event.org_id, hourMs, events: [event] });
    else hour.events.push(event);
  }
  return [...hours.values()];
}

async function openBounds(client: PoolClient, { organizationId, hourMs, events }: Hour, isFull: boolean): Promise<SeriesBounds> {
  const isBound = isFull || events.some(({ event }) => Object.keys(event.extra).length > 0);
  return isBound ? createDecidedBounds({ organizationId, hourMs }).open(client, events) : UNBOUND;
}

const dayKey = (organizationId: string, dayMs: number): string => `${organizationId} ${dayMs}`;

async function readFullDays(client: PoolClient, hours: readonly Hour[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ org_id: string; day_ms: string }>({
    ...READ_FULL,
    values: [
      arrayLiteral(hours.map(({ organizationId }) => organizationId)),
      arrayLiteral(hours.map(({ hourMs }) => periodStart('day', hourMs) / 1000)),
    ],
  });
  return new Set(rows.map(({ org_id, day_ms }) => dayKey(org_id, Number(day_ms))));
}
