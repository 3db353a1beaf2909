import type { Database, Prisma } from '@weir/database';
import { hashAuditRow, type AuditEntry } from './append-audit';

export type AuditRow = Prisma.AuditLogGetPayload<object>;

/** What one organization's audit log says of itself. */
type AuditVerdict = {
  readonly organizationId: string;
  readonly rows: number;
  /** The newest row. With its hash noted elsewhere, rows that are later taken off the end are noticed as well. */
  readonly head: { readonly sequence: bigint; readonly hash: string };
  /** Rows that are not as they were written, or do not follow the row before them. */
  readonly broken: readonly BrokenRow[];
  /** Rows that were added to it and are gone, by the count that the database keeps beside the log. */
  readonly missing: bigint;
  /** Whether the newest row that the database noted beside the log is there, unchanged. */
  readonly hasNewestRow: boolean;
  /** Whether a row of it, unchanged, has the hash that was noted elsewhere; undefined where none was given. */
  readonly hasNotedHead: boolean | undefined;
};

/** Which organization's log is verified; all of them by default. */
type AuditQuestion = {
  readonly organizationId?: string;
  /** Hexadecimal hash of what was the newest row once, of `organizationId`. */
  readonly notedHead?: string;
};

export type BrokenRow = { readonly sequence: bigint; readonly why: 'changed' | 'unchained' };

const ROWS_AT_ONCE = 1_000;

type Anchor = Prisma.LogAnchorGetPayload<object>;
const NO_ANCHOR: Pick<Anchor, 'rows' | 'newestSequence' | 'newestHash'> = { rows: 0n, newestSequence: null, newestHash: null };

/** Computes every hash of the audit logs anew: of one organization, or of all that have one. */
export async function verifyAudit(
  { prisma }: Pick<Database, 'prisma'>,
  { organizationId, notedHead }: AuditQuestion = {},
): Promise<readonly AuditVerdict[]> {
  // Of a log of which nothing is left there is still something to say.
  if (organizationId !== undefined && notedHead !== undefined) return [await verifyChain(prisma, organizationId, notedHead)];
  const where = organizationId === undefined ? {} : { organizationId };
  const found = await prisma.auditLog.groupBy({ by: ['organizationId'], where });
  const counted = await prisma.logAnchor.findMany({ where: { ...where, log: 'audit' }, select: { organizationId: true } });
  const verdicts: AuditVerdict[] = [];
  for (const id of [...new Set([...found, ...counted].map((row) => row.organizationId))].sort())
    verdicts.push(await verifyChain(prisma, id));
  return verdicts;
}

/** A log that is as it was written, as far as can be known from the database and from what was noted elsewhere. */
export function isWhole({ broken, missing, hasNewestRow, hasNotedHead }: AuditVerdict): boolean {
  return broken.length === 0 && missing === 0n && hasNewestRow && hasNotedHead !== false;
}

async function verifyChain(prisma: Database['prisma'], organizationId: string, notedHead?: string): Promise<AuditVerdict> {
  // Read first: of what was added before this, everything must be there.
  const anchor = await prisma.logAnchor.findUnique({ where: { organizationId_log: { organizationId, log: 'audit' } } });
  const read = createReading(anchor, notedHead);
  for (let page: AuditRow[] | undefined; page === undefined || page.length === ROWS_AT_ONCE;) {
    page = await readPage(prisma, organizationId, read.last());
    for (const row of page) read.take(row);
  }
  return { organizationId, ...read.conclude() };
}

type Reading = {
  last(): AuditRow | undefined;
  take(row: AuditRow): void;
  conclude(): Omit<AuditVerdict, 'organizationId'>;
};

/** What is learned of one log row by row, compared with what is noted beside it (null: nothing was ever added) and elsewhere. */
function createReading(anchor: Anchor | null, notedHead: string | undefined): Reading {
  const { rows: counted, newestSequence, newestHash } = anchor ?? NO_ANCHOR;
  const broken: BrokenRow[] = [];
  let isNotedSeen = false;
  let isNewestSeen = anchor === null;
  let rows = 0;
  let rowsOfCount = 0n;
  let last: AuditRow | undefined;
  return {
    last: () => last,
    take: (row) => {
      const why = findBreak(row, last);
      if (why !== undefined) broken.push({ sequence: row.sequence, why });
      const hash = why === 'changed' ? undefined : toHex(row.hash);
      if (hash === notedHead) isNotedSeen = true;
      if (row.sequence === newestSequence && hash === toHex(newestHash)) isNewestSeen = true;
      if (row.sequence <= (newestSequence ?? 0n)) rowsOfCount += 1n;
      rows += 1;
      last = row;
    },
    conclude: () => ({
      rows,
      head: { sequence: last?.sequence ?? 0n, hash: toHex(last?.hash ?? null) },
      broken,
      missing: counted - rowsOfCount,
      hasNewestRow: isNewestSeen,
      hasNotedHead: notedHead === undefined ? undefined : isNotedSeen,
    }),
  };
}

function readPage(prisma: Database['prisma'], organizationId: string, after: AuditRow | undefined): Promise<AuditRow[]> {
  return prisma.auditLog.findMany({
    where: { organizationId, ...(after === undefined ? {} : { sequence: { gt: after.sequence } }) },
    orderBy: { sequence: 'asc' },
    take: ROWS_AT_ONCE,
  });
}

/** `unchained`: the row before it, or one between them, is not the one it was written after. */
export function findBreak(row: AuditRow, before: Pick<AuditRow, 'hash'> | undefined): BrokenRow['why'] | undefined {
  const { hash, previousHash, sequence: _, at, ...entry } = row;
  if (toHex(hash) !== toHex(hashAuditRow(entry as AuditEntry, at, previousHash))) return 'changed';
  return toHex(previousHash) === toHex(before?.hash ?? null) ? undefined : 'unchained';
}

export function toHex(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}
