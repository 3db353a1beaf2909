import type { Prisma } from '@weir/database';
import { isInGroupMode, listGroups, type GroupRow } from '../../records/groups';
import { readLabels } from '../../records/label-sets';
import { limitToUsd } from '../../records/usd';
import { EVERYTHING } from '../../records/pages';
import type { FoundObject, Reading } from './found-object';

const EVERYONE = { kind: 'organization-admin', userId: null } as const;

/** Members, groups, and who is in which group. */
export async function readPeople({ tx, organizationId }: Reading): Promise<FoundObject[]> {
  const members = await tx.orgMember.findMany({
    where: { organizationId, status: 'active' },
    include: { user: true },
    orderBy: { createdAt: 'asc' },
  });
  const groups = await listGroups(tx, { organizationId, authority: EVERYONE }, EVERYTHING);
  return [
    ...members.map(({ user, role }): FoundObject => ({
      ...{ kind: 'member', id: user.id, ownName: user.email },
      // Who it was made for administers it like any other administrator.
      fields: { email: user.email, first_name: user.firstName, last_name: user.lastName, role: role === 'owner' ? 'admin' : role },
    })),
    ...groups.map(describeGroup),
    ...groups.flatMap((group) => group.members.map((member) => describeGroupMember(group, member))),
  ];
}

function describeGroup(group: GroupRow): FoundObject {
  const { id, name, accessListId, labelSet } = group;
  const budget = limitToUsd(group.monthlyBudgetPico);
  return {
    ...{ kind: 'group', id, ownName: name },
    fields: {
      name,
      labels: readLabels(labelSet),
      access_list: accessListId,
      // In group budget mode the limit is another word for the budget.
      ...(isInGroupMode(group)
        ? { monthly_limit: budget, monthly_budget: budget, monthly_budget_per_user: limitToUsd(group.budgetPerUserPico) }
        : { monthly_limit: limitToUsd(group.monthlyLimitPico) }),
    },
    references: { access_list: 'access_list' },
  };
}

function describeGroupMember(group: GroupRow, member: GroupRow['members'][number]): FoundObject {
  return {
    ...{ kind: 'group_member', id: `${group.id}/${member.userId}`, ownName: `${group.name}/${member.user.email}` },
    fields: {
      group: group.id,
      email: member.user.email,
      role: member.role,
      monthly_limit: toUsd(member.monthlyLimitPico),
      ...(isInGroupMode(group) ? { monthly_budget: toUsd(member.monthlyBudgetPico) } : {}),
      rate_limit: member.rateLimitRpm ?? 0,
    },
    references: { group: 'group' },
  };
}

/** Null is what the group says, 0 is unlimited. */
function toUsd(pico: Prisma.Decimal | null): number | null {
  return pico === null ? null : limitToUsd(pico);
}
