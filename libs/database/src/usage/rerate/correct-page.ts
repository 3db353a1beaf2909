import { NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { appendConfigChange } from '../../changes/create-change-log';
import type { DatabaseLog } from '../../postgres/database-log';
import { runInTransaction } from '../../postgres/run-in-transaction';
import { countCorrections } from './count-corrections';
import { lockRerating, type Rerate } from './open-rerate';
import { addPage, planPage, type PlannedPage } from './plan-page';
import { readPage, type EventPlace } from './read-page';
import { noSums, type LeftEvent, type PriceAgain } from './rerate-ask';

export type CorrectParts = {
  readonly pool: Pool;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
  readonly failPoint?: FailPoint;
  readonly price: PriceAgain;
};

type Step = { readonly isLast: boolean; readonly left: readonly LeftEvent[] };

const LOCK_ORGANIZATION = `SELECT floor(extract(epoch FROM after_at) * 1000)::text AS after_ms, after_writer, after_seq::text AS after_seq
  FROM rerate_organization WHERE rerate_id = $1 AND org_id = $2 AND state = 'running' FOR UPDATE`;

const SAVE = `UPDATE rerate_organization SET state = $3, after_at = coalesce($4::timestamptz, after_at), after_writer = coalesce($5::uuid, after_writer),
    after_seq = coalesce($6::bigint, after_seq), corrected = corrected + $7, left_over = left_over + $8, cost_pico = cost_pico + $9::numeric,
    billed_pico = billed_pico + $10::numeric, lowered_pico = lowered_pico + $11::numeric
  WHERE rerate_id = $1 AND org_id = $2`;

/** Serialization failure, deadlock, lock timeout: the same again may well succeed. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);
const TRIES_MAX = 5;

/**
 * Corrects the next page of an organization's events. Corrections, all sums and how far it has come are one transaction: a
 * process that dies in it has done nothing of it, and one that begins again goes on behind the last page that was committed.
 */
export async function correctPage(parts: CorrectParts, rerate: Rerate, organizationId: string): Promise<Step> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runInTransaction(parts.pool, (client) => correctInTransaction(client, parts, { rerate, organizationId }));
    } catch (error) {
      if (!(error instanceof DatabaseError) || !RETRYABLE.has(error.code ?? '') || attempt === TRIES_MAX) throw error;
      parts.log.warn({ error, attempt }, 'a page of corrections will be tried again');
    }
  }
}

type Target = { readonly rerate: Rerate; readonly organizationId: string };

async function correctInTransaction(client: PoolClient, parts: CorrectParts, target: Target): Promise<Step> {
  const { now, log, price, failPoint = NO_FAIL_POINT } = parts;
  const { rerate, organizationId } = target;
  await lockRerating(client);
  const after = await lockProgress(client, target);
  if (after === undefined) return { isLast: true, left: [] };
  const { found, last } = await readPage(client, { criteria: rerate.criteria, organizationId, after });
  const nowMs = now();
  const page = planPage(found, price, {
    rerateId: rerate.id,
    toPriceVersion: rerate.criteria.toPriceVersion,
    because: rerate.because,
    atMs: nowMs,
  });
  const { startedAtMs, because } = rerate;
  const facts = { organizationId, rerateId: rerate.id, because, startedAtMs, nowMs, log };
  const { loweredPico } = await countCorrections(client, page.planned, facts);
  await saveProgress(client, target, { page, last, loweredPico });
  // Edges keep a copy of the balance.
  if (page.planned.length > 0) await appendConfigChange(client, { entity: 'organization', entityId: organizationId, organizationId });
  failPoint('agg.tx.before_commit');
  return { isLast: last === null, left: page.left };
}

/** Undefined where it is not running any more: another process has finished it meanwhile. */
async function lockProgress(client: PoolClient, { rerate, organizationId }: Target): Promise<EventPlace | null | undefined> {
  type Row = { after_ms: string | null; after_writer: string | null; after_seq: string | null };
  const { rows } = await client.query<Row>(LOCK_ORGANIZATION, [rerate.id, organizationId]);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.after_ms === null || row.after_writer === null || row.after_seq === null) return null;
  return { admittedAtMs: Number(row.after_ms), writerId: row.after_writer, sequence: row.after_seq };
}

type Progress = { readonly page: PlannedPage; readonly last: EventPlace | null; readonly loweredPico: bigint };

async function saveProgress(client: PoolClient, { rerate, organizationId }: Target, { page, last, loweredPico }: Progress): Promise<void> {
  const sums = noSums();
  addPage(sums, page);
  await client.query(SAVE, [
    rerate.id,
    organizationId,
    last === null ? 'corrected' : 'running',
    last === null ? null : new Date(last.admittedAtMs).toISOString(),
    last?.writerId ?? null,
    last?.sequence ?? null,
    sums.corrected,
    sums.leftOver,
    String(sums.costPico),
    String(sums.billedPico),
    String(loweredPico),
  ]);
}
