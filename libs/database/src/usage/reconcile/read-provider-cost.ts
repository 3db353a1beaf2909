import { DAY_MS, type DayCosts } from '@weir/usage';
import type { Pool } from 'pg';

type Stretch = { readonly providerId: string; readonly startMs: number; readonly endMs: number };

/** What a model cost on a day, all in pico-dollars. */
type ModelCost = {
  readonly modelId: string;
  readonly attempts: number;
  readonly countedPico: bigint;
  /** Of it, estimated usage, which the provider did not report: crashes, cut streams. */
  readonly estimatedPico: bigint;
  /** Beside it, what the provider reported for attempts that failed, which no one was charged for. */
  readonly unchargedPico: bigint;
};

const READ_DAYS = `SELECT extract(epoch FROM u.period_start)::bigint::text AS day_seconds, sum(u.cost_pico)::text AS cost_pico
  FROM usage_day u JOIN usage_series s ON s.id = u.series_id
  WHERE s.provider_used = $1 AND NOT s.is_byok AND u.period_start >= to_timestamp($2::bigint) AND u.period_start < to_timestamp($3::bigint)
  GROUP BY 1`;

const READ_MODELS = `SELECT payload ->> 'model_used' AS model_id, count(*) FILTER (WHERE payload -> 'corrects' IS NULL)::int AS attempts,
    sum((payload ->> 'cost_p')::numeric)::text AS counted_pico,
    coalesce(sum((payload ->> 'cost_p')::numeric) FILTER (WHERE payload ->> 'unit_source' <> 'provider'), 0)::text AS estimated_pico,
    coalesce(sum((payload -> 'uncharged' ->> 'cost_p')::numeric), 0)::text AS uncharged_pico
  FROM usage_event
  WHERE admitted_at >= to_timestamp($2::bigint) AND admitted_at < to_timestamp($3::bigint)
    AND payload ->> 'provider_used' = $1 AND payload ->> 'is_byok' = 'false'
  GROUP BY 1 ORDER BY sum((payload ->> 'cost_p')::numeric) DESC, 1`;

/** What the gateway's own account at a provider was counted to cost, by day, of all organizations: for operators. */
export async function readProviderDays(pool: Pool, { providerId, startMs, endMs }: Stretch): Promise<DayCosts> {
  const { rows } = await pool.query<{ day_seconds: string; cost_pico: string }>(READ_DAYS, [providerId, startMs / 1000, endMs / 1000]);
  return new Map(rows.map((row) => [Number(row.day_seconds) * 1000, BigInt(row.cost_pico)]));
}

/** What such a day is made of, out of the events themselves; nothing of a day whose events are no longer kept. */
export async function readProviderModels(pool: Pool, { providerId, dayMs }: { providerId: string; dayMs: number }): Promise<ModelCost[]> {
  type Row = { model_id: string; attempts: number; counted_pico: string; estimated_pico: string; uncharged_pico: string };
  const { rows } = await pool.query<Row>(READ_MODELS, [providerId, dayMs / 1000, (dayMs + DAY_MS) / 1000]);
  return rows.map((row) => ({
    modelId: row.model_id,
    attempts: row.attempts,
    countedPico: BigInt(row.counted_pico),
    estimatedPico: BigInt(row.estimated_pico),
    unchargedPico: BigInt(row.uncharged_pico),
  }));
}
