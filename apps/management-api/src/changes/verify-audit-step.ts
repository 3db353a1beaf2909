import type { Prisma } from '@weir/database';
import { findBreak, toHex, type AuditRow, type BrokenRow } from './verify-audit';

/** What one step found: the entries after `from` up to `last`. */
export type AuditStep = {
  readonly entries: number;
  readonly last: Pick<AuditRow, 'sequence' | 'at' | 'hash'> | undefined;
  readonly firstBroken: (BrokenRow & { readonly at: Date }) | undefined;
  /** Whether the log goes on after it. */
  readonly isLast: boolean;
};

/** How much of a log there must be, by what the database keeps beside it. */
export type AuditEnd = { readonly missing: bigint; readonly hasNewest: boolean };

const ROWS_AT_ONCE = 500;

type StepQuestion = { readonly organizationId: string; readonly from: bigint | undefined; readonly limit: number };

/** Computes the hashes of the next entries anew, oldest first. Undefined when there is no entry to go on from. */
export async function verifyAuditStep(tx: Prisma.TransactionClient, question: StepQuestion): Promise<AuditStep | undefined> {
  const { organizationId, from, limit } = question;
  const start = from === undefined ? undefined : await tx.auditLog.findFirst({ where: { organizationId, sequence: from } });
  if (start === null) return undefined;
  let before: AuditRow | undefined = start;
  let firstBroken: AuditStep['firstBroken'];
  for (let entries = 0; ;) {
    const rows: AuditRow[] = await tx.auditLog.findMany({
      where: { organizationId, ...(before === undefined ? {} : { sequence: { gt: before.sequence } }) },
      orderBy: { sequence: 'asc' },
      // One more shows whether the log goes on.
      take: Math.min(ROWS_AT_ONCE, limit - entries) + 1,
    });
    const taken = rows.slice(0, Math.min(ROWS_AT_ONCE, limit - entries));
    for (const row of taken) {
      const why = findBreak(row, before);
      if (why !== undefined) firstBroken ??= { sequence: row.sequence, at: row.at, why };
      before = row;
    }
    entries += taken.length;
    const isLast = rows.length === taken.length;
    if (isLast || entries >= limit) return { entries, last: before, firstBroken, isLast };
  }
}

/** Compares the log with its count. What is added between the two questions is not counted against it. */
export async function checkAuditEnd(tx: Prisma.TransactionClient, organizationId: string): Promise<AuditEnd> {
  const anchor = await tx.logAnchor.findUnique({ where: { organizationId_log: { organizationId, log: 'audit' } } });
  if (anchor === null) return { missing: 0n, hasNewest: true };
  const sequence = anchor.newestSequence ?? 0n;
  const rows = await tx.auditLog.count({ where: { organizationId, sequence: { lte: sequence } } });
  const newest = await tx.auditLog.findFirst({ where: { organizationId, sequence } });
  return { missing: anchor.rows - BigInt(rows), hasNewest: toHex(newest?.hash ?? null) === toHex(anchor.newestHash) };
}
