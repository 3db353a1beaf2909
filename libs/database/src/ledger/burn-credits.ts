import type { PoolClient } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';
import { PICO, PICO_PER_USD, type PostingLine } from './write-postings';

/** What is left of one gift or promotion. */
export type OpenCredit = {
  readonly txId: string;
  readonly organizationId: string;
  readonly kind: 'gift' | 'promo';
  readonly expiresAtMs: number | null;
  remainingPico: bigint;
};

const LOCK_CREDITS = {
  name: 'weir-lock-credits',
  text: `SELECT tx_id, org_id, kind, (remaining * ${PICO_PER_USD})::numeric(38, 0)::text AS remaining_pico,
      floor(extract(epoch FROM expires_at) * 1000)::text AS expires_at_ms
    FROM ledger_credit WHERE org_id = ANY($1::uuid[]) AND remaining > 0 ORDER BY tx_id FOR UPDATE`,
};

const SET_REMAINING = {
  name: 'weir-set-credit-remaining',
  text: `UPDATE ledger_credit c SET remaining = t.pico * ${PICO} FROM unnest($1::uuid[], $2::numeric[]) AS t(tx_id, pico)
    WHERE c.tx_id = t.tx_id`,
};

type CreditRow = { tx_id: string; org_id: string; kind: 'gift' | 'promo'; remaining_pico: string; expires_at_ms: string | null };

/** Gifts and promotions that still hold money, in the order they are used up: gifts first, what expires soonest first. */
export async function lockCredits(client: PoolClient, organizationIds: readonly string[]): Promise<OpenCredit[]> {
  const { rows } = await client.query<CreditRow>({ ...LOCK_CREDITS, values: [arrayLiteral(organizationIds)] });
  const credits = rows.map((row) => ({
    txId: row.tx_id,
    organizationId: row.org_id,
    kind: row.kind,
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
    remainingPico: BigInt(row.remaining_pico),
  }));
  return credits.sort(
    (a, b) =>
      (a.kind === b.kind ? 0 : a.kind === 'gift' ? -1 : 1) ||
      (a.expiresAtMs ?? Infinity) - (b.expiresAtMs ?? Infinity) ||
      (a.txId < b.txId ? -1 : 1),
  );
}

/**
 * Splits what one hour of usage costs over an organization's money, in the fixed order gift, promotion, cash, and takes
 * it from the credits (`remainingPico` falls). Cash may go below zero. A credit pays for hours that began before it expired.
 */
export function burnCredits(
  credits: readonly OpenCredit[],
  { organizationId, hourMs, billedPico }: { organizationId: string; hourMs: number; billedPico: bigint },
): PostingLine[] {
  const taken = { gift: 0n, promo: 0n };
  let rest = billedPico;
  for (const credit of credits) {
    if (credit.organizationId !== organizationId || (credit.expiresAtMs !== null && credit.expiresAtMs <= hourMs)) continue;
    const part = credit.remainingPico < rest ? credit.remainingPico : rest;
    if (part <= 0n) continue;
    credit.remainingPico -= part;
    taken[credit.kind] += part;
    rest -= part;
  }
  return [
    { account: 'gift', pico: -taken.gift },
    { account: 'promo', pico: -taken.promo },
    { account: 'cash', pico: -rest },
    { account: 'usage', pico: billedPico },
  ].filter(({ pico }) => pico !== 0n) as PostingLine[];
}

export async function saveCredits(client: PoolClient, credits: readonly OpenCredit[]): Promise<void> {
  if (credits.length === 0) return;
  await client.query({
    ...SET_REMAINING,
    values: [arrayLiteral(credits.map(({ txId }) => txId)), arrayLiteral(credits.map(({ remainingPico }) => remainingPico))],
  });
}
