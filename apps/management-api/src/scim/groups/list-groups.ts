import type { Prisma } from '@weir/database';
import { isUuid } from '../../records/require-id';
import type { ScimDocument } from '../protocol/attribute';
import type { Filter } from '../protocol/filter';
import { GROUP_KIND } from '../protocol/group-kind';
import type { ListQuery } from '../protocol/list-query';
import { matchesFilter } from '../protocol/match-filter';
import { narrowFilter, type Equality } from '../protocol/narrow-filter';
import { parseFilter } from '../protocol/parse-filter';
import { refuse } from '../protocol/refusals';
import { wantsAttribute } from '../protocol/select-attributes';
import { describeGroup, withMembers } from './group-rows';

const SCANNED_MAX = 2_000;

type Page = { readonly total: number; readonly documents: readonly ScimDocument[] };

/** Groups of the organization, those that were there first first. */
export async function listGroups(tx: Prisma.TransactionClient, organizationId: string, query: ListQuery): Promise<Page> {
  const { startIndex, count } = query;
  const filter = query.filter === undefined ? undefined : parseFilter(GROUP_KIND, query.filter);
  const isPlain = filter === undefined;
  const where = { organizationId, AND: isPlain ? [] : narrowFilter(filter).flatMap((equality) => toCondition(equality) ?? []) };
  const hasMembers = needsMembers(query, filter);
  const include = hasMembers ? withMembers : { members: { ...withMembers.members, take: 0 } };
  const rows = await tx.userGroup.findMany({
    ...{ where, include, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    ...(isPlain ? { skip: startIndex - 1, take: count } : { take: SCANNED_MAX + 1 }),
  });
  const documents = rows.map((row) => describeGroup(row, { hasMembers }));
  if (isPlain) return { total: await tx.userGroup.count({ where }), documents };
  if (rows.length > SCANNED_MAX)
    throw refuse(
      'tooMany',
      `The filter would have to look at more than ${SCANNED_MAX} groups. Filter by displayName or externalId.`,
      'filter',
    );
  const found = documents.filter((document) => matchesFilter(filter, document));
  return { total: found.length, documents: found.slice(startIndex - 1, startIndex - 1 + count) };
}

/** There may be thousands in each. */
function needsMembers(query: ListQuery, filter: Filter | undefined): boolean {
  return wantsAttribute(GROUP_KIND, 'members', query) || (filter !== undefined && /"name":"members"/.test(JSON.stringify(filter)));
}

function toCondition({ name, value }: Equality): Prisma.UserGroupWhereInput | undefined {
  if (name === 'id') return isUuid(value) ? { id: value.toLowerCase() } : { id: { in: [] } };
  if (name === 'displayName') return { name: value };
  if (name === 'externalId') return { externalId: value };
  if (name !== 'members' && name !== 'members.value') return undefined;
  return isUuid(value) ? { members: { some: { userId: value.toLowerCase() } } } : { id: { in: [] } };
}
