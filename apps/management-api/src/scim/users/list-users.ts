import { Prisma } from '@weir/database';
import type { ScimDocument } from '../protocol/attribute';
import type { Filter } from '../protocol/filter';
import type { ListQuery } from '../protocol/list-query';
import { matchesFilter } from '../protocol/match-filter';
import { narrowFilter, type Equality } from '../protocol/narrow-filter';
import { parseFilter } from '../protocol/parse-filter';
import { refuse } from '../protocol/refusals';
import { USER_KIND } from '../protocol/user-kind';
import { describeUser } from './describe-user';
import { withGroups } from './user-rows';

/** Filters that the database cannot narrow look at so many members at most. */
const SCANNED_MAX = 10_000;
const BATCH = 500;

type Page = { readonly total: number; readonly documents: readonly ScimDocument[] };

/** Members of the organization as the directory sees them, those that were there first first. */
export async function listUsers(tx: Prisma.TransactionClient, organizationId: string, query: ListQuery): Promise<Page> {
  const filter = query.filter === undefined ? undefined : parseFilter(USER_KIND, query.filter);
  const seen = selectSeen(organizationId, filter);
  if (filter === undefined) {
    const [{ total } = { total: 0n }] = await tx.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total ${seen}`;
    return { total: Number(total), documents: await describe(tx, organizationId, await findIds(tx, seen, query)) };
  }
  const ids = await findIds(tx, seen, { startIndex: 1, count: SCANNED_MAX + 1 });
  if (ids.length > SCANNED_MAX)
    throw refuse('tooMany', `The filter would have to look at more than ${SCANNED_MAX} users. Filter by userName or externalId.`, 'filter');
  const page: ScimDocument[] = [];
  let total = 0;
  for (let from = 0; from < ids.length; from += BATCH) {
    const found = (await describe(tx, organizationId, ids.slice(from, from + BATCH))).filter((one) => matchesFilter(filter, one));
    for (const document of found) {
      total += 1;
      if (total >= query.startIndex && page.length < query.count) page.push(document);
    }
  }
  return { total, documents: page };
}

async function findIds(
  tx: Prisma.TransactionClient,
  seen: Prisma.Sql,
  { startIndex, count }: Pick<ListQuery, 'startIndex' | 'count'>,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ user_id: string }[]>`
    SELECT m.user_id ${seen} ORDER BY m.created_at, m.user_id LIMIT ${count} OFFSET ${startIndex - 1}`;
  return rows.map(({ user_id: id }) => id);
}

async function describe(tx: Prisma.TransactionClient, organizationId: string, ids: readonly string[]): Promise<ScimDocument[]> {
  if (ids.length === 0) return [];
  const rows = await tx.orgMember.findMany({
    where: { organizationId, userId: { in: [...ids] } },
    include: withGroups(organizationId),
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  });
  return rows.map(describeUser);
}

function selectSeen(organizationId: string, filter: Filter | undefined): Prisma.Sql {
  const conditions = (filter === undefined ? [] : narrowFilter(filter)).flatMap((equality) => toCondition(equality) ?? []);
  const all = [
    Prisma.sql`m.organization_id = ${organizationId}::uuid`,
    Prisma.sql`(m.status = 'active' OR m.deleted_at IS NULL)`,
    ...conditions,
  ];
  return Prisma.sql`FROM org_member m JOIN user_account u ON u.id = m.user_id WHERE ${Prisma.join(all, ' AND ')}`;
}

/** What of a filter an index, or Postgres at least, can look for. */
function toCondition({ name, value }: Equality): Prisma.Sql | undefined {
  const lower = value.toLowerCase();
  if (name === 'id') return Prisma.sql`m.user_id::text = ${lower}`;
  if (name === 'externalId') return Prisma.sql`m.external_id = ${value}`;
  if (name === 'userName') return Prisma.sql`(m.user_name = ${lower} OR (m.user_name IS NULL AND u.email = ${lower}))`;
  if (name !== 'emails' && name !== 'emails.value') return undefined;
  return Prisma.sql`CASE WHEN m.profile IS NULL THEN u.email = ${lower} ELSE EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(m.profile -> 'emails') WHEN 'array' THEN m.profile -> 'emails' ELSE '[]' END) e
    WHERE lower(e ->> 'value') = ${lower}) END`;
}
