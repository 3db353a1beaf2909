import type { createApiKeyBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { administersGroup, isAdministrator } from '../records/administrators';
import type { NewApiKey } from '../records/insert-api-key';
import { notFound } from '../records/require-id';
import type { Call } from '../route/route';
import type { z } from 'zod';
import { forbidden, type LimitedAuthority } from '../route/authority';
import { readCallingKey, type CallingKey } from './calling-key';

type Body = z.output<typeof createApiKeyBody>;
type Asked = Call<Body> & { readonly authority: LimitedAuthority };

/** What the caller's roles make of the key that was asked for. */
type KeyOwner = Pick<NewApiKey, 'userId' | 'groupId' | 'accessListId'>;

/**
 * Whose a new key is, and in which group. The organization's administrators decide freely; everybody else makes keys that
 * infer: for themself in a group of theirs, and administrators of a group for its members, in it. Such a key is under
 * the limits and lists of its group, so that making keys is no way around them.
 */
export async function planKeyOwner(tx: Prisma.TransactionClient, call: Call<Body>): Promise<KeyOwner> {
  const { authority, body } = call;
  const accessListId = body.access_list_id ?? null;
  if (authority.kind === 'organization-admin')
    return { userId: body.member_id ?? authority.userId, groupId: body.group_id ?? null, accessListId };
  const asked = { ...call, authority };
  const userId = body.member_id ?? authority.userId;
  const held = await readCallingKey(tx, asked);
  checkPermissions(asked);
  const groupId = userId === authority.userId ? pickOwnGroup(asked) : await pickGroupOf(tx, asked, userId);
  return { userId, groupId, accessListId: narrowList(accessListId, held) };
}

/** To make a key that infers takes the permission to manage, not that to infer: the two are given apart. */
function checkPermissions({ body }: Asked): void {
  const { manage = 'none', contents = 'none' } = body.permissions ?? {};
  if (manage !== 'none')
    throw forbidden(
      'Only administrators of the organization may make API keys with management permissions; send `permissions.manage` "none".',
    );
  if (contents !== 'none')
    throw forbidden(
      'Only administrators of the organization may make API keys that read contents of requests; send `permissions.contents` "none".',
    );
  if (body.priority === 'high' || (body.share ?? 1) > 1)
    throw forbidden('Only administrators of the organization may make API keys with a high `priority` or a `share` above 1.');
}

/** The list that binds the calling key binds the keys it makes. */
function narrowList(asked: string | null, { accessListId, isSession }: CallingKey): string | null {
  if (isSession || accessListId === null || asked === accessListId) return asked;
  if (asked !== null) throw forbidden('This API key has an access list; keys that it makes have the same one.');
  return accessListId;
}

function pickOwnGroup({ authority, body }: Asked): string | null {
  return pickGroup(authority.memberOf, body.group_id, 'you are in');
}

async function pickGroupOf(tx: Prisma.TransactionClient, { authority, organizationId, body }: Asked, userId: string): Promise<string> {
  if (authority.kind !== 'group-admin') throw forbidden('Only administrators may make API keys for other members; leave `member_id` out.');
  const groupId = pickGroup(authority.adminOf, body.group_id, 'you administer');
  const isInGroup = groupId !== null && (await tx.groupMember.count({ where: { groupId, userId, isActive: true } })) > 0;
  if (groupId === null || !isInGroup) throw notFound('member', userId);
  if (await isAdministrator(tx, { organizationId, userId }))
    throw forbidden('That member is an administrator of the organization, who alone may make API keys for them.');
  if (await administersGroup(tx, { groupId, userId }))
    throw forbidden('That member administers the group too; only administrators of the organization may make API keys for them.');
  return groupId;
}

/** Without a word the only one there is; null where there is none. */
function pickGroup(groupIds: readonly string[], asked: string | null | undefined, which: string): string | null {
  if (asked !== null && asked !== undefined) {
    const id = asked.toLowerCase();
    if (!groupIds.includes(id)) throw notFound('group', asked);
    return id;
  }
  if (groupIds.length > 1)
    throw new GatewayError('invalid_request', `\`group_id\` is required: the group, of those ${which}, that the API key belongs to.`, {
      field: 'group_id',
    });
  return groupIds[0] ?? null;
}
