import { randomUUID } from 'node:crypto';
import { planTopUp, topUpPauseMs, type PaymentProvider, type PaymentResult, type TopUpCharge, type TopUpPlan } from '@weir/limits';
import { HOUR_MS, periodStart } from '@weir/usage';
import type { Pool } from 'pg';
import type { DatabaseLog } from '../postgres/database-log';
import { postCreditIn } from '../ledger/post-credit';
import { readBalance } from '../ledger/read-balance';
import { runInTransaction } from '../postgres/run-in-transaction';
import { readTopUpSettings } from './top-up-settings';

type TopUpParts = {
  readonly pool: Pool;
  readonly payments: PaymentProvider;
  /** Organizations must have a balance before they use anything: see `Credit`. */
  readonly isBalanceRequired?: boolean;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
};

/** `busy`: another process is at it; `unanswered`: no one knows yet whether the charge was made. */
export type TopUpOutcome = Exclude<TopUpPlan, 'charge'> | 'busy' | 'paid' | 'declined' | 'unanswered';

const FIND_LOW = {
  name: 'weir-find-low-balances',
  text: `SELECT a.org_id FROM auto_top_up a
    WHERE coalesce(a.retry_at <= to_timestamp($1::bigint / 1000.0), true) AND (
      EXISTS (SELECT 1 FROM top_up_charge c WHERE c.org_id = a.org_id AND c.status = 'pending')
      OR (a.enabled AND a.threshold_pico > (SELECT coalesce(sum(l.balance), 0) * 1000000000000 FROM ledger_account l
        WHERE l.org_id = a.org_id AND l.kind IN ('cash', 'promo', 'gift'))))
    LIMIT 100`,
};

/** Tops up every organization that asked for it and is low, and asks again for charges whose outcome is unknown. */
export async function runTopUps(parts: TopUpParts): Promise<ReadonlyMap<string, TopUpOutcome>> {
  const { rows } = await parts.pool.query<{ org_id: string }>({ ...FIND_LOW, values: [parts.now()] });
  const outcomes = new Map<string, TopUpOutcome>();
  for (const { org_id } of rows) outcomes.set(org_id, await topUp(parts, org_id));
  return outcomes;
}

/** One organization, by one process at a time: the lock is kept until what came of the charge is in the ledger. */
async function topUp(parts: TopUpParts, organizationId: string): Promise<TopUpOutcome> {
  const client = await parts.pool.connect();
  const name = `auto-top-up:${organizationId}`;
  let isLocked = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [name]);
    isLocked = rows[0]?.locked === true;
    return isLocked ? await topUpLocked(parts, organizationId) : 'busy';
  } finally {
    // Should the connection be gone, the lock is gone with it.
    if (isLocked) await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => undefined);
    client.release();
  }
}

async function topUpLocked(parts: TopUpParts, organizationId: string): Promise<TopUpOutcome> {
  const charge = (await findPending(parts.pool, organizationId)) ?? (await planCharge(parts, organizationId));
  // Looked at again and again, those at their cap would keep others from being looked at.
  if (charge === 'capped') await waitUntil(parts.pool, organizationId, Math.min(parts.now() + HOUR_MS, nextMonth(parts.now())));
  if (typeof charge === 'string') return charge;
  let result: PaymentResult;
  try {
    result = await parts.payments.charge(charge);
  } catch (error) {
    parts.log.warn(
      { error, organizationId, charge: charge.id },
      'outcome of a top-up charge unknown; the charge will be requested again under the same id',
    );
    await backOff(parts, organizationId);
    return 'unanswered';
  }
  await settleCharge(parts, charge, result);
  if (result.kind === 'declined') {
    parts.log.warn({ organizationId, charge: charge.id, reason: result.reason }, 'a charge was declined');
    await backOff(parts, organizationId);
  }
  return result.kind;
}

const FIND_PENDING = {
  name: 'weir-find-pending-charge',
  text: `SELECT id, amount_pico::text AS amount_pico FROM top_up_charge WHERE org_id = $1 AND status = 'pending'`,
};

