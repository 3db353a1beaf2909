import type { AuditParameters } from '@weir/contracts';
import { Prisma } from '@weir/database';
import { escapeLike } from './pages';
import { isUuid } from './require-id';

type AuditRow = Prisma.AuditLogGetPayload<object>;

export type AuditFilter = Omit<AuditParameters, 'cursor' | 'limit'>;

type AuditQuestion = {
  readonly organizationId: string;
  readonly filter: AuditFilter;
  readonly cursor: string | undefined;
  readonly limit: number;
};

/** `next` is the `cursor` of the following page, null on the last. */
export type AuditPage = { readonly rows: readonly AuditRow[]; readonly next: string | null };

/** So many entries are looked at for one page: a filter that few of them fit costs no more than one that all of them do. */
const LOOKED_AT_MAX = 20_000;
/** Of what was changed: a list of a thousand names is in every entry about it, and writing them takes time that others wait for. */
const PAGE_BYTES_MAX = 1024 * 1024;
const NO_END = 2n ** 63n - 1n;

/** Entries that fit a filter, newest first. A page can be short, or empty, and not be the last. */
export async function listAuditRows(tx: Prisma.TransactionClient, question: AuditQuestion): Promise<AuditPage> {
  const { organizationId, filter, limit } = question;
  const before = question.cursor === undefined ? NO_END : BigInt(question.cursor);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const floor = isFiltered ? await findFloor(tx, organizationId, before) : undefined;
  const found = await tx.$queryRaw<{ sequence: bigint; bytes: number }[]>`SELECT sequence,
      coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) AS bytes FROM audit_log
    WHERE organization_id = ${organizationId}::uuid AND sequence < ${before} AND sequence >= ${floor ?? 0n}${conditionsOf(filter)}
    ORDER BY sequence DESC LIMIT ${limit + 1}`;
  const wanted = found.slice(0, Math.min(limit, countWithin(found))).map(({ sequence }) => sequence);
  const rows = await tx.auditLog.findMany({ where: { organizationId, sequence: { in: wanted } }, orderBy: { sequence: 'desc' } });
  const last = found.length > wanted.length ? wanted.at(-1) : floor;
  return { rows, next: last === undefined ? null : String(last) };
}

/** How many of the first entries are read at once: at least one, whatever it holds. */
function countWithin(found: readonly { readonly bytes: number }[]): number {
  let bytes = 0;
  const beyond = found.findIndex((entry) => (bytes += entry.bytes) > PAGE_BYTES_MAX);
  return beyond === -1 ? found.length : Math.max(1, beyond);
}

/** The oldest entry that is looked at; undefined when all of them are. */
async function findFloor(tx: Prisma.TransactionClient, organizationId: string, before: bigint): Promise<bigint | undefined> {
  const [last, beyond] = await tx.$queryRaw<{ sequence: bigint }[]>`SELECT sequence FROM audit_log
    WHERE organization_id = ${organizationId}::uuid AND sequence < ${before} ORDER BY sequence DESC OFFSET ${LOOKED_AT_MAX - 1} LIMIT 2`;
  return beyond === undefined ? undefined : last?.sequence;
}

function conditionsOf(filter: AuditFilter): Prisma.Sql {
  const all = [
    ...equals(Prisma.sql`actor_id`, filter.actor),
    ...equals(Prisma.sql`actor_kind`, filter.actor_kind),
    ...equals(Prisma.sql`action`, filter.action),
    ...equals(Prisma.sql`target_id`, filter.target),
    ...equals(Prisma.sql`target_kind`, filter.target_kind),
    ...(filter.start === undefined ? [] : [Prisma.sql`at >= ${filter.start}::timestamptz`]),
    ...(filter.end === undefined ? [] : [Prisma.sql`at < ${filter.end}::timestamptz`]),
    ...(filter.search === undefined ? [] : [containsText(filter.search)]),
  ];
  return all.length === 0 ? Prisma.empty : Prisma.sql` AND ${Prisma.join(all, ' AND ')}`;
}

function equals(column: Prisma.Sql, value: string | undefined): Prisma.Sql[] {
  return value === undefined ? [] : [Prisma.sql`${column} = ${value}`];
}

function containsText(search: string): Prisma.Sql {
  const inText = `%${escapeLike(search)}%`;
  // As JSON writes it: a quotation mark has a backslash before it there.
  const inJson = `%${escapeLike(JSON.stringify(search).slice(1, -1))}%`;
  return Prisma.sql`(concat_ws(' ', action, target_kind, target_id, actor_id, request_id, ip) ILIKE ${inText}
    OR before::text ILIKE ${inJson} OR after::text ILIKE ${inJson})`;
}

/** What actors are called now, by id: a key by its name, a person by the address. What is gone has no name. */
export async function nameActors(
  tx: Prisma.TransactionClient,
  organizationId: string,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ actorId }) => actorId ?? undefined).filter(isUuid))];
  const keys = await tx.apiKey.findMany({ where: { organizationId, id: { in: ids } }, select: { id: true, name: true } });
  const people = await tx.orgMember.findMany({ where: { organizationId, userId: { in: ids } }, include: { user: true } });
  return new Map([...keys.map(({ id, name }) => [id, name] as const), ...people.map(({ userId, user }) => [userId, user.email] as const)]);
}

export type DescribedEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string | null };
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
  readonly ip: string | null;
};

export function describeAuditRow(row: AuditRow, names: ReadonlyMap<string, string>): DescribedEntry {
  return {
    id: String(row.sequence),
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: names.get(row.actorId ?? '') ?? null },
    action: row.action,
    target: { kind: row.targetKind, id: row.targetId },
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    ip: row.ip,
  };
}
