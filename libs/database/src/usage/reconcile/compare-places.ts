import type { PoolClient } from 'pg';
import type { LedgerKind } from '../../ledger/write-postings';
import { ROLLUP_TABLES } from '../rollups/write-rollups';

/** Where the same usage is written down. What an attempt cost is in all of them, what is owed for it in all but `spend`. */
export type Place = 'events' | 'hour' | 'day' | 'month' | 'spend' | 'ledger';

/** What one organization has in one place; null what the place does not know. */
export type PlaceSum = {
  readonly place: Place;
  readonly attempts: bigint | null;
  readonly requests: bigint | null;
  readonly costPico: bigint | null;
  readonly billedPico: bigint | null;
};

export type Difference = {
  readonly organizationId: string;
  readonly between: readonly [Place, Place];
  readonly what: 'attempts' | 'requests' | 'costPico' | 'billedPico';
  /** The second place's less the first one's. */
  readonly by: bigint;
};

export type ComparedRange = {
  /** Half-open, UTC epoch milliseconds, on boundaries of all compared places. */
  readonly startMs: number;
  readonly endMs: number;
  readonly places: readonly Place[];
  /** All organizations unless given. */
  readonly organizationId?: string;
};

const NONE = 'NULL::text';

function rollupSql(table: string): string {
  return `SELECT org_id, sum(attempts)::text AS attempts, sum(requests)::text AS requests, sum(cost_pico)::text AS cost,
    sum(billed_pico)::text AS billed FROM ${table}
    WHERE period_start >= to_timestamp($1::bigint) AND period_start < to_timestamp($2::bigint) AND ($3::uuid IS NULL OR org_id = $3) GROUP BY org_id`;
}

/** By the hour of usage that it is about: a price correction is posted when it is made. */
function ledgerSql(kind: LedgerKind, hour: 'effective_at' | 'usage_hour'): string {
  return `SELECT id, org_id FROM ledger_tx WHERE kind = '${kind}' AND ${hour} >= to_timestamp($1::bigint) AND ${hour} < to_timestamp($2::bigint)
    AND ($3::uuid IS NULL OR org_id = $3)`;
}

const PLACE_SQL: Readonly<Record<Place, string>> = {
  events: `SELECT org_id, count(*) FILTER (WHERE payload -> 'corrects' IS NULL)::text AS attempts, count(*) FILTER (WHERE (payload ->> 'logical')::boolean)::text AS requests,
    sum((payload ->> 'cost_p')::numeric)::text AS cost, sum((payload ->> 'billed_p')::numeric)::text AS billed FROM usage_event
    WHERE admitted_at >= to_timestamp($1::bigint) AND admitted_at < to_timestamp($2::bigint) AND ($3::uuid IS NULL OR org_id = $3) GROUP BY org_id`,
  hour: rollupSql(ROLLUP_TABLES.hour),
  day: rollupSql(ROLLUP_TABLES.day),
  month: rollupSql(ROLLUP_TABLES.month),
  spend: `SELECT scope_id::uuid AS org_id, ${NONE} AS attempts, sum(requests)::text AS requests, sum(cost_pico)::text AS cost, ${NONE} AS billed
    FROM spend_month WHERE scope = 'organization' AND month >= to_timestamp($1::bigint) AND month < to_timestamp($2::bigint)
      AND ($3::uuid IS NULL OR scope_id = $3::text) GROUP BY scope_id`,
  ledger: `SELECT t.org_id, ${NONE} AS attempts, ${NONE} AS requests, ${NONE} AS cost, trim_scale(sum(e.amount) * 1000000000000)::text AS billed
    FROM (${ledgerSql('usage_hour', 'effective_at')} UNION ALL ${ledgerSql('price_correction', 'usage_hour')}) t
      JOIN ledger_entry e ON e.tx_id = t.id JOIN ledger_account a ON a.id = e.account_id WHERE a.kind = 'usage' GROUP BY t.org_id`,
};

const KNOWN: Readonly<Record<Place, readonly Difference['what'][]>> = {
  events: ['attempts', 'requests', 'costPico', 'billedPico'],
  hour: ['attempts', 'requests', 'costPico', 'billedPico'],
  day: ['attempts', 'requests', 'costPico', 'billedPico'],
  month: ['attempts', 'requests', 'costPico', 'billedPico'],
  spend: ['requests', 'costPico'],
  ledger: ['billedPico'],
};

type Row = {
  readonly org_id: string;
  readonly attempts: string | null;
  readonly requests: string | null;
  readonly cost: string | null;
  readonly billed: string | null;
};

export type ComparedPlaces = { readonly sums: ReadonlyMap<string, readonly PlaceSum[]>; readonly differences: readonly Difference[] };

/** Sums the same usage where it is written down, by organization. Exact only within one snapshot: give it one. */
export async function comparePlaces(client: PoolClient, range: ComparedRange): Promise<ComparedPlaces> {
  const { startMs, endMs, places, organizationId = null } = range;
  const byOrganization = new Map<string, Map<Place, PlaceSum>>();
  for (const place of places) {
    const { rows } = await client.query<Row>(PLACE_SQL[place], [startMs / 1000, endMs / 1000, organizationId]);
    for (const row of rows) {
      const sums = byOrganization.get(row.org_id) ?? new Map<Place, PlaceSum>();
      byOrganization.set(row.org_id, sums.set(place, toSum(place, row)));
    }
  }
  const sums = new Map([...byOrganization].map(([id, found]) => [id, places.map((place) => found.get(place) ?? emptySum(place))]));
  return { sums, differences: [...sums].flatMap(([id, ofOne]) => listDifferences(id, ofOne)) };
}

function toSum(place: Place, { attempts, requests, cost, billed }: Omit<Row, 'org_id'>): PlaceSum {
  const parse = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
  return { place, attempts: parse(attempts), requests: parse(requests), costPico: parse(cost), billedPico: parse(billed) };
}

/** Nothing written down is as much as zero of what the place knows. */
export function emptySum(place: Place): PlaceSum {
  const zeroIfKnown = (what: Difference['what']): string | null => (KNOWN[place].includes(what) ? '0' : null);
  return toSum(place, {
    attempts: zeroIfKnown('attempts'),
    requests: zeroIfKnown('requests'),
    cost: zeroIfKnown('costPico'),
    billed: zeroIfKnown('billedPico'),
  });
}

/** Each place against the next that knows the same thing. */
function listDifferences(organizationId: string, sums: readonly PlaceSum[]): Difference[] {
  const differences: Difference[] = [];
  for (const what of ['attempts', 'requests', 'costPico', 'billedPico'] as const) {
    const knowing = sums.flatMap(({ place, [what]: amount }) => (amount === null ? [] : [{ place, amount }]));
    knowing.slice(1).forEach(({ place, amount }, at) => {
      const before = knowing[at];
      if (before !== undefined && amount !== before.amount) {
        differences.push({ organizationId, between: [before.place, place], what, by: amount - before.amount });
      }
    });
  }
  return differences;
}

/** Money only, without regard to its sign: what has no explanation, and must be 0. */
export function sumUnexplained(differences: readonly Difference[]): bigint {
  return differences
    .filter(({ what }) => what === 'costPico' || what === 'billedPico')
    .reduce((sum, { by }) => sum + (by < 0n ? -by : by), 0n);
}
