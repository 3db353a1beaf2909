import { GatewayError } from '@weir/errors';
import type { Queryable } from '../tenancy/organization-database';
import { PICO_PER_USD, type LedgerKind } from './write-postings';

/** What moved the balance: one posting, all usage of one UTC hour, or all that one re-rating corrected. */
type BalanceLine = {
  readonly id: string;
  readonly kind: Exclude<LedgerKind, 'usage_hour'> | 'usage';
  /** UTC epoch milliseconds: when the money moved, or the start of the hour of usage. */
  readonly atMs: number;
  /** What the balance gained, or lost when negative. */
  readonly amountPico: bigint;
  readonly note: string | null;
};

type BalanceHistoryQuery = {
  readonly organizationId: string;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string;
};

/** Every kind of which each posting has a line of its own. */
const POSTED_KINDS = Object.keys({
  top_up: true,
  gift: true,
  promotion: true,
  expiry: true,
  refund: true,
  adjustment: true,
  opening: true,
} satisfies Record<Exclude<LedgerKind, 'usage_hour' | 'price_correction'>, true>);

/** Where the page begins. The plain bound beside the row's is what the index can be asked for behind row-level security. */
const FROM = 'to_timestamp($2::bigint / 1000.0)::timestamptz(3)';
const BEFORE = (id: string): string => `t.effective_at <= ${FROM} AND (t.effective_at, ${id}) < (${FROM}, $3)`;

/** What one transaction moved on own accounts: `clearing` and `usage` are the other side. */
const MOVED_BY = (txId: string): string => `(SELECT sum(e.amount) FROM ledger_entry e WHERE e.tx_id = ${txId} AND e.account_id = ANY (
      ARRAY(SELECT a.id FROM ledger_account a WHERE a.org_id = $1 AND a.kind IN ('cash', 'promo', 'gift'))))`;

/** The re-rating that a price correction belongs to; all that it posts take effect at one moment. */
const RERATE_OF = (tx: string): string => `split_part(${tx}.idempotency_key, ':', 2)`;

/**
 * First the lines of the page, then what they moved. Usage of an hour is posted batch by batch and shown as one line, so its
 * hours are stepped through, each found from the one before; postings walk the same index, kind by kind, and price
 * corrections, which are few, are gathered by their re-rating. Entries are looked up transaction by transaction, by subqueries
 * that Postgres cannot turn into joins: it takes the entries that the policy lets through for half of all there are, and would
 * read all organizations' to join them.
 */
const READ = {
  name: 'weir-balance-page',
  text: `WITH RECURSIVE hour AS (
      SELECT (SELECT max(t.effective_at) FROM ledger_tx t WHERE t.org_id = $1 AND t.kind = 'usage_hour' AND ${BEFORE("'usage'")}) AS effective_at
      UNION ALL
      SELECT (SELECT max(t.effective_at) FROM ledger_tx t WHERE t.org_id = $1 AND t.kind = 'usage_hour' AND t.effective_at < hour.effective_at)
        FROM hour WHERE hour.effective_at IS NOT NULL
    ), line AS MATERIALIZED (
      (SELECT posting.* FROM unnest($5::text[]) AS posted(kind) CROSS JOIN LATERAL (
          SELECT t.id::text AS id, t.kind, t.effective_at, t.ref, t.id AS tx_id FROM ledger_tx t
          WHERE t.org_id = $1 AND t.kind = posted.kind AND ${BEFORE('t.id::text')}
            AND (t.kind <> 'opening' OR EXISTS (SELECT FROM ledger_entry e WHERE e.tx_id = t.id))
          ORDER BY t.effective_at DESC, t.id::text DESC LIMIT $4) posting)
      UNION ALL
      (SELECT c.id, 'price_correction', c.effective_at, c.ref, NULL FROM (
          SELECT DISTINCT ${RERATE_OF('t')} AS id, t.effective_at, t.ref FROM ledger_tx t
          WHERE t.org_id = $1 AND t.kind = 'price_correction' AND ${BEFORE(RERATE_OF('t'))}) c
        ORDER BY c.effective_at DESC, c.id DESC LIMIT $4)
      UNION ALL
      (SELECT 'usage', 'usage', effective_at, NULL, NULL FROM hour WHERE effective_at IS NOT NULL LIMIT $4)
      ORDER BY effective_at DESC, id DESC LIMIT $4
    )
    SELECT id, kind, (extract(epoch FROM effective_at) * 1000)::bigint::text AS at_ms, ref,
      (coalesce(CASE WHEN tx_id IS NOT NULL THEN ${MOVED_BY('line.tx_id')}
        WHEN kind = 'price_correction' THEN (SELECT sum(${MOVED_BY('t.id')}) FROM ledger_tx t
          WHERE t.org_id = $1 AND t.kind = 'price_correction' AND t.effective_at = line.effective_at AND ${RERATE_OF('t')} = line.id)
        ELSE (SELECT sum(${MOVED_BY('t.id')}) FROM ledger_tx t WHERE t.org_id = $1 AND t.kind = 'usage_hour' AND t.effective_at = line.effective_at)
        END, 0) * ${PICO_PER_USD})::numeric(38, 0)::text AS pico
    FROM line ORDER BY effective_at DESC, id DESC`,
};

type LineRow = { id: string; kind: BalanceLine['kind']; at_ms: string; pico: string; ref: string | null };

/** The organization's own movements, newest first. `next` is the cursor of the following page, null on the last. */
export async function readBalanceHistory(
  source: Queryable,
  { organizationId, limit, cursor }: BalanceHistoryQuery,
): Promise<{ lines: readonly BalanceLine[]; next: string | null }> {
  const from = cursor === undefined ? { atMs: FUTURE_MS, id: '' } : decodeCursor(cursor);
  const { rows } = await source.query<LineRow>({ ...READ, values: [organizationId, from.atMs, from.id, limit + 1, POSTED_KINDS] });
  const lines = rows.slice(0, limit).map((row) => ({
    id: row.kind === 'usage' ? `usage:${row.at_ms}` : row.id,
    kind: row.kind,
    atMs: Number(row.at_ms),
    amountPico: BigInt(row.pico),
    note: row.kind === 'expiry' ? null : row.ref,
  }));
  const last = rows[limit - 1];
  return { lines, next: rows.length > limit && last !== undefined ? encodeCursor(last) : null };
}

const FUTURE_MS = Date.UTC(9999, 0, 1);
const CURSOR = /^(\d{1,15}):(usage|[0-9a-f-]{36})$/;

function encodeCursor({ at_ms, id }: LineRow): string {
  return Buffer.from(`${at_ms}:${id}`).toString('base64url');
}

function decodeCursor(cursor: string): { atMs: number; id: string } {
  const found = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (found === null) throw new GatewayError('invalid_request', '`cursor` must be `next` of the page before.', { field: 'cursor' });
  return { atMs: Number(found[1]), id: found[2] ?? '' };
}
