import type { Pool } from 'pg';

/** A change of the audit log, as `GET /v1/manage/audit` shows it. */
export type AuditExportRow = {
  readonly sequence: bigint;
  readonly organizationId: string;
  readonly atMs: number;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string | null;
  readonly ip: string | null;
};

/**
 * Rows get their sequence before their transaction ends, so a lower one may come to be seen after a higher one. What is
 * up to `newest` is whole once every transaction has ended that ran when the mark was taken: those below `next`.
 */
export type AuditMark = { readonly newest: bigint; readonly next: bigint; readonly oldestRunning: bigint };

const READ_MARK = {
  name: 'weir-audit-export-mark',
  text: `SELECT coalesce(max(sequence), 0)::text AS newest, pg_snapshot_xmax(pg_current_snapshot())::text AS next,
    pg_snapshot_xmin(pg_current_snapshot())::text AS oldest FROM audit_log`,
};

export async function readAuditMark(pool: Pool): Promise<AuditMark> {
  const { rows } = await pool.query<{ newest: string; next: string; oldest: string }>(READ_MARK);
  const { newest = '0', next = '0', oldest = '0' } = rows[0] ?? {};
  return { newest: BigInt(newest), next: BigInt(next), oldestRunning: BigInt(oldest) };
}

const READ_ROWS = {
  name: 'weir-audit-export-rows',
  text: `SELECT sequence::text AS sequence, organization_id, floor(extract(epoch FROM at) * 1000)::text AS at_ms, actor_kind, actor_id, action,
      target_kind, target_id, before, after, request_id, ip
    FROM audit_log WHERE sequence > $1::bigint AND sequence <= $2::bigint ORDER BY sequence LIMIT $3`,
};

type Row = {
  readonly sequence: string;
  readonly organization_id: string;
  readonly at_ms: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
  readonly ip: string | null;
};

type Span = { readonly after: bigint; readonly upTo: bigint; readonly limit: number };

export async function readAuditRows(pool: Pool, { after, upTo, limit }: Span): Promise<AuditExportRow[]> {
  const { rows } = await pool.query<Row>({ ...READ_ROWS, values: [String(after), String(upTo), limit] });
  return rows.map((row) => ({
    sequence: BigInt(row.sequence),
    organizationId: row.organization_id,
    atMs: Number(row.at_ms),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    action: row.action,
    targetKind: row.target_kind,
    targetId: row.target_id,
    before: row.before,
    after: row.after,
    requestId: row.request_id,
    ip: row.ip,
  }));
}

const ADVANCE = {
  name: 'weir-audit-export-advance',
  text: `UPDATE export_cursor SET position = greatest(position, $2::bigint), updated_at = now() WHERE stream = 'audit' AND leased_by = $1::uuid`,
};

/** Notes that everything up to a sequence was taken. */
export async function advanceAuditExport(pool: Pool, owner: string, upTo: bigint): Promise<void> {
  await pool.query({ ...ADVANCE, values: [owner, String(upTo)] });
}
