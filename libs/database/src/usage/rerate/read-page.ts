import type { UsageCorrection, UsageEvent } from '@weir/contracts';
import { decodeUsageEvent, gatherCorrections, isCorrection, type PricedEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { RerateCriteria } from './rerate-ask';

/** The place of an event among those of its organization: by the time at which it counts. */
export type EventPlace = { readonly admittedAtMs: number; readonly writerId: string; readonly sequence: string };

export type FoundEvent = { readonly priced: PricedEvent; readonly admittedAtMs: number; readonly isTimeClamped: boolean };

/** Some events of an organization that the wrong price says the cost of. `last` is where the next page goes on; null on the last. */
export type EventPage = { readonly found: readonly FoundEvent[]; readonly last: EventPlace | null };

/** Few enough for one short transaction. */
export const EVENTS_PER_PAGE = 500;

/** By the index of organization and admission, which the plain bound is for. What names the version may be an event, or an earlier correction of one. */
const READ_ROWS = {
  name: 'weir-rerate-page',
  // Qualified: a bare `seq` in ORDER BY would be the text that is returned, where 10 comes before 9.
  text: `SELECT e.writer_id, e.seq::text AS seq, floor(extract(epoch FROM e.admitted_at) * 1000)::text AS admitted_ms, time_clamped, payload::text AS payload
    FROM usage_event e WHERE org_id = $1 AND admitted_at >= $2::timestamptz AND admitted_at < $3::timestamptz
      AND (e.admitted_at, e.writer_id, e.seq) > ($2::timestamptz, $4::uuid, $5::bigint)
      AND payload ->> 'price_version' = $6 AND payload ->> 'model_used' = $7 AND ($8::text IS NULL OR payload ->> 'provider_used' = $8)
    ORDER BY e.admitted_at, e.writer_id, e.seq LIMIT $9`,
};

/** All corrections of some requests, which count at the very times of their events, and the events that are corrected. */
const READ_CHAINS = {
  name: 'weir-rerate-chains',
  text: `SELECT payload::text AS payload FROM usage_event
    WHERE org_id = $1 AND request_id = ANY($2::text[]) AND admitted_at >= $3::timestamptz AND admitted_at <= $4::timestamptz
      AND (payload -> 'corrects' IS NOT NULL OR event_id = ANY($5::text[]))`,
};

type Row = {
  readonly writer_id: string;
  readonly seq: string;
  readonly admitted_ms: string;
  readonly time_clamped: boolean;
  readonly payload: string;
};

const FIRST_WRITER = '00000000-0000-0000-0000-000000000000';
const toInstant = (ms: number): string => new Date(ms).toISOString();

type Ask = { readonly criteria: RerateCriteria; readonly organizationId: string; readonly after: EventPlace | null };

export async function readPage(client: PoolClient, { criteria, organizationId, after }: Ask): Promise<EventPage> {
  const from = after ?? { admittedAtMs: criteria.fromMs, writerId: FIRST_WRITER, sequence: '-1' };
  const { rows } = await client.query<Row>({
    ...READ_ROWS,
    values: [
      ...[organizationId, toInstant(from.admittedAtMs), toInstant(criteria.toMs), from.writerId, from.sequence],
      ...[criteria.priceVersion, criteria.modelUsed, criteria.providerUsed, EVENTS_PER_PAGE],
    ],
  });
  const last = rows.at(-1);
  const chains = await readChains(client, organizationId, rows);
  const found = rows.flatMap((row): FoundEvent[] => {
    const named = decode(row.payload);
    const priced = named === undefined ? undefined : chains.get(originOf(named));
    // A later correction holds in its place.
    if (named === undefined || priced === undefined || newestOf(priced) !== named.event_id) return [];
    return [{ priced, admittedAtMs: Number(row.admitted_ms), isTimeClamped: row.time_clamped }];
  });
  return { found, last: last === undefined || rows.length < EVENTS_PER_PAGE ? null : placeOf(last) };
}

function placeOf({ admitted_ms: admittedMs, writer_id: writerId, seq: sequence }: Row): EventPlace {
  return { admittedAtMs: Number(admittedMs), writerId, sequence };
}

function originOf(event: UsageEvent): string {
  return isCorrection(event) ? event.corrects.event_id : event.event_id;
}

function newestOf({ event, corrections }: PricedEvent): string {
  return (corrections.at(-1) ?? event).event_id;
}

/** By event: with what has corrected it so far. */
async function readChains(client: PoolClient, organizationId: string, rows: readonly Row[]): Promise<ReadonlyMap<string, PricedEvent>> {
  const named = rows.flatMap(({ payload }) => decode(payload) ?? []);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const { rows: all } = await client.query<{ payload: string }>({
    ...READ_CHAINS,
    values: [
      organizationId,
      [...new Set(named.map(({ request_id: requestId }) => requestId))],
      toInstant(Number(first.admitted_ms)),
      toInstant(Number(last.admitted_ms)),
      [...new Set(named.map(originOf))],
    ],
  });
  const events = all.flatMap(({ payload }) => decode(payload) ?? []);
  const corrections = new Map<string, UsageCorrection[]>();
  for (const event of events.filter(isCorrection)) corrections.set(originOf(event), [...(corrections.get(originOf(event)) ?? []), event]);
  const origins = events.filter((event) => !isCorrection(event));
  return new Map(origins.map((event) => [event.event_id, gatherCorrections(event, corrections.get(event.event_id) ?? [])]));
}

/** What is kept was counted, so it can be read. */
function decode(payload: string): UsageEvent | undefined {
  const decoded = decodeUsageEvent(payload, 0, { acceptLate: true, isCounted: true });
  return decoded.kind === 'event' ? decoded.event : undefined;
}
