import {
  addMeasures,
  decodeUsageEvent,
  foldBatch,
  type FoldedBatch,
  type RollupIncrement,
  type SeriesBounds,
  type SeriesDimensions,
  type TimedUsageEvent,
} from '@weir/usage';
import type { PoolClient } from 'pg';

/** Which free text of some events is kept apart. */
export type FoldingBounds = { open(client: PoolClient, events: readonly TimedUsageEvent[]): Promise<SeriesBounds> };

/** Raw events of one hour, or of part of it. */
type EventRange = {
  readonly organizationId: string;
  readonly apiKeyId?: string;
  /** Half-open, UTC epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
};

type FoldedEvents = { readonly hours: readonly RollupIncrement[]; readonly series: ReadonlyMap<string, SeriesDimensions> };

/** Few enough that folding them does not hold up other requests. */
const EVENTS_AT_ONCE = 1_000;

const DECLARE_EVENTS = `DECLARE usage_events NO SCROLL CURSOR FOR
  SELECT payload::text AS payload, floor(extract(epoch FROM admitted_at) * 1000)::text AS admitted_ms FROM usage_event
  WHERE org_id = $1 AND admitted_at >= to_timestamp($2::double precision) AND admitted_at < to_timestamp($3::double precision)
    AND ($4::text IS NULL OR lower(payload ->> 'api_key_id') = $4)`;

type EventRow = { readonly payload: string; readonly admitted_ms: string };

/** Adds events up as counting does, in the caller's transaction. `onPage` is called before more of them are read. */
export async function foldEvents(
  client: PoolClient,
  { organizationId, apiKeyId, startMs, endMs }: EventRange,
  folding: FoldingBounds & { onPage?(): void },
): Promise<FoldedEvents> {
  const into: Into = { series: new Map(), hours: new Map() };
  await client.query(DECLARE_EVENTS, [organizationId, startMs / 1000, endMs / 1000, apiKeyId ?? null]);
  for (;;) {
    folding.onPage?.();
    const { rows } = await client.query<EventRow>(`FETCH ${EVENTS_AT_ONCE} FROM usage_events`);
    if (rows.length === 0) break;
    const events = rows.flatMap(decodeRow);
    addFolded(into, foldBatch(events, await folding.open(client, events)));
  }
  await client.query('CLOSE usage_events');
  return { hours: [...into.hours.values()], series: into.series };
}

function decodeRow({ payload, admitted_ms }: EventRow): TimedUsageEvent[] {
  const admittedAtMs = Number(admitted_ms);
  const decoded = decodeUsageEvent(payload, admittedAtMs, { acceptLate: true, isCounted: true });
  return decoded.kind === 'event' ? [{ event: decoded.event, admittedAtMs }] : [];
}

type Into = { readonly hours: Map<string, RollupIncrement>; readonly series: Map<string, SeriesDimensions> };

function addFolded(into: Into, folded: FoldedBatch): void {
  for (const [identity, dimensions] of folded.series) into.series.set(identity, dimensions);
  for (const increment of folded.hours) {
    const present = into.hours.get(increment.series);
    if (present === undefined) into.hours.set(increment.series, increment);
    else addMeasures(present.measures, increment.measures);
  }
}
