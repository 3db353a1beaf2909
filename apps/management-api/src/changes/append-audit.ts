import { createHash } from 'node:crypto';
import { Prisma } from '@weir/database';
import { canonicalJson } from '@weir/http-server';
import type { AuditActor } from '../route/audit-actor';

export type AuditEntry = {
  readonly organizationId: string;
  readonly actorKind: AuditActor['kind'];
  readonly actorId: string;
  /** The id of the endpoint. */
  readonly action: string;
  readonly targetKind:
    | 'api-key'
    | 'group'
    | 'access-list'
    | 'member'
    | 'organization'
    | 'provider-credential'
    | 'policy'
    | 'alias'
    | 'guardrail'
    | 'limit'
    | 'alert'
    | 'finance'
    | 'request';
  readonly targetId: string;
  /** Plain JSON without secrets. */
  readonly before: Prisma.InputJsonObject | null;
  readonly after: Prisma.InputJsonObject | null;
  readonly requestId: string;
  readonly ip: string | null;
};

/**
 * Appends to the organization's audit log. Every row's hash covers the row before it, so a row that was changed or taken
 * out later shows; the lock makes the chain one line.
 */
export async function appendAudit(tx: Prisma.TransactionClient, entry: AuditEntry, atMs: number): Promise<void> {
  const { organizationId } = entry;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`audit:${organizationId}`}, 0))`;
  const last = await tx.auditLog.findFirst({ where: { organizationId }, orderBy: { sequence: 'desc' }, select: { hash: true } });
  const previousHash = last?.hash ?? null;
  const at = new Date(atMs);
  await tx.auditLog.create({
    data: {
      ...entry,
      at,
      before: entry.before ?? Prisma.DbNull,
      after: entry.after ?? Prisma.DbNull,
      previousHash,
      hash: new Uint8Array(hashAuditRow(entry, at, previousHash)),
    },
  });
}

/** What a row's hash must be: of all that is in it, and of the row before it. */
export function hashAuditRow(entry: AuditEntry, at: Date, previousHash: Uint8Array | null): Buffer {
  const hash = createHash('sha256');
  if (previousHash !== null) hash.update(previousHash);
  return hash.update(canonicalJson({ ...entry, at: at.toISOString() })).digest();
}
