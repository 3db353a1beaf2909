import { createHash, randomUUID } from 'node:crypto';
import { invariant } from '@weir/errors';
import type { BilledHour } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from './array-literal';
import type { FreshSequences } from './mark-seen';

/** Pico-dollars to dollars without division: 12 places are exactly what the ledger keeps. */
const PICO = '0.000000000001';

const ADD_TO_ACCOUNTS = {
  name: 'weir-add-to-accounts',
  text: `INSERT INTO ledger_account (org_id, kind, balance)
    SELECT org_id, kind, pico * ${PICO} FROM unnest($1::uuid[], $2::text[], $3::numeric[]) AS t(org_id, kind, pico)
    ON CONFLICT (org_id, kind, currency) DO UPDATE SET balance = ledger_account.balance + excluded.balance
    RETURNING id, org_id, kind`,
};

const ADD_TRANSACTIONS = {
  name: 'weir-add-ledger-tx',
  text: `INSERT INTO ledger_tx (id, org_id, idempotency_key, kind, effective_at)
    SELECT id, org_id, key, 'usage_hour', to_timestamp(hour_seconds)
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[]) AS t(id, org_id, key, hour_seconds)`,
};

const ADD_ENTRIES = {
  name: 'weir-add-ledger-entries',
  text: `INSERT INTO ledger_entry (tx_id, line, account_id, amount)
    SELECT tx_id, line, account_id, pico * ${PICO} FROM unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::numeric[])
      AS t(tx_id, line, account_id, pico)`,
};

type Posting = BilledHour & { readonly txId: string };

/**
 * Posts what organizations owe for a batch: out of their cash, into their usage, one transaction per hour. The key names
 * the events that are paid for, so nothing can be posted twice even if all else failed.
 */
export async function writeLedger(client: PoolClient, billed: readonly BilledHour[], fresh: readonly FreshSequences[]): Promise<void> {
  if (billed.length === 0) return;
  const postings = billed.map((row) => ({ ...row, txId: randomUUID() }));
  const accounts = await addToAccounts(client, postings);
  const digest = createHash('sha256')
    .update(JSON.stringify(fresh.map(({ writerId, ranges }) => [writerId, ranges])))
    .digest('hex')
    .slice(0, 32);
  await client.query({
    ...ADD_TRANSACTIONS,
    values: [
      arrayLiteral(postings.map(({ txId }) => txId)),
      arrayLiteral(postings.map(({ organizationId }) => organizationId)),
      arrayLiteral(postings.map(({ organizationId, hourMs }) => `usage:${organizationId}:${hourMs / 1000}:${digest}`)),
      arrayLiteral(postings.map(({ hourMs }) => hourMs / 1000)),
    ],
  });
  const lines = postings.flatMap(({ txId, organizationId, billedPico }) => [
    { txId, line: 1, account: accountOf(accounts, organizationId, 'cash'), pico: -billedPico },
    { txId, line: 2, account: accountOf(accounts, organizationId, 'usage'), pico: billedPico },
  ]);
  await client.query({
    ...ADD_ENTRIES,
    values: [
      arrayLiteral(lines.map(({ txId }) => txId)),
      arrayLiteral(lines.map(({ line }) => line)),
      arrayLiteral(lines.map(({ account }) => account)),
      arrayLiteral(lines.map(({ pico }) => pico)),
    ],
  });
}

/** Both accounts of each organization, in one order everywhere. */
async function addToAccounts(client: PoolClient, postings: readonly Posting[]): Promise<ReadonlyMap<string, string>> {
  const totals = new Map<string, bigint>();
  for (const { organizationId, billedPico } of postings) totals.set(organizationId, (totals.get(organizationId) ?? 0n) + billedPico);
  const organizations = [...totals.keys()].sort();
  const rows = organizations.flatMap((id) => {
    const total = totals.get(id) ?? 0n;
    return [
      { id, kind: 'cash', pico: -total },
      { id, kind: 'usage', pico: total },
    ];
  });
  const result = await client.query<{ id: string; org_id: string; kind: string }>({
    ...ADD_TO_ACCOUNTS,
    values: [
      arrayLiteral(rows.map(({ id }) => id)),
      arrayLiteral(rows.map(({ kind }) => kind)),
      arrayLiteral(rows.map(({ pico }) => pico)),
    ],
  });
  return new Map(result.rows.map((row) => [`${row.org_id} ${row.kind}`, row.id]));
}

function accountOf(accounts: ReadonlyMap<string, string>, organizationId: string, kind: string): string {
  const id = accounts.get(`${organizationId} ${kind}`);
  invariant(id !== undefined, 'an upsert answers every account');
  return id;
}