async function findPending(pool: Pool, organizationId: string): Promise<TopUpCharge | undefined> {
  const { rows } = await pool.query<{ id: string; amount_pico: string }>({ ...FIND_PENDING, values: [organizationId] });
  const [row] = rows;
  return row === undefined ? undefined : { id: row.id, organizationId, amountPico: BigInt(row.amount_pico) };
}

const SUM_CHARGED = {
  name: 'weir-sum-charged',
  text: `SELECT coalesce(sum(amount_pico), 0)::text AS pico FROM top_up_charge
    WHERE org_id = $1 AND status <> 'declined' AND created_at >= to_timestamp($2::bigint / 1000.0)`,
};

const ADD_CHARGE = {
  name: 'weir-add-charge',
  text: `INSERT INTO top_up_charge (id, org_id, amount_pico, status, created_at)
    VALUES ($1, $2, $3, 'pending', to_timestamp($4::bigint / 1000.0))`,
};

/** Writes the charge down before anybody is asked for money, so that it is the same charge after a crash. */
async function planCharge({ pool, now }: TopUpParts, organizationId: string): Promise<TopUpCharge | Exclude<TopUpPlan, 'charge'>> {
  const settings = await readTopUpSettings(pool, organizationId);
  if (settings === undefined) return 'not_needed';
  const { totalPico } = await readBalance(pool, organizationId);
  const { rows } = await pool.query<{ pico: string }>({ ...SUM_CHARGED, values: [organizationId, periodStart('month', now())] });
  const plan = planTopUp(settings, { balancePico: totalPico, chargedPico: BigInt(rows[0]?.pico ?? 0) });
  if (plan !== 'charge') return plan;
  const charge = { id: randomUUID(), organizationId, amountPico: settings.amountPico };
  await pool.query({ ...ADD_CHARGE, values: [charge.id, organizationId, charge.amountPico.toString(), now()] });
  return charge;
}

const SETTLE = {
  name: 'weir-settle-charge',
  text: 'UPDATE top_up_charge SET status = $2, reference = $3, settled_at = now() WHERE id = $1',
};

const FORGIVE = { name: 'weir-forgive-top-up', text: 'UPDATE auto_top_up SET failures = 0, retry_at = NULL WHERE org_id = $1' };

/** The charge and its credit are settled together; the credit's key is the charge. */
async function settleCharge(
  { pool, isBalanceRequired = false }: TopUpParts,
  { id, organizationId, amountPico }: TopUpCharge,
  result: PaymentResult,
): Promise<void> {
  await runInTransaction(pool, async (client) => {
    if (result.kind === 'paid') {
      const note = 'Automatic top-up';
      await postCreditIn(client, { organizationId, kind: 'top_up', amountPico, idempotencyKey: `charge:${id}`, note, isBalanceRequired });
      await client.query({ ...FORGIVE, values: [organizationId] });
    }
    await client.query({ ...SETTLE, values: [id, result.kind, result.kind === 'paid' ? result.reference : result.reason.slice(0, 500)] });
  });
}

const NOTE_FAILURE = {
  name: 'weir-note-top-up-failure',
  text: 'UPDATE auto_top_up SET failures = failures + 1 WHERE org_id = $1 RETURNING failures',
};

const SET_RETRY = {
  name: 'weir-set-top-up-retry',
  text: 'UPDATE auto_top_up SET retry_at = to_timestamp($2::bigint / 1000.0) WHERE org_id = $1',
};

async function backOff({ pool, now }: TopUpParts, organizationId: string): Promise<void> {
  const { rows } = await pool.query<{ failures: number }>({ ...NOTE_FAILURE, values: [organizationId] });
  await waitUntil(pool, organizationId, now() + topUpPauseMs(rows[0]?.failures ?? 1));
}

async function waitUntil(pool: Pool, organizationId: string, atMs: number): Promise<void> {
  await pool.query({ ...SET_RETRY, values: [organizationId, atMs] });
}

function nextMonth(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
