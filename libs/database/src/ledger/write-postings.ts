import { invariant } from '@weir/errors';
import type { PoolClient } from 'pg';
import { arrayLiteral, nullableArrayLiteral } from '../postgres/array-literal';

/** Pico-dollars to dollars without division: 12 places are exactly what the ledger keeps. */
export const PICO = '0.000000000001';
export const PICO_PER_USD = '1000000000000';

/** `outside`: usage that no balance counts, from before the first credit. */
type AccountKind = 'cash' | 'promo' | 'gift' | 'usage' | 'clearing' | 'outside';

export type LedgerKind =
  'usage_hour' | 'top_up' | 'gift' | 'promotion' | 'expiry' | 'refund' | 'adjustment' | 'opening' | 'price_correction';

/** One transaction of the ledger: its lines sum to zero. */
export type Posting = {
  readonly txId: string;
  readonly organizationId: string;
  /** Posting twice under one key is not possible. */
  readonly idempotencyKey: string;
  readonly kind: LedgerKind;
  readonly ref: string | null;
  /** UTC epoch milliseconds: the hour of usage, or when the money moved. */
  readonly effectiveAtMs: number;
  /** Of a price correction the hour of usage that it corrects. */
  readonly usageHourMs?: number;
  /** What each account gains, or loses when negative. */
  readonly lines: readonly PostingLine[];
};

export type PostingLine = { readonly account: AccountKind; readonly pico: bigint };

const ADD_TO_ACCOUNTS = {
  name: 'weir-add-to-accounts',
  text: `INSERT INTO ledger_account (org_id, kind, balance)
    SELECT org_id, kind, pico * ${PICO} FROM unnest($1::uuid[], $2::text[], $3::numeric[]) AS t(org_id, kind, pico)
    ON CONFLICT (org_id, kind, currency) DO UPDATE SET balance = ledger_account.balance + excluded.balance
    RETURNING id, org_id, kind`,
};

const ADD_TRANSACTIONS = {
  name: 'weir-add-ledger-tx',
  text: `INSERT INTO ledger_tx (id, org_id, idempotency_key, kind, ref, effective_at, usage_hour)
    SELECT id, org_id, key, kind, ref, to_timestamp(effective_ms / 1000.0), to_timestamp(hour_ms / 1000)
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
      AS t(id, org_id, key, kind, ref, effective_ms, hour_ms)`,
};

const ADD_ENTRIES = {
  name: 'weir-add-ledger-entries',
  text: `INSERT INTO ledger_entry (tx_id, line, account_id, amount)
    SELECT tx_id, line, account_id, pico * ${PICO} FROM unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::numeric[])
      AS t(tx_id, line, account_id, pico)`,
};

/** Writes transactions with their entries and moves the balances of their accounts. */
export async function writePostings(client: PoolClient, postings: readonly Posting[]): Promise<void> {
  const accounts = await addToAccounts(client, postings);
  await client.query({
    ...ADD_TRANSACTIONS,
    values: [
      arrayLiteral(postings.map(({ txId }) => txId)),
      arrayLiteral(postings.map(({ organizationId }) => organizationId)),
      postings.map(({ idempotencyKey }) => idempotencyKey),
      postings.map(({ kind }) => kind),
      postings.map(({ ref }) => ref),
      arrayLiteral(postings.map(({ effectiveAtMs }) => effectiveAtMs)),
      nullableArrayLiteral(postings.map(({ usageHourMs }) => (usageHourMs === undefined ? null : String(usageHourMs)))),
    ],
  });
  const entries = postings.flatMap(({ txId, organizationId, lines }) =>
    lines.map(({ account, pico }, at) => ({ txId, line: at + 1, pico, account: accountOf(accounts, organizationId, account) })),
  );
  await client.query({
    ...ADD_ENTRIES,
    values: [
      arrayLiteral(entries.map(({ txId }) => txId)),
      arrayLiteral(entries.map(({ line }) => line)),
      arrayLiteral(entries.map(({ account }) => account)),
      arrayLiteral(entries.map(({ pico }) => pico)),
    ],
  });
}

/** Every account once, in one order everywhere: two transactions never wait for each other. */
async function addToAccounts(client: PoolClient, postings: readonly Posting[]): Promise<ReadonlyMap<string, string>> {
  const sums = new Map<string, { organizationId: string; kind: AccountKind; pico: bigint }>();
  for (const { organizationId, lines } of postings) {
    for (const { account: kind, pico } of lines) {
      const sum = sums.get(`${organizationId} ${kind}`);
      if (sum === undefined) sums.set(`${organizationId} ${kind}`, { organizationId, kind, pico });
      else sum.pico += pico;
    }
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  const result = await client.query<{ id: string; org_id: string; kind: string }>({
    ...ADD_TO_ACCOUNTS,
    values: [
      arrayLiteral(rows.map(({ organizationId }) => organizationId)),
      arrayLiteral(rows.map(({ kind }) => kind)),
      arrayLiteral(rows.map(({ pico }) => pico)),
    ],
  });
  return new Map(result.rows.map((row) => [`${row.org_id} ${row.kind}`, row.id]));
}

function accountOf(accounts: ReadonlyMap<string, string>, organizationId: string, kind: AccountKind): string {
  const id = accounts.get(`${organizationId} ${kind}`);
  invariant(id !== undefined, 'an upsert returns every account');
  return id;
}
