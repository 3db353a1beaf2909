import { randomUUID } from 'node:crypto';
import { GatewayError } from '@weir/errors';
import { formatUsd } from '@weir/pricing';
import type { Pool, PoolClient } from 'pg';
import { appendConfigChange } from '../changes/create-change-log';
import { runInTransaction } from '../postgres/run-in-transaction';
import { planOpening } from './prepaid-opening';
import { readBalance, type Balance } from './read-balance';
import { PICO, PICO_PER_USD, writePostings, type PostingLine } from './write-postings';

/**
 * `top_up`: the organization paid, which makes it paying for good. `promotion`, `gift`: money that may expire, used before
 * cash. `refund`: cash goes back to the payer. `adjustment`: a correction of cash, either way.
 */
export type CreditKind = 'top_up' | 'promotion' | 'gift' | 'refund' | 'adjustment';

export type Credit = {
  readonly organizationId: string;
  readonly kind: CreditKind;
  /** Above zero; of an adjustment also below. */
  readonly amountPico: bigint;
  /** The same key with the same content returns the first posting; with another content it is a conflict. */
  readonly idempotencyKey: string;
  /** UTC epoch milliseconds; of promotions and gifts only. */
  readonly expiresAtMs?: number | null;
  /** For people: why, or the payment it came from. */
  readonly note?: string | null;
  /** When the money moved, UTC epoch milliseconds; now unless given. */
  readonly atMs?: number;
  /** Organizations must have a balance before they use anything: what was used before the first credit counts. */
  readonly isBalanceRequired?: boolean;
};

export type PostedCredit = {
  readonly transactionId: string;
  /** False when it had been posted before. */
  readonly isNew: boolean;
  readonly balance: Balance;
};

/**
 * Posts money in or out of an organization's balance, once per idempotency key. Edges learn of it through the change log.
 * Throws `invalid_request` naming the field, `not_found` for an unknown organization, `conflict` for a key that was used
 * for something else and for a refund above the cash that is there.
 */
export async function postCredit(pool: Pool, credit: Credit): Promise<PostedCredit> {
  checkCredit(credit);
  return runInTransaction(pool, (client) => postCreditIn(client, credit));
}

/** The same inside a transaction that does more. The organization's row is locked until it ends. */
export async function postCreditIn(client: PoolClient, credit: Credit): Promise<PostedCredit> {
  const { organizationId } = credit;
  await lockOrganization(client, organizationId);
  const before = await findPosted(client, credit);
  if (before !== undefined) return { transactionId: before, isNew: false, balance: await readBalance(client, organizationId) };
  if (credit.kind === 'refund') await checkRefund(client, credit);
  const txId = randomUUID();
  const effectiveAtMs = credit.atMs ?? Date.now();
  const opening = credit.isBalanceRequired === true ? undefined : await planOpening(client, organizationId, effectiveAtMs);
  await writePostings(client, [
    ...(opening === undefined ? [] : [opening]),
    {
      txId,
      organizationId,
      idempotencyKey: creditKey(credit),
      kind: credit.kind,
      ref: credit.note ?? null,
      effectiveAtMs,
      lines: planLines(credit),
    },
  ]);
  await writeCreditRow(client, txId, credit);
  if (credit.kind === 'top_up') await client.query({ ...MAKE_PAYING, values: [organizationId] });
  await appendConfigChange(client, { entity: 'organization', entityId: organizationId, organizationId });
  return { transactionId: txId, isNew: true, balance: await readBalance(client, organizationId) };
}

const KEY_LENGTH_MAX = 255;
const NOTE_LENGTH_MAX = 1000;
/** A trillion dollars: whatever is above was not meant. */
const AMOUNT_PICO_MAX = 10n ** 24n;

function checkCredit(credit: Credit): void {
  const { idempotencyKey, note } = credit;
  checkAmount(credit);
  if (idempotencyKey === '' || idempotencyKey.length > KEY_LENGTH_MAX) {
    throw invalid('idempotency_key', `must have 1 to ${KEY_LENGTH_MAX} characters`);
  }
  if ((credit.expiresAtMs ?? null) !== null && !isLot(credit)) throw invalid('expires_at', 'is for gifts and promotions only');
  if ((note?.length ?? 0) > NOTE_LENGTH_MAX) throw invalid('note', `must have at most ${NOTE_LENGTH_MAX} characters`);
}

function checkAmount({ kind, amountPico }: Credit): void {
  const size = amountPico < 0n ? -amountPico : amountPico;
  if (size === 0n || size > AMOUNT_PICO_MAX || (amountPico < 0n && kind !== 'adjustment')) {
    throw invalid('amount', 'must be above 0, and no more than a trillion USD');
  }
}

