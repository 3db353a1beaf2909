import type { Prisma } from '@weir/database';
import type { AuditActor } from '../../route/audit-actor';
import type { ChangeCaller } from '../../changes/run-change';
import { changeGroup } from '../../records/groups';
import { isUuid } from '../../records/require-id';
import type { ManagementParts } from '../../route/management-parts';
import type { GroupGrant } from '@weir/config';

type Following = Omit<ChangeCaller, 'action' | 'principal'> & {
  readonly actor: AuditActor;
  readonly userId: string;
  readonly groups: readonly GroupGrant[];
};

const SOURCE = 'oidc';

type Step = { readonly id: string; readonly action: string; readonly apply: (tx: Prisma.TransactionClient) => Promise<unknown> };

/**
 * Makes a member's groups what the claims say, as far as claims have put them there: who was put into a group by hand or by a
 * directory stays in it as they are. Groups that are not there are reported to the operator, whose settings name them.
 */
export async function followGroups(parts: ManagementParts, { userId, groups, ...caller }: Following): Promise<void> {
  const { organizationId } = caller;
  const names = groups.map(({ name }) => name);
  const found = await parts.database.asOrganization(organizationId).transact((tx) =>
    tx.userGroup.findMany({
      where: {
        organizationId,
        OR: [{ name: { in: names } }, { id: { in: names.filter(isUuid) } }, { members: { some: { userId, source: SOURCE } } }],
      },
      select: { id: true, name: true, members: { where: { userId }, select: { source: true, role: true } } },
    }),
  );
  const grantOf = (group: { id: string; name: string }): GroupGrant | undefined =>
    groups.find(({ name }) => name === group.name || name.toLowerCase() === group.id);
  const missing = groups.filter((grant) => !found.some((group) => grantOf(group) === grant)).map(({ name }) => name);
  if (missing.length > 0) parts.log.warn({ organizationId, groups: missing }, 'CONSOLE_OIDC_ROLES names groups that are not there');
  for (const group of found) {
    const step = planStep({ id: group.id, userId, grant: grantOf(group), held: group.members[0] });
    if (step === undefined) continue;
    await changeGroup(parts, { ...caller, action: step.action, id: group.id, reachesAllKeys: true }, async (tx) => {
      await step.apply(tx);
      return {};
    });
  }
}

type Place = {
  readonly id: string;
  readonly userId: string;
  readonly grant: GroupGrant | undefined;
  readonly held: { readonly source: string; readonly role: string } | undefined;
};

/** What has to be done about one group; undefined: nothing. */
function planStep({ id, userId, grant, held }: Place): Step | undefined {
  const key = { groupId: id, userId };
  if (held === undefined) {
    if (grant === undefined) return undefined;
    const create = { ...key, role: grant.role, source: SOURCE };
    return { id, action: 'add-group-member', apply: (tx) => tx.groupMember.upsert({ where: { groupId_userId: key }, create, update: {} }) };
  }
  if (held.source !== SOURCE || held.role === grant?.role) return undefined;
  const where = { ...key, source: SOURCE };
  if (grant === undefined) return { id, action: 'remove-group-member', apply: (tx) => tx.groupMember.deleteMany({ where }) };
  return { id, action: 'set-group-member-role', apply: (tx) => tx.groupMember.updateMany({ where, data: { role: grant.role } }) };
}
