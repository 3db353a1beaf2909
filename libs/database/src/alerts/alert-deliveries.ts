import type { AlertDetails, AlertKind, AlertNotice, AlertScope } from '@weir/limits';
import type { Pool } from 'pg';

type AlertChannel = 'webhook' | 'slack' | 'email';

/** A notice that is to be sent, and what is needed for that. It is the claimer's until its lease is over. */
export type ClaimedFiring = {
  readonly notice: AlertNotice;
  readonly channel: AlertChannel;
  /** Of a webhook; that of the channel `slack` is sealed. */
  readonly url: string;
  /** Of an e-mail. */
  readonly recipients: readonly string[];
  /** This one included. */
  readonly attempts: number;
  readonly sealedSecret: { readonly nonce: Buffer; readonly ciphertext: Buffer; readonly tag: Buffer; readonly dataKeyId: string };
};

/** A few of each organization at a time, so that no one waits for the dead addresses of somebody else. */
const CLAIM = {
  name: 'weir-claim-firings',
  text: `WITH waiting AS (
      SELECT id, row_number() OVER (PARTITION BY org_id ORDER BY next_attempt_at) AS place
      FROM alert_firing WHERE status = 'pending' AND next_attempt_at <= to_timestamp($1::bigint / 1000.0)),
    due AS (
      SELECT f.id FROM alert_firing f JOIN waiting w ON w.id = f.id
      WHERE w.place <= 2 AND f.status = 'pending' AND f.next_attempt_at <= to_timestamp($1::bigint / 1000.0)
      ORDER BY f.next_attempt_at LIMIT $2 FOR UPDATE OF f SKIP LOCKED),
    claimed AS (
      UPDATE alert_firing f SET attempts = f.attempts + 1, next_attempt_at = to_timestamp(($1::bigint + $3::bigint) / 1000.0)
      FROM due WHERE f.id = due.id RETURNING f.*)
    SELECT c.id, c.alert_id, c.org_id, split_part(c.period, '#', 1) AS period, c.kind, c.repetition, c.details, c.attempts,
      c.value_pico::text AS value_pico, c.threshold_pico::text AS threshold_pico,
      floor(extract(epoch FROM c.fired_at) * 1000)::text AS fired_at_ms, trim_scale(a.percentage)::text AS percentage,
      a.scope, a.scope_id, coalesce(k.name, g.name, m.email, r.name) AS scope_name,
      a.channel, a.url, a.recipients, a.nonce, a.ciphertext, a.tag, a.dek_id
    FROM claimed c JOIN alert a ON a.id = c.alert_id
    LEFT JOIN api_key k ON k.id = CASE a.scope WHEN 'key' THEN a.scope_id
      WHEN 'anomaly' THEN coalesce(c.details->'anomaly'->>'apiKeyId', nullif(a.scope_id, '')) END::uuid
    LEFT JOIN user_group g ON g.id = CASE a.scope WHEN 'group' THEN a.scope_id::uuid END
    LEFT JOIN user_account m ON m.id = CASE a.scope WHEN 'member' THEN split_part(a.scope_id, '/', 2)::uuid END
    LEFT JOIN organization_rule r ON r.id = CASE a.scope WHEN 'limit' THEN a.scope_id::uuid END`,
};

type FiringRow = {
  id: string;
  alert_id: string;
  org_id: string;
  period: string;
  kind: AlertKind;
  repetition: number;
  details: AlertDetails;
  attempts: number;
  value_pico: string;
  threshold_pico: string;
  fired_at_ms: string;
  percentage: string | null;
  scope: AlertScope;
  scope_id: string;
  scope_name: string | null;
  channel: AlertChannel;
  url: string;
  recipients: string[] | null;
  nonce: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
  dek_id: string;
};

/** Takes crossings that are due. One that its claimer does not finish within the lease is due again: it may be sent twice, but never not at all. */
export async function claimFirings(
  pool: Pool,
  { nowMs, limit, leaseMs }: { nowMs: number; limit: number; leaseMs: number },
): Promise<ClaimedFiring[]> {
  const { rows } = await pool.query<FiringRow>({ ...CLAIM, values: [nowMs, limit, leaseMs] });
  return rows.map((row) => ({
    notice: {
      id: row.id,
      alertId: row.alert_id,
      organizationId: row.org_id,
      kind: row.kind,
      scope: row.scope,
      scopeId: row.scope_id,
      scopeName: row.scope_name,
      period: row.period,
      repetition: row.repetition,
      percentage: row.percentage,
      value: BigInt(row.value_pico),
      threshold: BigInt(row.threshold_pico),
      details: row.details,
      firedAtMs: Number(row.fired_at_ms),
    },
    channel: row.channel,
    url: row.url,
    recipients: row.recipients ?? [],
    attempts: row.attempts,
    sealedSecret: { nonce: row.nonce, ciphertext: row.ciphertext, tag: row.tag, dataKeyId: row.dek_id },
  }));
}

const FINISH = {
  name: 'weir-finish-firing',
  text: `UPDATE alert_firing SET status = $2, last_result = $3,
      delivered_at = CASE $2 WHEN 'delivered' THEN now() END,
      next_attempt_at = coalesce(to_timestamp($4::bigint / 1000.0), next_attempt_at)
    WHERE id = $1`,
};

export type FiringResult = {
  readonly id: string;
  readonly status: 'pending' | 'delivered' | 'dead';
  /** The receiver's status, or what went wrong. */
  readonly result: string;
  /** When to try again; null when it is over. */
  readonly nextAttemptMs: number | null;
};

export async function finishFiring(pool: Pool, { id, status, result, nextAttemptMs }: FiringResult): Promise<void> {
  await pool.query({ ...FINISH, values: [id, status, result.slice(0, 500), nextAttemptMs] });
}
