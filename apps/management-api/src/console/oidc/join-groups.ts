import { changeGroup } from '../../records/groups';
import { isUuid } from '../../records/require-id';
import type { ChangeCaller } from '../../changes/run-change';
import type { ManagementParts } from '../../route/management-parts';

type Joining = Omit<ChangeCaller, 'action'> & {
  readonly actor: { readonly kind: 'operator'; readonly id: string };
  readonly userId: string;
  /** Names or ids of groups of the organization. */
  readonly groups: readonly string[];
};

/**
 * Adds a member to the groups that the settings name. No one is taken out of a group: their limit there would end with it.
 * Groups that are not there are reported to the operator, whose settings name them.
 */
export async function joinGroups(parts: ManagementParts, { userId, groups, ...caller }: Joining): Promise<void> {
  if (groups.length === 0) return;
  const { organizationId } = caller;
  const found = await parts.database.asOrganization(organizationId).transact((tx) =>
    tx.userGroup.findMany({
      where: { organizationId, OR: [{ name: { in: [...groups] } }, { id: { in: groups.filter(isUuid) } }] },
      select: { id: true, name: true, members: { where: { userId }, select: { userId: true } } },
    }),
  );
  const missing = groups.filter((group) => !found.some(({ id, name }) => name === group || id === group.toLowerCase()));
  if (missing.length > 0) parts.log.warn({ organizationId, groups: missing }, 'CONSOLE_OIDC_ROLES names groups that are not there');
  for (const { id, members } of found) {
    if (members.length > 0) continue;
    await changeGroup(parts, { ...caller, action: 'add-group-member', id, reachesAllKeys: true }, async (tx) => {
      const key = { groupId: id, userId };
      await tx.groupMember.upsert({ where: { groupId_userId: key }, create: { ...key, role: 'member' }, update: {} });
      return {};
    });
  }
}
