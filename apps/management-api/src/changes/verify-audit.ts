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
  /** Whether a row of it, unchanged, has the hash that was noted elsewhere; undefined where none was given. */
  readonly hasNotedHead: boolean | undefined;
};

/** What is looked at; all of it unless told. */
export type AuditQuestion = {
  readonly organizationId?: string;
  /** Hexadecimal hash of what was the newest row once, of `organizationId`. */
  readonly notedHead?: string;
};

export type BrokenRow = { readonly sequence: bigint; readonly why: 'changed' | 'unchained' };

const ROWS_AT_ONCE = 1_000;

/** Computes every hash of the audit logs anew: of one organization, or of all that have one. */
export async function verifyAudit(
  { prisma }: Pick<Database, 'prisma'>,
  { organizationId, notedHead }: AuditQuestion = {},
): Promise<readonly AuditVerdict[]> {
  // Of a log of which nothing is left there is still something to say.
  if (organizationId !== undefined && notedHead !== undefined) return [await verifyChain(prisma, organizationId, notedHead)];
  const where = organizationId === undefined ? {} : { organizationId };
  const found = await prisma.auditLog.groupBy({ by: ['organizationId'], where, orderBy: { organizationId: 'asc' } });
  const verdicts: AuditVerdict[] = [];
  for (const each of found) verdicts.push(await verifyChain(prisma, each.organizationId));
  return verdicts;
}

async function verifyChain(prisma: Database['prisma'], organizationId: string, notedHead?: string): Promise<AuditVerdict> {
  const broken: BrokenRow[] = [];
  let isNotedSeen = false;
  let rows = 0;
  let last: AuditRow | undefined;
  for (let page: AuditRow[] | undefined; page === undefined || page.length === ROWS_AT_ONCE;) {
    page = await readPage(prisma, organizationId, last);
    for (const row of page) {
      const why = findBreak(row, last);
      if (why !== undefined) broken.push({ sequence: row.sequence, why });
      if (why !== 'changed' && toHex(row.hash) === notedHead) isNotedSeen = true;
      last = row;
    }
    rows += page.length;
  }
  const head = { sequence: last?.sequence ?? 0n, hash: toHex(last?.hash ?? null) };
  return { organizationId, rows, head, broken, hasNotedHead: notedHead === undefined ? undefined : isNotedSeen };
}

function readPage(prisma: Database['prisma'], organizationId: string, after: AuditRow | undefined): Promise<AuditRow[]> {
  return prisma.auditLog.findMany({
    where: { organizationId, ...(after === undefined ? {} : { sequence: { gt: after.sequence } }) },
    orderBy: { sequence: 'asc' },
    take: ROWS_AT_ONCE,
  });
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
