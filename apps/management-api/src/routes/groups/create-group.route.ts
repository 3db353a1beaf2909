import { createGroupBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { auditGroup, getGroup } from '../../records/groups';
import { limitToPico } from '../../records/usd';
import { defineRoute, ok } from '../../route/route';

export const createGroup = defineRoute({
  id: 'create-group',
  body: createGroupBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const limit = limitToPico(body.monthly_limit ?? null, 'monthly_limit');
    const id = await runChange(parts, { ...call, action: 'create-group' }, async (tx) => {
      // The mode decides what the limit is: it stays until the group is there.
      await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId}::uuid FOR SHARE`;
      const { budgetMode } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
      const group = await tx.userGroup.create({
        data: {
          organizationId,
          name: body.name,
          createdBy: principal.key.userId,
          ...(budgetMode === 'group' ? { monthlyBudgetPico: limit } : { monthlyLimitPico: limit }),
        },
      });
      const after = auditGroup(await getGroup(tx, organizationId, group.id));
      return {
        result: group.id,
        audit: { targetKind: 'group', targetId: group.id, before: null, after },
        changed: [{ entity: 'group', entityId: group.id }],
      };
    });
    // `group_id` is how the specification names it, `id` how all other creations do.
    return ok({ group_id: id, id });
  },
});
