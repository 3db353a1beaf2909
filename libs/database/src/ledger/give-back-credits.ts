import type { PoolClient } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';
import type { OpenCredit } from './burn-credits';
import { PICO_PER_USD, type PostingLine } from './write-postings';

/** A gift or promotion, used up or not. */
export type GivenCredit = OpenCredit & { readonly amountPico: bigint };

const LOCK_GIVEN = {
  name: 'weir-lock-given-credits',
  text: `SELECT tx_id, kind, (amount * ${PICO_PER_USD})::numeric(38, 0)::text AS amount_pico,
      (remaining * ${PICO_PER_USD})::numeric(38, 0)::text AS remaining_pico, floor(extract(epoch FROM expires_at) * 1000)::text AS expires_at_ms
    FROM ledger_credit WHERE org_id = $1 ORDER BY tx_id FOR UPDATE`,
};

type GivenRow = {
  readonly tx_id: string;
  readonly kind: 'gift' | 'promo';
  readonly amount_pico: string;
  readonly remaining_pico: string;
  readonly expires_at_ms: string | null;
};

/** All gifts and promotions that an organization was ever given, in the order in which they are used up. */
export async function lockGivenCredits(client: PoolClient, organizationId: string): Promise<GivenCredit[]> {
  const { rows } = await client.query<GivenRow>({ ...LOCK_GIVEN, values: [organizationId] });
  const credits = rows.map((row) => ({
    txId: row.tx_id,
    organizationId,
    kind: row.kind,
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
    amountPico: BigInt(row.amount_pico),
    remainingPico: BigInt(row.remaining_pico),
  }));
  return credits.sort((a, b) => orderOf(a) - orderOf(b) || (a.expiresAtMs ?? Infinity) - (b.expiresAtMs ?? Infinity) || compare(a, b));
}

const orderOf = ({ kind }: GivenCredit): number => (kind === 'gift' ? 0 : 1);
const compare = (a: GivenCredit, b: GivenCredit): number => (a.txId < b.txId ? -1 : 1);

/** What an organization's own money has paid for an hour of usage, less what was given back of it; by UTC epoch milliseconds. */
export type PaidHours = ReadonlyMap<number, { readonly cash: bigint; readonly promo: bigint; readonly gift: bigint }>;

const READ_PAID = {
  name: 'weir-read-paid-hours',
  text: `SELECT extract(epoch FROM t.hour)::bigint::text AS hour_seconds, a.kind, (-sum(e.amount) * ${PICO_PER_USD})::numeric(38, 0)::text AS pico
    FROM (SELECT id, effective_at AS hour FROM ledger_tx WHERE org_id = $1 AND kind = 'usage_hour' AND effective_at = ANY(ARRAY(SELECT to_timestamp(unnest($2::bigint[]))))
      UNION ALL SELECT id, usage_hour FROM ledger_tx WHERE org_id = $1 AND kind = 'price_correction' AND usage_hour = ANY(ARRAY(SELECT to_timestamp(unnest($2::bigint[]))))
    ) t JOIN ledger_entry e ON e.tx_id = t.id JOIN ledger_account a ON a.id = e.account_id AND a.kind IN ('cash', 'promo', 'gift') GROUP BY 1, 2`,
};

export async function readPaidHours(client: PoolClient, organizationId: string, hoursMs: readonly number[]): Promise<PaidHours> {
  const { rows } = await client.query<{ hour_seconds: string; kind: 'cash' | 'promo' | 'gift'; pico: string }>({
    ...READ_PAID,
    values: [organizationId, arrayLiteral(hoursMs.map((ms) => ms / 1000))],
  });
  const paid = new Map<number, { cash: bigint; promo: bigint; gift: bigint }>();
  for (const { hour_seconds: seconds, kind, pico } of rows) {
    const hourMs = Number(seconds) * 1000;
    const hour = paid.get(hourMs) ?? { cash: 0n, promo: 0n, gift: 0n };
    hour[kind] = BigInt(pico);
    paid.set(hourMs, hour);
  }
  return paid;
}

type GiveBack = { readonly hourMs: number; readonly pico: bigint; readonly paid: PaidHours; readonly nowMs: number };

/**
 * Gives an hour's money back where it came from, last paid first: cash, then promotions, then gifts (`remainingPico` rises).
 * What came out of a promotion or gift that has ended since becomes cash.
 */
export function giveBackCredits(credits: readonly GivenCredit[], { hourMs, pico, paid, nowMs }: GiveBack): PostingLine[] {
  const hour = paid.get(hourMs) ?? { cash: 0n, promo: 0n, gift: 0n };
  let rest = pico - least(pico, hour.cash);
  const given = { promo: 0n, gift: 0n };
  for (const kind of ['promo', 'gift'] as const) {
    let due = least(rest, hour[kind]);
    rest -= due;
    for (const credit of credits.filter((one) => one.kind === kind && (one.expiresAtMs ?? Infinity) > nowMs).reverse()) {
      const part = least(due, credit.amountPico - credit.remainingPico);
      credit.remainingPico += part;
      given[kind] += part;
      due -= part;
    }
  }
  return [
    { account: 'gift', pico: given.gift },
    { account: 'promo', pico: given.promo },
    { account: 'cash', pico: pico - given.promo - given.gift },
  ];
}

/** Of the two, and never below zero. */
function least(a: bigint, b: bigint): bigint {
  const less = a < b ? a : b;
  return less < 0n ? 0n : less;
}
