import {
  pepperVersion,
  splitDigests,
  type GroupLimits,
  type KeyDirectory,
  type KeyLabels,
  type KeyLookup,
  type KeyPeppers,
  type KeyRecord,
  type ModelPatterns,
} from '@weir/access';
import { MODALITIES, type PermissionLevel, type RequestPriorityName } from '@weir/contracts';
import type { Pool } from 'pg';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';
import { runInTransaction } from '../postgres/run-in-transaction';

/**
 * What a list lets in, as `{modality: [pattern or id, …]}`; null without a list, `{}` for an empty one. In place of a
 * frozen pattern come the ids it stood for.
 */
function patternsOf(listId: string): string {
  return `CASE WHEN ${listId} IS NULL THEN NULL ELSE coalesce((
    SELECT jsonb_object_agg(m.modality, m.patterns) FROM (
      SELECT e.modality, jsonb_agg(p.pattern ORDER BY e.position, p.place) AS patterns
      FROM access_list_entry e
      CROSS JOIN LATERAL jsonb_array_elements(coalesce(e.matched, jsonb_build_array(e.pattern))) WITH ORDINALITY AS p (pattern, place)
      WHERE e.list_id = ${listId} GROUP BY e.modality) m), '{}'::jsonb) END`;
}

/** A member's rate holds over all of their keys: of several groups the lowest. */
const MEMBER_RATE_LIMIT = `(SELECT min(m.rate_limit_rpm) FROM group_member m JOIN user_group mg ON mg.id = m.group_id
      WHERE m.user_id = k.user_id AND m.active AND mg.organization_id = k.organization_id)`;

/** What belongs to no person acts for the organization itself. */
const IS_ADMINISTRATOR = `(k.user_id IS NULL OR EXISTS (SELECT 1 FROM org_member om
      WHERE om.organization_id = k.organization_id AND om.user_id = k.user_id AND om.status = 'active' AND om.role IN ('owner', 'admin')))`;

/**
 * All that admission needs, in one prepared statement. The secret before a rotation is good until its overlap ends,
 * and the record says so, lest a cache keep it longer.
 */
const findKey = ({
  expiresAt,
  where,
}: {
  readonly expiresAt: string;
  readonly where: string;
}): string => `SELECT k.id, k.hash, k.former_hash, k.organization_id, k.name, k.user_id, k.group_id,
    ${IS_ADMINISTRATOR} AS is_administrator,
    CASE WHEN k.status = 'active' AND o.status = 'active' THEN 'active' ELSE 'revoked' END AS status,
    floor(extract(epoch FROM ${expiresAt}) * 1000)::text AS expires_at_ms,
    k.priority, k.share, k.perm_manage, k.perm_completions, k.perm_contents, k.monthly_limit_pico::text AS monthly_limit_pico,
    g.monthly_limit_pico::text AS group_limit_pico, g.monthly_budget_pico::text AS group_budget_pico,
    g.budget_per_user_pico::text AS group_user_budget_pico,
    ${MEMBER_RATE_LIMIT} AS member_rate_limit_rpm,
    gm.monthly_limit_pico::text AS member_limit_pico, gm.monthly_budget_pico::text AS member_budget_pico,
    k.label_set_id AS key_label_set_id, g.label_set_id AS group_label_set_id,
    kl.labels AS key_labels, gl.labels AS group_labels,
    ${patternsOf('k.access_list_id')} AS key_patterns,
    ${patternsOf('g.access_list_id')} AS group_patterns,
    o.budget_mode, o.data_residency, o.zero_data_retention, o.tier, o.approved_models,
    o.settings ->> 'limits_unavailable' AS limits_unavailable,
    coalesce((o.settings ->> 'data_used_for_training')::boolean, true) AS data_used_for_training,
    coalesce((o.settings ->> 'clamp_to_limit')::boolean, false) AS clamp_to_limit,
    coalesce((o.settings ->> 'charge_failed_attempts')::boolean, false) AS charge_failed_attempts,
    coalesce((o.settings ->> 'strict_access')::boolean, false) AS strict_access,
    (o.settings ->> 'keep_contents_days')::int AS keep_contents_days,
    coalesce((o.settings ->> 'share')::int, 1) AS organization_share,
    coalesce(o.settings ->> 'time_zone', 'UTC') AS time_zone,
    credit.pico AS credit_pico
  FROM api_key k
  JOIN organization o ON o.id = k.organization_id
  LEFT JOIN user_group g ON g.id = k.group_id
  LEFT JOIN label_set kl ON kl.id = k.label_set_id
  LEFT JOIN label_set gl ON gl.id = g.label_set_id
  LEFT JOIN group_member gm ON gm.group_id = k.group_id AND gm.user_id = k.user_id
  LEFT JOIN LATERAL (
    SELECT (sum(a.balance) FILTER (WHERE a.kind <> 'clearing') * 1000000000000)::numeric(38, 0)::text AS pico
    FROM ledger_account a WHERE a.org_id = o.id HAVING bool_or(a.kind = 'clearing')) credit ON true
  WHERE ${where}`;

