import { setUserBudgetBody } from '@weir/contracts';
import { checkWithinTotal } from '../../authority/check-group-change';
import { changeGroup, checkGroupMode } from '../../records/groups';
import { requireId } from '../../records/require-id';
import { limitToPico } from '../../records/usd';
import { defineRoute, done } from '../../route/route';

export const setGroupUserBudget = defineRoute({
  id: 'set-group-user-budget',
  body: setUserBudgetBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'group');
    const budgetPerUserPico = limitToPico(call.body.monthly_budget_per_user, 'monthly_budget_per_user');
    await changeGroup(parts, { ...call, action: 'set-group-user-budget', id }, (_tx, group) => {
      checkGroupMode(group);
      checkWithinTotal(group, budgetPerUserPico);
      return Promise.resolve({ budgetPerUserPico });
    });
    return done;
  },
});
