import { GatewayError } from '@weir/errors';
import type { Prisma } from '@weir/database';
import type { Change } from '../../changes/run-change';
import { isUuid } from '../../records/require-id';
import { isObject, type ScimDocument } from '../protocol/attribute';
import { refuseTaken, refuseValue } from '../protocol/refusals';
import { getGroupRow, type ScimGroupRow } from './group-rows';

type GroupWish = { readonly name: string; readonly externalId: string | null; readonly members: readonly string[] };
type Saved = Change<ScimGroupRow>;
type New = { readonly organizationId: string; readonly createdBy: string | null };

const NAME_CHARS_MAX = 200;

/** Reads a resource that was checked against its schema. */
export function readGroupWish({ displayName, externalId, members }: ScimDocument): GroupWish {
  if (typeof displayName !== 'string') throw refuseValue('displayName', 'is required');
  if (displayName.length > NAME_CHARS_MAX) throw refuseValue('displayName', `may have ${NAME_CHARS_MAX} characters at most`);
  return {
    ...{ name: displayName, externalId: typeof externalId === 'string' ? externalId : null },
    members: [...new Set((Array.isArray(members) ? (members as unknown[]) : []).map(readMember))],
  };
}

function readMember(member: unknown, index: number): string {
  const { value, type } = isObject(member) ? member : {};
  if (typeof type === 'string' && type.toLowerCase() !== 'user')
    throw refuseValue(`members.${index}.type`, 'must be "User": groups are in no groups');
  if (typeof value !== 'string' || !isUuid(value)) throw refuseValue(`members.${index}.value`, 'must be the id of a user');
  return value.toLowerCase();
}

export async function createGroup(
  tx: Prisma.TransactionClient,
  { organizationId, createdBy }: New,
  document: ScimDocument,
): Promise<Saved> {
  const { name, externalId, members } = readGroupWish(document);
  await checkName(tx, { organizationId, name });
  const { id } = await tx.userGroup.create({ data: { organizationId, name, externalId, createdBy } });
  const added = await addMembers(tx, { organizationId, id, userIds: members });
  const row = await getGroupRow(tx, { organizationId, id });
  return {
    result: row,
    audit: { targetKind: 'group', targetId: id, before: null, after: { name, external_id: externalId, added_members: added } },
    changed: [listConcerned(organizationId, id, members)],
  };
}

/** Makes a group what the directory wants it to be; the row is locked. Limits and roles of members who stay are as before. */
export async function saveGroup(tx: Prisma.TransactionClient, row: ScimGroupRow, document: ScimDocument): Promise<Saved> {
  const { id, organizationId } = row;
  const { name, externalId, members } = readGroupWish(document);
  if (name !== row.name) await checkName(tx, { organizationId, name });
  const present = new Set(row.members.map(({ userId }) => userId));
  const wanted = new Set(members);
  const removed = [...present].filter((userId) => !wanted.has(userId));
  if (removed.length > 0) await tx.groupMember.deleteMany({ where: { groupId: id, userId: { in: removed } } });
  const added = await addMembers(tx, { organizationId, id, userIds: members.filter((userId) => !present.has(userId)) });
  await tx.userGroup.update({ where: { id }, data: { name, externalId, version: { increment: 1 } } });
  return {
    result: await getGroupRow(tx, { organizationId, id }),
    audit: {
      ...{ targetKind: 'group', targetId: id, before: { name: row.name, external_id: row.externalId } },
      after: { name, external_id: externalId, added_members: added, removed_members: removed },
    },
    changed: [listConcerned(organizationId, id, [...added, ...removed])],
  };
}

/** Its keys would lose its limits and its access list with it, unnoticed. */
export async function deleteGroup(tx: Prisma.TransactionClient, { id, name, externalId, members }: ScimGroupRow): Promise<Change<void>> {
  const keys = await tx.apiKey.count({ where: { groupId: id, status: 'active' } });
  if (keys > 0) throw new GatewayError('conflict', `The group has ${keys} API keys; move or revoke them first.`);
  await tx.apiKey.updateMany({ where: { groupId: id }, data: { groupId: null } }); // revoked ones
  await tx.userGroup.delete({ where: { id } });
  const before = { name, external_id: externalId, members: members.map(({ userId }) => userId) };
  return {
    result: undefined,
    audit: { targetKind: 'group', targetId: id, before, after: null },
    changed: [{ entity: 'group', entityId: id }],
  };
}

type Added = { readonly organizationId: string; readonly id: string; readonly userIds: readonly string[] };

/** Somebody who is not active waits in the group for when they are. Throws for an id that is no member's of the organization. */
async function addMembers(tx: Prisma.TransactionClient, { organizationId, id, userIds }: Added): Promise<string[]> {
  if (userIds.length === 0) return [];
  // Held until the end, so that no one leaves the organization meanwhile and stays in the group.
  const held = await tx.$queryRaw<{ user_id: string; status: string }[]>`SELECT user_id::text, status FROM org_member
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${[...userIds]}::uuid[]) AND (status = 'active' OR deleted_at IS NULL)
    ORDER BY user_id FOR SHARE`;
  const statuses = new Map(held.map(({ user_id: userId, status }) => [userId, status]));
  const missing = userIds.find((userId) => !statuses.has(userId));
  if (missing !== undefined) throw refuseValue('members.value', `names no user of this organization: "${missing}"`);
  await tx.groupMember.createMany({
    data: userIds.map((userId) => ({ groupId: id, userId, source: 'scim', isActive: statuses.get(userId) === 'active' })),
  });
  return [...userIds];
}

async function checkName(tx: Prisma.TransactionClient, { organizationId, name }: { organizationId: string; name: string }): Promise<void> {
  if ((await tx.userGroup.count({ where: { organizationId, name } })) > 0) throw refuseTaken('displayName', name);
}

/** A member's rate holds over all of their keys, of other groups and of none. */
function listConcerned(organizationId: string, groupId: string, members: readonly string[]): Saved['changed'][number] {
  return members.length > 0 ? { entity: 'organization', entityId: organizationId } : { entity: 'group', entityId: groupId };
}
