import { reopenMonthBody } from '@weir/contracts';
import { reopenMonth as reopen } from '../../month-closes/close-month';
import { defineRoute, ok } from '../../route/route';

export const reopenMonth = defineRoute({
  id: 'reopen-month',
  body: reopenMonthBody,
  run: async (call, parts) => {
    const { month, reopenedAt } = await reopen(parts, { ...call, action: 'reopen-month' }, call.body);
    return ok({ month_reopened: { month, reopened_at: reopenedAt?.toISOString(), because: call.body.because } });
  },
});
