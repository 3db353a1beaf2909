import type { Queryable } from '../tenancy/organization-database';
import { PICO_PER_USD } from './write-postings';

/** What an organization has left, per kind of money. Cash below zero is what it owes. */
export type Balance = {
  readonly giftPico: bigint;
  readonly promotionPico: bigint;
  readonly cashPico: bigint;
  /** Gift, promotion and cash together. */
  readonly totalPico: bigint;
  /** All usage ever posted. */
  readonly usagePico: bigint;
  /** Of that, what no balance counts: it was used before the first credit. */
  readonly outsidePico: bigint;
};

const READ = {
  name: 'weir-read-balance',
  text: `SELECT kind, (balance * ${PICO_PER_USD})::numeric(38, 0)::text AS pico FROM ledger_account WHERE org_id = $1 AND currency = 'USD'`,
};

/**
 * The balance as people read it. An organization that was never given any money has none, and owes nothing: what it used is in no
 * balance, as what others used before their first credit.
 */
export async function readShownBalance(source: Queryable, organizationId: string): Promise<Balance> {
  const { hasCredit, ...balance } = await read(source, organizationId);
  if (hasCredit) return balance;
  return { ...balance, cashPico: 0n, totalPico: balance.totalPico - balance.cashPico, outsidePico: balance.outsidePico - balance.cashPico };
}

/** The balance as the ledger has it; zero throughout for an organization that has no entries. */
export async function readBalance(source: Queryable, organizationId: string): Promise<Balance> {
  const { hasCredit: _hasCredit, ...balance } = await read(source, organizationId);
  return balance;
}

async function read(source: Queryable, organizationId: string): Promise<Balance & { readonly hasCredit: boolean }> {
  const { rows } = await source.query<{ kind: string; pico: string }>({ ...READ, values: [organizationId] });
  const pico = (kind: string): bigint => BigInt(rows.find((row) => row.kind === kind)?.pico ?? 0);
  const [giftPico, promotionPico, cashPico] = [pico('gift'), pico('promo'), pico('cash')];
  return {
    giftPico,
    promotionPico,
    cashPico,
    totalPico: giftPico + promotionPico + cashPico,
    usagePico: pico('usage'),
    outsidePico: -pico('outside'),
    // What money that was given comes from.
    hasCredit: rows.some(({ kind }) => kind === 'clearing'),
  };
}
