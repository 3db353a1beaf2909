import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { appendConfigChange } from '../changes/create-change-log';
import { runInTransaction } from '../postgres/run-in-transaction';
import { lockCredits, saveCredits } from './burn-credits';
import { writePostings } from './write-postings';

const FIND_DUE = {
  name: 'weir-find-expired-credits',
  text: `SELECT tx_id, org_id FROM ledger_credit WHERE expires_at <= to_timestamp($1::bigint / 1000.0) AND remaining > 0
    ORDER BY expires_at LIMIT 500`,
};

/**
 * Takes back what is left of gifts and promotions that expired up to `atMs`, each once however often and wherever this
 * runs. Returns how many it took back. Run it some minutes late: usage of the last hour may still be on its way.
 */
export async function expireCredits(pool: Pool, atMs: number): Promise<number> {
  const { rows } = await pool.query<{ tx_id: string; org_id: string }>({ ...FIND_DUE, values: [atMs] });
  let expired = 0;
  for (const { tx_id, org_id } of rows) if (await runInTransaction(pool, (client) => expireCredit(client, tx_id, org_id))) expired += 1;
  return expired;
}

async function expireCredit(client: PoolClient, txId: string, organizationId: string): Promise<boolean> {
  const credit = (await lockCredits(client, [organizationId])).find((open) => open.txId === txId);
  if (credit === undefined) return false; // used up or taken back meanwhile
  const pico = credit.remainingPico;
  credit.remainingPico = 0n;
  await writePostings(client, [
    {
      txId: randomUUID(),
      organizationId,
      idempotencyKey: `expiry:${txId}`,
      kind: 'expiry',
      ref: txId,
      effectiveAtMs: credit.expiresAtMs ?? 0,
      lines: [
        { account: 'clearing', pico },
        { account: credit.kind, pico: -pico },
      ],
    },
  ]);
  await saveCredits(client, [credit]);
  await appendConfigChange(client, { entity: 'organization', entityId: organizationId, organizationId });
  return true;
}