/** Gifts and promotions are kept one by one: each may expire. */
function isLot({ kind }: Credit): boolean {
  return kind === 'gift' || kind === 'promotion';
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` ${why}.`, { field });
}

const LOCK_ORGANIZATION = { name: 'weir-lock-organization', text: 'SELECT 1 FROM organization WHERE id = $1 FOR NO KEY UPDATE' };

const MAKE_PAYING = {
  name: 'weir-make-paying',
  text: `UPDATE organization SET tier = 'paying', version = version + 1, updated_at = now() WHERE id = $1 AND tier = 'free'`,
};

const FIND_POSTED = {
  name: 'weir-find-posted',
  text: `SELECT t.id, t.kind, t.ref, (sum(e.amount) FILTER (WHERE a.kind <> 'clearing') * ${PICO_PER_USD})::numeric(38, 0)::text AS pico,
      floor(extract(epoch FROM c.expires_at) * 1000)::text AS expires_at_ms
    FROM ledger_tx t JOIN ledger_entry e ON e.tx_id = t.id JOIN ledger_account a ON a.id = e.account_id
    LEFT JOIN ledger_credit c ON c.tx_id = t.id
    WHERE t.idempotency_key = $1 GROUP BY t.id, c.tx_id`,
};

const ADD_CREDIT = {
  name: 'weir-add-credit',
  text: `INSERT INTO ledger_credit (tx_id, org_id, kind, amount, remaining, expires_at)
    VALUES ($1, $2, $3, $4::numeric * ${PICO}, $4::numeric * ${PICO}, to_timestamp($5::bigint / 1000.0))`,
};

async function lockOrganization(client: PoolClient, id: string): Promise<void> {
  const { rowCount } = await client.query({ ...LOCK_ORGANIZATION, values: [id] });
  if (rowCount === 0) throw new GatewayError('not_found', 'There is no such organization.');
}

function creditKey({ organizationId, idempotencyKey }: Credit): string {
  return `credit:${organizationId}:${idempotencyKey}`;
}

type PostedRow = { id: string; kind: string; ref: string | null; pico: string; expires_at_ms: string | null };

/** The transaction posted before under the same key; throws `conflict` when it was another one. */
async function findPosted(client: PoolClient, credit: Credit): Promise<string | undefined> {
  const { rows } = await client.query<PostedRow>({ ...FIND_POSTED, values: [creditKey(credit)] });
  const [row] = rows;
  if (row === undefined) return undefined;
  const isSame =
    row.kind === credit.kind &&
    row.ref === (credit.note ?? null) &&
    BigInt(row.pico) === gainOf(credit) &&
    (row.expires_at_ms === null ? null : Number(row.expires_at_ms)) === (credit.expiresAtMs ?? null);
  if (isSame) return row.id;
  throw new GatewayError('conflict', 'This idempotency key was used for another posting.', { field: 'idempotency_key' });
}

/** What the organization's own accounts gain. */
function gainOf({ kind, amountPico }: Credit): bigint {
  return kind === 'refund' ? -amountPico : amountPico;
}

function planLines(credit: Credit): PostingLine[] {
  const pico = gainOf(credit);
  const account = credit.kind === 'gift' ? 'gift' : credit.kind === 'promotion' ? 'promo' : 'cash';
  return [
    { account: 'clearing', pico: -pico },
    { account, pico },
  ];
}

async function writeCreditRow(client: PoolClient, txId: string, credit: Credit): Promise<void> {
  if (!isLot(credit)) return;
  const account = credit.kind === 'gift' ? 'gift' : 'promo';
  await client.query({
    ...ADD_CREDIT,
    values: [txId, credit.organizationId, account, credit.amountPico.toString(), credit.expiresAtMs ?? null],
  });
}

const LOCK_CASH = {
  name: 'weir-lock-cash',
  text: `SELECT (balance * ${PICO_PER_USD})::numeric(38, 0)::text AS pico FROM ledger_account WHERE org_id = $1 AND kind = 'cash' FOR UPDATE`,
};

async function checkRefund(client: PoolClient, { organizationId, amountPico }: Credit): Promise<void> {
  const { rows } = await client.query<{ pico: string }>({ ...LOCK_CASH, values: [organizationId] });
  const cash = BigInt(rows[0]?.pico ?? 0);
  if (amountPico <= cash) return;
  throw new GatewayError('conflict', `Only cash can be refunded, and there is ${formatUsd(cash < 0n ? 0n : cash)} USD of it.`, {
    field: 'amount',
  });
}