const findByDigest = (isDigest: string): string =>
  findKey({
    expiresAt: `CASE WHEN k.hash ${isDigest} OR k.former_hash ${isDigest} THEN k.expires_at ELSE least(k.expires_at, k.previous_hash_expires_at) END`,
    where: `k.hash ${isDigest} OR k.former_hash ${isDigest} OR (k.previous_hash ${isDigest} AND k.previous_hash_expires_at > now())`,
  });

const FIND_BY_ONE = { name: 'weir-find-key', text: findByDigest('= $1'), query_timeout: ANSWER_TIMEOUT_MS };
const FIND_BY_TWO = { name: 'weir-find-key-by-two', text: findByDigest('IN ($1, $2)'), query_timeout: ANSWER_TIMEOUT_MS };
const FIND_BY_ID = {
  name: 'weir-find-key-by-id',
  text: findKey({ expiresAt: 'k.expires_at', where: 'k.id = $1 AND k.organization_id = $2' }),
  query_timeout: ANSWER_TIMEOUT_MS,
};

/** The digest it was found by goes on finding it, for processes that have only the pepper before. */
const REHASH = {
  text: `UPDATE api_key SET former_hash = $2, former_pepper_version = $4, hash = $1, pepper_version = $3
    WHERE id = $5 AND hash = $6 AND (hash = $2 OR former_hash IS NULL)`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

/** First, where it was found by a former digest: a trigger takes that for one of another secret when it stays as the digest changes. */
const FORGET_FORMER = {
  text: 'UPDATE api_key SET former_hash = NULL WHERE id = $1 AND hash = $2 AND former_hash = $3',
  query_timeout: ANSWER_TIMEOUT_MS,
};

type KeyRow = {
  id: string;
  hash: Buffer;
  former_hash: Buffer | null;
  organization_id: string;
  name: string;
  user_id: string | null;
  is_administrator: boolean;
  group_id: string | null;
  status: 'active' | 'revoked';
  expires_at_ms: string | null;
  priority: RequestPriorityName;
  share: number;
  organization_share: number;
  perm_manage: PermissionLevel;
  perm_completions: PermissionLevel;
  perm_contents: 'none' | 'read';
  monthly_limit_pico: string | null;
  group_limit_pico: string | null;
  group_budget_pico: string | null;
  group_user_budget_pico: string | null;
  member_rate_limit_rpm: number | null;
  member_limit_pico: string | null;
  member_budget_pico: string | null;
  key_label_set_id: string | null;
  group_label_set_id: string | null;
  key_labels: KeyLabels | null;
  group_labels: KeyLabels | null;
  key_patterns: Partial<ModelPatterns> | null;
  group_patterns: Partial<ModelPatterns> | null;
  budget_mode: 'global' | 'group';
  data_residency: 'eu' | 'us' | 'ap' | null;
  zero_data_retention: boolean;
  tier: 'free' | 'paying';
  approved_models: Partial<ModelPatterns> | null;
  limits_unavailable: 'lease' | 'deny' | 'allow' | null;
  data_used_for_training: boolean;
  clamp_to_limit: boolean;
  charge_failed_attempts: boolean;
  strict_access: boolean;
  keep_contents_days: number | null;
  time_zone: string;
  credit_pico: string | null;
};

type KeyDirectoryOptions = {
  /** What digests are made with; matters while there are two. */
  readonly peppers?: KeyPeppers;
  readonly log?: DatabaseLog;
};

/**
 * Keys as they stand in Postgres at this moment. Cache it. A usable key that was found under the pepper before is stored
 * under the one in force from then on.
 */
export function createKeyDirectory(pool: Pool, { peppers, log = SILENT_LOG }: KeyDirectoryOptions = {}): KeyDirectory & KeyLookup {
  const versions = [peppers?.current, peppers?.previous].map((pepper) => (pepper === undefined ? undefined : pepperVersion(pepper)));

  const rehash = (row: KeyRow, current: Buffer, previous: Buffer): void => {
    const values = [current, previous, ...versions, row.id, row.hash];
    const done = row.hash.equals(previous)
      ? pool.query({ ...REHASH, values })
      : runInTransaction(pool, async (client) => {
          await client.query({ ...FORGET_FORMER, values: [row.id, row.hash, previous] });
          await client.query({ ...REHASH, values });
        });
    done.catch((error: unknown) => {
      log.warn({ error }, 'a key could not be stored under the new pepper; it is tried again when it is read the next time');
    });
  };

  return {
    findById: async (organizationId, apiKeyId) => {
      const { rows } = await pool.query<KeyRow>({ ...FIND_BY_ID, values: [apiKeyId, organizationId] });
      return rows[0] === undefined ? undefined : toKeyRecord(rows[0]);
    },
    findByDigest: async (digests) => {
      const [current, previous] = splitDigests(digests);
      if (previous === undefined) {
        const { rows } = await pool.query<KeyRow>({ ...FIND_BY_ONE, values: [current] });
        return rows[0] === undefined ? undefined : toKeyRecord(rows[0]);
      }
      const { rows } = await pool.query<KeyRow>({ ...FIND_BY_TWO, values: [current, previous] });
      const [row] = rows;
      if (row === undefined) return undefined;
      const record = toKeyRecord(row);
      if (peppers !== undefined && isUnderPrevious(row, current, previous) && isUsable(record)) rehash(row, current, previous);
      return record;
    },
  };
}

/** Where the pepper in force does not find it: it may have moved to one that was tried in between and given up. */
function isUnderPrevious({ hash, former_hash: formerHash }: KeyRow, current: Buffer, previous: Buffer): boolean {
  return !hash.equals(current) && (hash.equals(previous) || formerHash?.equals(previous) === true);
}

function isUsable({ status, expiresAtMs }: KeyRecord): boolean {
  return status === 'active' && (expiresAtMs === null || expiresAtMs > Date.now());
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    apiKeyId: row.id,
    organizationId: row.organization_id,
    name: row.name,
    userId: row.user_id,
    isAdministrator: row.is_administrator,
    groupId: row.group_id,
    status: row.status,
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
    permissions: { manage: row.perm_manage, completions: row.perm_completions, contents: row.perm_contents },
    monthlyLimitPico: toPico(row.monthly_limit_pico),
    memberRateLimitRpm: row.member_rate_limit_rpm,
    priority: row.priority,
    share: row.share,
    groupLimits: toGroupLimits(row),
    apiKeyLabelSetId: row.key_label_set_id,
    groupLabelSetId: row.group_label_set_id,
    ...(row.key_labels === null ? {} : { apiKeyLabels: row.key_labels }),
    ...(row.group_labels === null ? {} : { groupLabels: row.group_labels }),
    keyAccessList: toPatterns(row.key_patterns),
    groupAccessList: toPatterns(row.group_patterns),
    organization: {
      budgetMode: row.budget_mode,
      dataResidency: row.data_residency,
      isZeroDataRetention: row.zero_data_retention,
      isTrainingAllowed: row.data_used_for_training,
      tier: row.tier,
      approvedModels: toPatterns(row.approved_models),
      limitsUnavailable: row.limits_unavailable ?? 'lease',
      isClampedToLimit: row.clamp_to_limit,
      chargesFailedAttempts: row.charge_failed_attempts,
      isStrict: row.strict_access,
      keepContentsDays: row.keep_contents_days,
      share: row.organization_share,
      timeZone: row.time_zone,
      creditPico: toPico(row.credit_pico),
    },
  };
}

function toGroupLimits(row: KeyRow): GroupLimits | null {
  if (row.group_id === null) return null;
  return {
    monthlyLimitPico: toPico(row.group_limit_pico),
    monthlyBudgetPico: toPico(row.group_budget_pico),
    budgetPerUserPico: toPico(row.group_user_budget_pico),
    memberLimitPico: toPico(row.member_limit_pico),
    memberBudgetPico: toPico(row.member_budget_pico),
  };
}

function toPico(stored: string | null): bigint | null {
  return stored === null ? null : BigInt(stored);
}

/** A modality a list does not name allows nothing. */
function toPatterns(stored: Partial<ModelPatterns> | null): ModelPatterns | null {
  if (stored === null) return null;
  return Object.fromEntries(MODALITIES.map((modality) => [modality, stored[modality] ?? []])) as ModelPatterns;
}
