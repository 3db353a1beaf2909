import type { Prisma } from '@weir/database';
import { isUuid } from '../../records/require-id';
import type { ScimDocument } from '../protocol/attribute';
import { SCIM_PATH } from '../protocol/describe-service';
import { makeEtag } from '../protocol/etag';
import { GROUP_KIND } from '../protocol/group-kind';
import { noResource } from '../protocol/refusals';
import { USER_KIND } from '../protocol/user-kind';

/** In the order in which they came. Those of the directory who are not active wait in it for when they are. */
export const withMembers = {
  members: { orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }] },
} as const satisfies Prisma.UserGroupInclude;

export type ScimGroupRow = Prisma.UserGroupGetPayload<{ include: typeof withMembers }>;

type Asked = { readonly organizationId: string; readonly id: string | undefined };

export async function getGroupRow(tx: Prisma.TransactionClient, { organizationId, id = '' }: Asked): Promise<ScimGroupRow> {
  if (!isUuid(id)) throw noResource('group', id);
  const row = await tx.userGroup.findFirst({ where: { id: id.toLowerCase(), organizationId }, include: withMembers });
  if (row === null) throw noResource('group', id);
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockGroupRow(tx: Prisma.TransactionClient, asked: Asked): Promise<ScimGroupRow> {
  const { organizationId, id = '' } = asked;
  if (isUuid(id))
    await tx.$queryRaw`SELECT 1 FROM user_group WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  return getGroupRow(tx, asked);
}

/** What of a group may be written. */
export function readGroup({ name, externalId, members }: ScimGroupRow): ScimDocument {
  return {
    displayName: name,
    ...(externalId === null ? {} : { externalId }),
    ...(members.length === 0 ? {} : { members: members.map(({ userId }) => ({ value: userId })) }),
  };
}

/** The whole resource; without a version where its members were not read, which are a part of it. */
export function describeGroup(row: ScimGroupRow, { hasMembers = true }: { readonly hasMembers?: boolean } = {}): ScimDocument {
  const members = row.members.map(({ userId }) => ({ value: userId, $ref: `${SCIM_PATH}${USER_KIND.path}/${userId}`, type: 'User' }));
  return {
    ...{ schemas: [GROUP_KIND.schema.id], id: row.id, ...(row.externalId === null ? {} : { externalId: row.externalId }) },
    meta: {
      ...{ resourceType: 'Group', created: row.createdAt.toISOString(), lastModified: row.updatedAt.toISOString() },
      ...{ location: `${SCIM_PATH}${GROUP_KIND.path}/${row.id}`, ...(hasMembers ? { version: describeGroupVersion(row) } : {}) },
    },
    displayName: row.name,
    ...(members.length === 0 ? {} : { members }),
  };
}

/** Changes of the group count up; who leaves the organization leaves its groups without one. */
export function describeGroupVersion({ version, members }: Pick<ScimGroupRow, 'version' | 'members'>): string {
  return makeEtag({ version, members: members.map(({ userId }) => userId) });
}
