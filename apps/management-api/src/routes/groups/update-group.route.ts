import { updateGroupBody } from '@weir/contracts';
import { changeGroup, describeGroupDetail, isInGroupMode } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { limitToPico } from '../../records/usd';
import { defineRoute, ok } from '../../route/route';

export const updateGroup = defineRoute({
  id: 'update-group',
  body: updateGroupBody,
  run: async (call, parts) => {
    const { name, monthly_limit: limit } = call.body;
    const id = requireId(call.params['id'], 'group');
    const changed = await changeGroup(parts, { ...call, action: 'update-group', id }, (_tx, group) => {
      // As on create: the group's total in group budget mode, each member's limit in global mode.
      const column = isInGroupMode(group) ? 'monthlyBudgetPico' : 'monthlyLimitPico';
      return Promise.resolve({
        ...(name === undefined ? {} : { name }),
        ...(limit === undefined ? {} : { [column]: limitToPico(limit, 'monthly_limit') }),
      });
    });
    return ok({ group: await describeGroupDetail(parts, call.organizationId, changed) });
  },
});
