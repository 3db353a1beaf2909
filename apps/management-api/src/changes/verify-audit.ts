import type { Database, Prisma } from '@weir/database';
import { hashAuditRow, type AuditEntry } from './append-audit';

type AuditRow = Prisma.AuditLogGetPayload<object>;

/** What one organization's audit log says of itself. */
export type AuditVerdict = {
  readonly organizationId: string;
  readonly rows: number;
  /** The newest row: whoever notes its hash elsewhere also sees when rows were taken off the end. */
  readonly head: { readonly sequence: bigint; readonly hash: string };
  /** Rows that are not as they were written, or do not follow the row before them. */
  readonly broken: readonly BrokenRow[];
};

export type BrokenRow = { readonly sequence: bigint; readonly why: 'changed' | 'unchained' };

const ROWS_AT_ONCE = 1_000;

/** Computes every hash of the audit logs anew: of one organization, or of all that have one. */
export async function verifyAudit({ prisma }: Pick<Database, 'prisma'>, organizationId?: string): Promise<readonly AuditVerdict[]> {
  const where = organizationId === undefined ? {} : { organizationId };
  const found = await prisma.auditLog.groupBy({ by: ['organizationId'], where, orderBy: { organizationId: 'asc' } });
  const verdicts: AuditVerdict[] = [];
  for (const each of found) verdicts.push(await verifyChain(prisma, each.organizationId));
  return verdicts;
}

async function verifyChain(prisma: Database['prisma'], organizationId: string): Promise<AuditVerdict> {
  const broken: BrokenRow[] = [];
  let rows = 0;
  let last: AuditRow | undefined;
  for (;;) {
    const page: AuditRow[] = await prisma.auditLog.findMany({
      where: { organizationId, ...(last === undefined ? {} : { sequence: { gt: last.sequence } }) },
      orderBy: { sequence: 'asc' },
      take: ROWS_AT_ONCE,
    });
    for (const row of page) {
      const why = findBreak(row, last);
      if (why !== undefined) broken.push({ sequence: row.sequence, why });
      last = row;
    }
    rows += page.length;
    if (page.length < ROWS_AT_ONCE) break;
  }
  const head = { sequence: last?.sequence ?? 0n, hash: toHex(last?.hash ?? null) };
  return { organizationId, rows, head, broken };
}

/** `unchained`: the row before it, or one between them, is not the one it was written after. */
function findBreak(row: AuditRow, before: AuditRow | undefined): BrokenRow['why'] | undefined {
  const { hash, previousHash, sequence: _, at, ...entry } = row;
  if (toHex(hash) !== toHex(hashAuditRow(entry as AuditEntry, at, previousHash))) return 'changed';
  return toHex(previousHash) === toHex(before?.hash ?? null) ? undefined : 'unchained';
}

function toHex(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}
