import { GatewayError } from '@weir/errors';
import type { Queryable } from '../tenancy/organization-database';
import { PICO_PER_USD, type LedgerKind } from './write-postings';

/** What moved the balance: one posting, or all usage of one UTC hour. */
export type BalanceLine = {
  readonly id: string;
  readonly kind: Exclude<LedgerKind, 'usage_hour'> | 'usage';
  /** UTC epoch milliseconds: when the money moved, or the start of the hour of usage. */
  readonly atMs: number;
  /** What the balance gained, or lost when negative. */
  readonly amountPico: bigint;
  readonly note: string | null;
};

export type BalanceHistoryQuery = {
  readonly organizationId: string;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string;
};

/**
 * Own accounts only: `clearing` and `usage` are the other side. Usage of an hour is posted batch by batch and told as one
 * line. Both halves walk the index from the newest and stop at the limit; the plain bound beside the row's is what the index
 * can be asked for behind row-level security.
 */
const READ = {
  name: 'weir-balance-history',
  text: `SELECT id, kind, (extract(epoch FROM effective_at) * 1000)::bigint::text AS at_ms, pico, ref FROM (
    (SELECT t.id::text AS id, t.kind, t.effective_at, t.ref, (sum(e.amount) * ${PICO_PER_USD})::numeric(38, 0)::text AS pico
      FROM ledger_tx t JOIN ledger_entry e ON e.tx_id = t.id
      JOIN ledger_account a ON a.id = e.account_id AND a.kind IN ('cash', 'promo', 'gift')
      WHERE t.org_id = $1 AND t.kind <> 'usage_hour'
        AND t.effective_at <= to_timestamp($2::bigint / 1000.0)::timestamptz(3)
        AND (t.effective_at, t.id::text) < (to_timestamp($2::bigint / 1000.0)::timestamptz(3), $3)
      GROUP BY t.id ORDER BY t.effective_at DESC, t.id::text DESC LIMIT $4)
    UNION ALL
    (SELECT 'usage' AS id, 'usage' AS kind, t.effective_at, NULL AS ref, (sum(e.amount) * ${PICO_PER_USD})::numeric(38, 0)::text AS pico
      FROM ledger_tx t JOIN ledger_entry e ON e.tx_id = t.id
      JOIN ledger_account a ON a.id = e.account_id AND a.kind IN ('cash', 'promo', 'gift')
      WHERE t.org_id = $1 AND t.kind = 'usage_hour' AND t.effective_at <= to_timestamp($2::bigint / 1000.0)::timestamptz(3)
        AND (t.effective_at, 'usage') < (to_timestamp($2::bigint / 1000.0)::timestamptz(3), $3)
      GROUP BY t.effective_at ORDER BY t.effective_at DESC LIMIT $4)
    ) lines ORDER BY effective_at DESC, id DESC LIMIT $4`,
};

type LineRow = { id: string; kind: BalanceLine['kind']; at_ms: string; pico: string; ref: string | null };

/** The organization's own movements, newest first. `next` is the cursor of the following page, null on the last. */
export async function readBalanceHistory(
  source: Queryable,
  { organizationId, limit, cursor }: BalanceHistoryQuery,
): Promise<{ lines: readonly BalanceLine[]; next: string | null }> {
  const from = cursor === undefined ? { atMs: FUTURE_MS, id: '' } : decodeCursor(cursor);
  const { rows } = await source.query<LineRow>({ ...READ, values: [organizationId, from.atMs, from.id, limit + 1] });
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
