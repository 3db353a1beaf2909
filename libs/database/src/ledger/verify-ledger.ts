import type { Pool, PoolClient } from 'pg';
import { endTransaction } from '../postgres/run-in-transaction';

/**
 * What of a ledger is not as it must be. `transactions`: there are fewer, or more, than were ever added. `entries`: entries of
 * transactions that do not sum to zero. An account: what is kept as its balance is not the sum of its entries. `credits`: the
 * gifts and promotions that are left are not what their accounts hold. `usage`: what was posted is not what the months were billed.
 */
type LedgerFault = {
  readonly organizationId: string;
  readonly what: 'transactions' | 'entries' | 'credits' | 'usage' | `${string} account`;
  /** USD, or a number of transactions. */
  readonly expected: string;
  readonly found: string;
};

/** Each returns one row for every organization and thing in which two amounts differ. $1: an organization, or null for all of them. */
const CHECKS: readonly string[] = [
  `SELECT coalesce(k.organization_id, t.org_id) AS org, 'transactions' AS what, coalesce(k.rows, 0) AS expected, coalesce(t.rows, 0) AS found
    FROM (SELECT organization_id, rows FROM log_anchor WHERE log = 'ledger') k
    FULL JOIN (SELECT org_id, count(*) AS rows FROM ledger_tx GROUP BY org_id) t ON t.org_id = k.organization_id`,
  `SELECT t.org_id AS org, 'entries' AS what, 0 AS expected, sum(abs(x.total)) AS found
    FROM (SELECT tx_id, sum(amount) AS total FROM ledger_entry GROUP BY tx_id HAVING sum(amount) <> 0) x JOIN ledger_tx t ON t.id = x.tx_id GROUP BY t.org_id`,
  `SELECT a.org_id AS org, a.kind || ' account' AS what, a.balance AS expected, coalesce(e.total, 0) AS found
    FROM ledger_account a LEFT JOIN (SELECT account_id, sum(amount) AS total FROM ledger_entry GROUP BY account_id) e ON e.account_id = a.id`,
  `SELECT coalesce(a.org_id, c.org_id) AS org, 'credits' AS what, coalesce(a.total, 0) AS expected, coalesce(c.total, 0) AS found
    FROM (SELECT org_id, sum(balance) AS total FROM ledger_account WHERE kind IN ('gift', 'promo') GROUP BY org_id) a
    FULL JOIN (SELECT org_id, sum(remaining) AS total FROM ledger_credit GROUP BY org_id) c ON c.org_id = a.org_id`,
  `SELECT coalesce(m.org_id, a.org_id) AS org, 'usage' AS what, coalesce(m.total, 0) AS expected, coalesce(a.balance, 0) AS found
    FROM (SELECT org_id, sum(billed_pico) * 0.000000000001 AS total FROM usage_month GROUP BY org_id) m
    FULL JOIN (SELECT org_id, balance FROM ledger_account WHERE kind = 'usage' AND currency = 'USD') a ON a.org_id = m.org_id`,
];

type Row = { org: string; what: LedgerFault['what']; expected: string; found: string };

/** Computes every sum of the ledgers anew, in one snapshot: of one organization, or of all. None is how it must be. */
export async function verifyLedger(pool: Pool, organizationId: string | null = null): Promise<readonly LedgerFault[]> {
  return endTransaction(await pool.connect(), async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const faults: LedgerFault[] = [];
    for (const check of CHECKS) faults.push(...(await findFaults(client, check, organizationId)));
    return faults;
  });
}

async function findFaults(client: PoolClient, check: string, organizationId: string | null): Promise<LedgerFault[]> {
  const { rows } = await client.query<Row>(
    `SELECT org, what, trim_scale(expected::numeric)::text AS expected, trim_scale(found::numeric)::text AS found FROM (${check}) compared
      WHERE expected <> found AND ($1::uuid IS NULL OR org = $1) ORDER BY org, what`,
    [organizationId],
  );
  return rows.map(({ org, ...fault }) => ({ organizationId: org, ...fault }));
}
