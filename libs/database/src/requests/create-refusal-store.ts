import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** A request that was refused before anything was passed on. Never its contents. */
export type Refusal = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  /** UTC epoch milliseconds. */
  readonly atMs: number;
  readonly endpoint: string;
  /** As it was asked for; null where it was refused before that was read. */
  readonly model: string | null;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The limit that it did not fit, where it was one. */
  readonly limit: object | null;
};

export type RefusalStore = {
  write(refusals: readonly Refusal[]): Promise<void>;
  /** Forgets what is older than a week, and of each organization what is beyond its latest ten thousand. */
  purge(): Promise<void>;
};

const WRITE = {
  name: 'weir-refusals-write',
  // An organization may be gone by now.
  text: `INSERT INTO request_refusal (organization_id, id, refused_at, request_id, api_key_id, endpoint, model, status, code, message, refused_by)
    SELECT r.organization_id, r.id, r.refused_at, r.request_id, r.api_key_id, r.endpoint, r.model, r.status, r.code, r.message, r.refused_by
    FROM jsonb_to_recordset($1::jsonb) AS r (organization_id uuid, id uuid, refused_at timestamptz, request_id text, api_key_id uuid,
      endpoint text, model text, status int, code text, message text, refused_by jsonb)
    JOIN organization o ON o.id = r.organization_id`,
};

const PURGE_OLD = { name: 'weir-refusals-purge-old', text: `DELETE FROM request_refusal WHERE refused_at < now() - interval '7 days'` };

const PURGE_MANY = {
  name: 'weir-refusals-purge-many',
  text: `DELETE FROM request_refusal r USING (
      SELECT organization_id, id FROM (
        SELECT organization_id, id, row_number() OVER (PARTITION BY organization_id ORDER BY refused_at DESC, id DESC) AS place FROM request_refusal
      ) placed WHERE place > 10000
    ) late WHERE r.organization_id = late.organization_id AND r.id = late.id`,
};

export function createRefusalStore(pool: Pool): RefusalStore {
  return {
    write: async (refusals) => {
      const rows = refusals.map((one) => ({
        organization_id: one.organizationId,
        id: randomUUID(),
        refused_at: new Date(one.atMs).toISOString(),
        request_id: one.requestId,
        api_key_id: one.apiKeyId,
        endpoint: one.endpoint,
        model: one.model,
        status: one.status,
        code: one.code,
        message: one.message,
        refused_by: one.limit,
      }));
      await pool.query({ ...WRITE, values: [JSON.stringify(rows)] });
    },
    purge: async () => {
      await pool.query(PURGE_OLD);
      await pool.query(PURGE_MANY);
    },
  };
}
