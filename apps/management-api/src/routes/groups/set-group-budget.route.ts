import { setBudgetBody } from '@weir/contracts';
import { changeGroup, checkGroupMode } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { limitToPico } from '../../records/usd';
import { defineRoute, done } from '../../route/route';

export const setGroupBudget = defineRoute({
  id: 'set-group-budget',
  body: setBudgetBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'group');
    const monthlyBudgetPico = limitToPico(call.body.monthly_budget, 'monthly_budget');
    await changeGroup(parts, { ...call, action: 'set-group-budget', id }, (_tx, group) => {
      checkGroupMode(group);
      return Promise.resolve({ monthlyBudgetPico });
    });
    return done;
  },
});
