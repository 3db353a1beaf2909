import { setLimitBody } from '@weir/contracts';
import { checkWithinBudget } from '../../authority/check-group-change';
import { updateGroupMember } from './change-group-member';
import { memberLimitToPico } from '../../records/usd';
import { defineRoute } from '../../route/route';

export const setGroupMemberLimit = defineRoute({
  id: 'set-group-member-limit',
  body: setLimitBody,
  run: (call, parts) =>
    updateGroupMember(parts, call, {
      action: 'set-group-member-limit',
      plan: ({ group }) => {
        const monthlyLimitPico = memberLimitToPico(call.body.monthly_limit, 'monthly_limit');
        checkWithinBudget(call, group, monthlyLimitPico);
        return { monthlyLimitPico };
      },
    }),
});
