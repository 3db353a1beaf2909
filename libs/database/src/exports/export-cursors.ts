import type { Pool } from 'pg';

export type ExportStream = 'audit' | 'usage';

/** Whose turn it is: of several processes one exports a log at a time. */
export type ExportLease = { readonly stream: ExportStream; readonly owner: string; readonly leaseMs: number };

/** A new cursor begins with what comes after it was made: what is in the logs by then is read where logs are read. */
const BEGIN = {
  audit: `INSERT INTO export_cursor (stream, position) SELECT 'audit', coalesce(max(sequence), 0) FROM audit_log ON CONFLICT DO NOTHING`,
  usage: `WITH begun AS (INSERT INTO export_cursor (stream) VALUES ('usage') ON CONFLICT DO NOTHING RETURNING stream)
    INSERT INTO usage_exported (writer_id, exported) SELECT writer_id, seen FROM usage_writer, begun ON CONFLICT DO NOTHING`,
} as const;

const CLAIM = {
  name: 'weir-claim-export',
  text: `UPDATE export_cursor SET leased_by = $2::uuid, leased_until = now() + $3::bigint * interval '1 millisecond'
    WHERE stream = $1 AND (leased_by = $2::uuid OR leased_until IS NULL OR leased_until < now()) RETURNING position::text AS position`,
};

/** Takes or prolongs a lease; returns the cursor, or undefined while another process has it. */
export async function claimExport(pool: Pool, { stream, owner, leaseMs }: ExportLease): Promise<bigint | undefined> {
  const claim = async (): Promise<{ position: string } | undefined> =>
    (await pool.query<{ position: string }>({ ...CLAIM, values: [stream, owner, leaseMs] })).rows[0];
  const claimed = await claim();
  if (claimed !== undefined) return BigInt(claimed.position);
  await pool.query(BEGIN[stream]);
  const begun = await claim();
  return begun === undefined ? undefined : BigInt(begun.position);
}

const RELEASE = {
  name: 'weir-release-export',
  text: 'UPDATE export_cursor SET leased_by = NULL, leased_until = NULL WHERE stream = $1 AND leased_by = $2::uuid',
};

/** Lets another process go on at once. */
export async function releaseExport(pool: Pool, { stream, owner }: Pick<ExportLease, 'stream' | 'owner'>): Promise<void> {
  await pool.query({ ...RELEASE, values: [stream, owner] });
}
