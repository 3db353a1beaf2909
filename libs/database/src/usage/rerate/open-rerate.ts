import { randomUUID } from 'node:crypto';
import { periodStart } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { runInTransaction } from '../../postgres/run-in-transaction';
import type { RerateCriteria } from './rerate-ask';

/** A re-rating that is written down, and so can be gone on with. */
export type Rerate = {
  readonly id: string;
  readonly criteria: RerateCriteria;
  readonly because: string;
  /** A balance that is paid in advance may fall below zero. */
  readonly allowsDebt: boolean;
  readonly startedAtMs: number;
};

export type NewRerate = Pick<Rerate, 'criteria' | 'because' | 'allowsDebt'> & { readonly actor: string };

/** Only one process at a time looks at events and corrects them: what it sees of corrections is then all there is. */
export async function lockRerating(client: PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('weir-rerate', 0))");
}

/** By months, which are few: those that used the model at all in the months of the span. */
const FIND_ORGANIZATIONS = `SELECT DISTINCT u.org_id FROM usage_month u JOIN usage_series s ON s.id = u.series_id
  WHERE u.period_start >= to_timestamp($1::bigint) AND u.period_start < $2::timestamptz AND s.model_used = $3
    AND ($4::text IS NULL OR s.provider_used = $4) AND ($5::uuid IS NULL OR u.org_id = $5) ORDER BY 1`;

export async function findOrganizations(source: Pool | PoolClient, criteria: RerateCriteria): Promise<string[]> {
  const { rows } = await source.query<{ org_id: string }>(FIND_ORGANIZATIONS, [
    periodStart('month', criteria.fromMs) / 1000,
    new Date(criteria.toMs).toISOString(),
    criteria.modelUsed,
    criteria.providerUsed,
    criteria.organizationId,
  ]);
  return rows.map((row) => row.org_id);
}

const FIND_RUNNING = `SELECT id, because, allows_debt, floor(extract(epoch FROM created_at) * 1000)::text AS at_ms FROM rerate
  WHERE state = 'running' AND model_used = $1 AND provider_used IS NOT DISTINCT FROM $2 AND from_at = $3::timestamptz AND to_at = $4::timestamptz
    AND price_version = $5 AND to_price_version = $6 AND for_org IS NOT DISTINCT FROM $7::uuid ORDER BY created_at LIMIT 1`;

const ADD = `INSERT INTO rerate (model_used, provider_used, from_at, to_at, price_version, to_price_version, for_org, id, because, actor, allows_debt, state)
  VALUES ($1, $2, $3::timestamptz, $4::timestamptz, $5, $6, $7::uuid, $8, $9, $10, $11, 'running')
  RETURNING floor(extract(epoch FROM created_at) * 1000)::text AS at_ms`;

const ADD_ORGANIZATIONS = `INSERT INTO rerate_organization (rerate_id, org_id, state) SELECT $1, unnest($2::uuid[]), 'waiting'`;

/** The one that ended before it was done, with its reason and what it allows, or a new one. Null where no one used the model. */
export async function openRerate(
  pool: Pool,
  { criteria, because, actor, allowsDebt }: NewRerate,
): Promise<{ readonly rerate: Rerate; readonly isResumed: boolean } | null> {
  const { modelUsed, providerUsed, priceVersion, toPriceVersion, organizationId } = criteria;
  const span = [criteria.fromMs, criteria.toMs].map((ms) => new Date(ms).toISOString());
  const values = [modelUsed, providerUsed, ...span, priceVersion, toPriceVersion, organizationId];
  return runInTransaction(pool, async (client) => {
    await lockRerating(client);
    const found = await client.query<{ id: string; because: string; allows_debt: boolean; at_ms: string }>(FIND_RUNNING, values);
    const [running] = found.rows;
    if (running !== undefined) {
      const { id, because: reason, allows_debt: allows, at_ms: atMs } = running;
      return { rerate: { id, criteria, because: reason, allowsDebt: allows, startedAtMs: Number(atMs) }, isResumed: true };
    }
    const organizations = await findOrganizations(client, criteria);
    if (organizations.length === 0) return null;
    const id = randomUUID();
    const added = await client.query<{ at_ms: string }>(ADD, [...values, id, because, actor, allowsDebt]);
    await client.query(ADD_ORGANIZATIONS, [id, organizations]);
    return { rerate: { id, criteria, because, allowsDebt, startedAtMs: Number(added.rows[0]?.at_ms) }, isResumed: false };
  });
}

export type OrganizationState = 'waiting' | 'running' | 'corrected' | 'done' | 'refused';

/** Of one organization, what a re-rating has come to. */
export type OrganizationProgress = {
  readonly organizationId: string;
  readonly state: OrganizationState;
  readonly corrected: number;
  readonly leftOver: number;
  readonly costPico: bigint;
  readonly billedPico: bigint;
};

const READ_PROGRESS = `SELECT org_id, state, corrected::text AS corrected, left_over::text AS left_over, cost_pico::text AS cost, billed_pico::text AS billed
  FROM rerate_organization WHERE rerate_id = $1 ORDER BY org_id`;

type ProgressRow = { org_id: string; state: OrganizationState; corrected: string; left_over: string; cost: string; billed: string };

export async function readProgress(pool: Pool, rerateId: string): Promise<readonly OrganizationProgress[]> {
  const { rows } = await pool.query<ProgressRow>(READ_PROGRESS, [rerateId]);
  return rows.map((row) => ({
    organizationId: row.org_id,
    state: row.state,
    corrected: Number(row.corrected),
    leftOver: Number(row.left_over),
    costPico: BigInt(row.cost),
    billedPico: BigInt(row.billed),
  }));
}

/** From one state to another, of an organization that is still in the first. */
export async function moveState(
  pool: Pool,
  place: { readonly rerateId: string; readonly organizationId: string },
  [from, to]: readonly [OrganizationState, OrganizationState],
): Promise<void> {
  await pool.query(
    `UPDATE rerate_organization SET state = $4, finished_at = CASE WHEN $4 IN ('done', 'refused') THEN now() END
      WHERE rerate_id = $1 AND org_id = $2 AND state = $3`,
    [place.rerateId, place.organizationId, from, to],
  );
}

/** Once nothing of it is left to do. */
export async function finishRerate(pool: Pool, rerateId: string): Promise<void> {
  await pool.query(
    `UPDATE rerate SET state = 'done', finished_at = now() WHERE id = $1 AND state = 'running'
      AND NOT EXISTS (SELECT FROM rerate_organization WHERE rerate_id = $1 AND state NOT IN ('done', 'refused'))`,
    [rerateId],
  );
}
