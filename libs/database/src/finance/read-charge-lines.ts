import { setImmediate } from 'node:timers/promises';
import { GatewayError } from '@weir/errors';
import type { ChargeLine } from '@weir/finance';
import { periodCeiling } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { OrganizationDatabases } from '../connection/create-database';

type AskedMonth = { readonly organizationId: string; /** Start of a UTC month. */ readonly monthMs: number };

/** Free text is left out: what finance reports by is the key, its people and labels, and the model. */
const READ_LINES = `SELECT to_char(f.period_start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, s.api_key_id, s.user_id, s.group_id,
    s.key_label_set_id, s.group_label_set_id, s.model_used, s.provider_used, s.modality, s.is_byok,
    sum(f.requests)::text AS requests, sum(f.attempts)::text AS attempts, sum(f.cost_pico)::text AS cost, sum(f.billed_pico)::text AS billed
  FROM usage_day f JOIN usage_series s ON s.id = f.series_id
  WHERE f.org_id = $1 AND f.period_start >= to_timestamp($2::bigint) AND f.period_start < to_timestamp($3::bigint)
  GROUP BY f.period_start, s.api_key_id, s.user_id, s.group_id, s.key_label_set_id, s.group_label_set_id, s.model_used,
    s.provider_used, s.modality, s.is_byok
  ORDER BY f.period_start, s.api_key_id, s.user_id, s.group_id, s.key_label_set_id, s.group_label_set_id, s.model_used,
    s.provider_used, s.modality, s.is_byok`;

type LineRow = {
  readonly day: string;
  readonly api_key_id: string;
  readonly user_id: string | null;
  readonly group_id: string | null;
  readonly key_label_set_id: string | null;
  readonly group_label_set_id: string | null;
  readonly model_used: string;
  readonly provider_used: string;
  readonly modality: string;
  readonly is_byok: boolean;
  readonly requests: string;
  readonly attempts: string;
  readonly cost: string;
  readonly billed: string;
};

type Labels = Readonly<Record<string, string>>;
const NO_LABELS: Labels = {};

const READ_LABELS = 'SELECT id, labels FROM label_set WHERE organization_id = $1 AND id = ANY($2::uuid[])';

const READ_MONTH = `SELECT coalesce(sum(cost_pico), 0)::text AS cost, coalesce(sum(billed_pico), 0)::text AS billed FROM usage_month
  WHERE org_id = $1 AND period_start = to_timestamp($2::bigint)`;

const ROWS_PER_TURN = 5_000;

const BEGIN =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '60s'; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off; SET LOCAL enable_nestloop = off";

/**
 * What a month is made of, by day, key, person, group, labels and model: together exactly the month. Throws `conflict` where its
 * days are no longer kept, 25 months on.
 */
export function readChargeLines(database: OrganizationDatabases, { organizationId, monthMs }: AskedMonth): Promise<ChargeLine[]> {
  return database.asOrganization(organizationId).run((client) => readLinesOfMonth(client, { organizationId, monthMs }), BEGIN);
}

async function readLinesOfMonth(client: PoolClient, { organizationId, monthMs }: AskedMonth): Promise<ChargeLine[]> {
  const endMs = periodCeiling('month', monthMs + 1);
  const { rows } = await client.query<LineRow>(READ_LINES, [organizationId, monthMs / 1000, endMs / 1000]);
  const labels = await readLabels(client, organizationId, rows);
  const lines: ChargeLine[] = [];
  for (const row of rows) {
    lines.push(decodeLine(row, labels));
    // There may be hundreds of thousands: requests that run in this process have their turns in between.
    if (lines.length % ROWS_PER_TURN === 0) await setImmediate();
  }
  const { rows: months } = await client.query<{ cost: string; billed: string }>(READ_MONTH, [organizationId, monthMs / 1000]);
  const add = (pick: (line: ChargeLine) => bigint): string => String(lines.reduce((sum, line) => sum + pick(line), 0n));
  const isWhole = months[0]?.cost === add(({ costPico }) => costPico) && months[0].billed === add(({ billedPico }) => billedPico);
  if (isWhole) return lines;
  throw new GatewayError(
    'conflict',
    `The days of ${new Date(monthMs).toISOString().slice(0, 7)} do not add up to the month: they are no longer kept, or \`GET /v1/manage/reconciliation\` says what differs.`,
    { field: 'month' },
  );
}

/** Each set is read once: few of them are on many lines. */
async function readLabels(client: PoolClient, organizationId: string, lines: readonly LineRow[]): Promise<ReadonlyMap<string, Labels>> {
  const ids = new Set<string>();
  for (const { key_label_set_id: ofKey, group_label_set_id: ofGroup } of lines) {
    if (ofKey !== null) ids.add(ofKey);
    if (ofGroup !== null) ids.add(ofGroup);
  }
  const { rows } = await client.query<{ id: string; labels: Labels }>(READ_LABELS, [organizationId, [...ids]]);
  return new Map(rows.map(({ id, labels }) => [id, labels]));
}

function decodeLine(row: LineRow, labels: ReadonlyMap<string, Labels>): ChargeLine {
  return {
    day: row.day,
    apiKeyId: row.api_key_id,
    memberId: row.user_id,
    groupId: row.group_id,
    keyLabels: labels.get(row.key_label_set_id ?? '') ?? NO_LABELS,
    groupLabels: labels.get(row.group_label_set_id ?? '') ?? NO_LABELS,
    modelUsed: row.model_used,
    providerUsed: row.provider_used,
    modality: row.modality,
    isByok: row.is_byok,
    requests: BigInt(row.requests),
    attempts: BigInt(row.attempts),
    costPico: BigInt(row.cost),
    billedPico: BigInt(row.billed),
  };
}
