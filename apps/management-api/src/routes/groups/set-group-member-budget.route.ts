import { setBudgetBody } from '@weir/contracts';
import { checkWithinBudget } from '../../authority/check-group-change';
import { updateGroupMember } from './change-group-member';
import { checkGroupMode } from '../../records/groups';
import { memberLimitToPico } from '../../records/usd';
import { defineRoute } from '../../route/route';

export const setGroupMemberBudget = defineRoute({
  id: 'set-group-member-budget',
  body: setBudgetBody,
  run: (call, parts) =>
    updateGroupMember(parts, call, {
      action: 'set-group-member-budget',
      plan: ({ group }) => {
        checkGroupMode(group);
        const monthlyBudgetPico = memberLimitToPico(call.body.monthly_budget, 'monthly_budget');
        checkWithinBudget(call, group, monthlyBudgetPico);
        return { monthlyBudgetPico };
      },
    }),
});
