import type { KeyDirectory, KeyRecord, ModelPatterns } from '@weir/access';
import { MODALITIES, type PermissionLevel } from '@weir/contracts';
import type { Pool } from 'pg';

/** Patterns of a list as `{modality: [pattern, …]}`; null without a list, `{}` for an empty one. */
function patternsOf(listId: string): string {
  return `CASE WHEN ${listId} IS NULL THEN NULL ELSE coalesce((
    SELECT jsonb_object_agg(m.modality, m.patterns) FROM (
      SELECT e.modality, jsonb_agg(e.pattern ORDER BY e.position) AS patterns
      FROM access_list_entry e WHERE e.list_id = ${listId} GROUP BY e.modality) m), '{}'::jsonb) END`;
}

/**
 * All that admission needs, in one prepared statement. The secret before a rotation is good until its overlap ends,
 * and the record says so, lest a cache keep it longer.
 */
const FIND_KEY = {
  name: 'weir-find-key',
  text: `SELECT k.id, k.organization_id, k.name, k.user_id, k.group_id,
    CASE WHEN k.status = 'active' AND o.status = 'active' THEN 'active' ELSE 'revoked' END AS status,
    floor(extract(epoch FROM CASE WHEN k.hash = $1 THEN k.expires_at ELSE least(k.expires_at, k.previous_hash_expires_at) END) * 1000)::text
      AS expires_at_ms,
    k.perm_manage, k.perm_completions, k.monthly_limit_pico::text AS monthly_limit_pico,
    k.label_set_id AS key_label_set_id, g.label_set_id AS group_label_set_id,
    ${patternsOf('k.access_list_id')} AS key_patterns,
    ${patternsOf('g.access_list_id')} AS group_patterns,
    o.budget_mode, o.data_residency, o.zero_data_retention, o.tier, o.approved_models
  FROM api_key k
  JOIN organization o ON o.id = k.organization_id
  LEFT JOIN user_group g ON g.id = k.group_id
  WHERE k.hash = $1 OR (k.previous_hash = $1 AND k.previous_hash_expires_at > now())`,
};

type KeyRow = {
  id: string;
  organization_id: string;
  name: string;
  user_id: string | null;
  group_id: string | null;
  status: 'active' | 'revoked';
  expires_at_ms: string | null;
  perm_manage: PermissionLevel;
  perm_completions: PermissionLevel;
  monthly_limit_pico: string | null;
  key_label_set_id: string | null;
  group_label_set_id: string | null;
  key_patterns: Partial<ModelPatterns> | null;
  group_patterns: Partial<ModelPatterns> | null;
  budget_mode: 'global' | 'group';
  data_residency: 'eu' | 'us' | 'ap' | null;
  zero_data_retention: boolean;
  tier: 'free' | 'paying';
  approved_models: Partial<ModelPatterns> | null;
};

/** Keys as they stand in Postgres at this moment. Cache it. */
export function createKeyDirectory(pool: Pool): KeyDirectory {
  return {
    findByDigest: async (digest) => {
      const { rows } = await pool.query<KeyRow>({ ...FIND_KEY, values: [digest] });
      const [row] = rows;
      return row === undefined ? undefined : toKeyRecord(row);
    },
  };
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    apiKeyId: row.id,
    organizationId: row.organization_id,
    name: row.name,
    userId: row.user_id,
    groupId: row.group_id,
    status: row.status,
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
    permissions: { manage: row.perm_manage, completions: row.perm_completions },
    monthlyLimitPico: row.monthly_limit_pico === null ? null : BigInt(row.monthly_limit_pico),
    apiKeyLabelSetId: row.key_label_set_id,
    groupLabelSetId: row.group_label_set_id,
    keyAccessList: toPatterns(row.key_patterns),
    groupAccessList: toPatterns(row.group_patterns),
    organization: {
      budgetMode: row.budget_mode,
      dataResidency: row.data_residency,
      isZeroDataRetention: row.zero_data_retention,
      tier: row.tier,
      approvedModels: toPatterns(row.approved_models),
    },
  };
}

/** A modality a list does not name allows nothing. */
function toPatterns(stored: Partial<ModelPatterns> | null): ModelPatterns | null {
  if (stored === null) return null;
  return Object.fromEntries(MODALITIES.map((modality) => [modality, stored[modality] ?? []])) as ModelPatterns;
}
