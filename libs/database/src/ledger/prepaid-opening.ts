import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';
import { PICO_PER_USD, type Posting } from './write-postings';

// A prepaid balance counts what is used from its first credit on. The first credit comes with a transaction of kind `opening`:
// when it took effect is from when usage counts, and what was used before goes from `cash` to the account `outside`. Usage that
// was admitted before and is counted later is posted to `outside` at once.

const READ_BEFORE = {
  name: 'weir-read-before-opening',
  text: `SELECT kind, (balance * ${PICO_PER_USD})::numeric(38, 0)::text AS pico FROM ledger_account
    WHERE org_id = $1 AND kind IN ('cash', 'clearing') ORDER BY kind FOR UPDATE`,
};

const openingKey = (organizationId: string): string => `opening:${organizationId}`;

/**
 * The opening that a credit at `atMs` comes with, undefined when it is not the organization's first. The organization's row
 * must be locked: then no usage is posted at the same time by a version that knows of openings.
 */
export async function planOpening(client: PoolClient, organizationId: string, atMs: number): Promise<Posting | undefined> {
  const { rows } = await client.query<{ kind: string; pico: string }>({ ...READ_BEFORE, values: [organizationId] });
  if (rows.some(({ kind }) => kind === 'clearing')) return undefined;
  const usedPico = -BigInt(rows[0]?.pico ?? 0);
  return {
    txId: randomUUID(),
    organizationId,
    idempotencyKey: openingKey(organizationId),
    kind: 'opening',
    ref: null,
    effectiveAtMs: atMs,
    lines:
      usedPico === 0n
        ? []
        : [
            { account: 'outside', pico: -usedPico },
            { account: 'cash', pico: usedPico },
          ],
  };
}

const READ_OPENINGS = {
  name: 'weir-read-openings',
  text: `SELECT asked.org_id, floor(extract(epoch FROM t.effective_at) * 1000)::text AS at_ms,
      EXISTS (SELECT FROM ledger_account a WHERE a.org_id = asked.org_id AND a.kind = 'clearing') AS has_balance
    FROM unnest($1::uuid[]) AS asked(org_id) LEFT JOIN ledger_tx t ON t.idempotency_key = 'opening:' || asked.org_id`,
};

/** Waits for the lock that posting a credit takes. */
const LOCK_ORGANIZATIONS = {
  name: 'weir-share-organizations',
  text: 'SELECT 1 FROM organization WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE',
};

type OpeningRow = { org_id: string; at_ms: string | null; has_balance: boolean };

/**
 * From when on the usage of organizations counts in their balance, UTC epoch milliseconds; those without an opening are
 * absent. That an organization has none yet stays so until the transaction ends.
 */
export async function readOpenings(client: PoolClient, organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const read = async (ids: readonly string[]): Promise<readonly OpeningRow[]> =>
    (await client.query<OpeningRow>({ ...READ_OPENINGS, values: [arrayLiteral(ids)] })).rows;
  let rows = await read(organizationIds);
  const unopened = rows.filter((row) => row.at_ms === null && !row.has_balance).map((row) => row.org_id);
  if (unopened.length > 0) {
    await client.query({ ...LOCK_ORGANIZATIONS, values: [arrayLiteral(unopened)] });
    rows = [...rows, ...(await read(unopened))];
  }
  return new Map(rows.flatMap((row) => (row.at_ms === null ? [] : [[row.org_id, Number(row.at_ms)] as const])));
}
