import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { RouteParts } from '../../route/management-parts';
import { checkMayDecideAbout } from '../../authority/check-group-change';
import { ok, type RouteResponse, type Call } from '../../route/route';
import { changeGroup, describeGroupDetail, type GroupRow } from '../../records/groups';
import { isUuid, notFound, requireId } from '../../records/require-id';

type MemberColumns = Prisma.GroupMemberUpdateManyMutationInput;
type MemberPlace = { readonly tx: Prisma.TransactionClient; readonly groupId: string; readonly userId: string; readonly group: GroupRow };

type MemberChange = {
  readonly action: string;
  readonly userId: string;
  readonly apply: (tx: Prisma.TransactionClient, at: { groupId: string; userId: string; group: GroupRow }) => Promise<void>;
};

/** Changes one member of a group; the response has the changed group, as all member endpoints do. */
export async function changeGroupMember(parts: RouteParts, call: Call<unknown>, change: MemberChange): Promise<RouteResponse> {
  const { action, userId, apply } = change;
  const id = requireId(call.params['id'], 'group');
  // A member's rate holds over all of their keys, of other groups and of none.
  const group = await changeGroup(parts, { ...call, action, id, reachesAllKeys: true }, async (tx, before) => {
    if (!isUuid(userId)) throw notFound('member', userId);
    const at = { groupId: id, userId: userId.toLowerCase(), group: before };
    await checkMayDecideAbout(tx, call, at);
    await apply(tx, at);
    return {};
  });
  return ok({ group: await describeGroupDetail(parts, call.organizationId, group) });
}

/** The same for a member who must be in the group already. */
export function updateGroupMember(
  parts: RouteParts,
  call: Call<unknown>,
  update: { action: string; plan: (at: MemberPlace) => MemberColumns | Promise<MemberColumns> },
): Promise<RouteResponse> {
  return changeGroupMember(parts, call, {
    action: update.action,
    userId: call.params['member_id'] ?? '',
    apply: async (tx, { groupId, userId, group }) => {
      const data = await update.plan({ tx, groupId, userId, group });
      const { count } = await tx.groupMember.updateMany({ where: { groupId, userId }, data });
      if (count === 0) throw notInGroup(userId);
    },
  });
}

/** Somebody the organization may well have, but not in this group. */
export function notInGroup(userId: string): GatewayError {
  return new GatewayError('not_found', `The group has no member "${userId.slice(0, 100)}".`);
}
