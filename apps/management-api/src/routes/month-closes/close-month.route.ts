import { closeMonthBody } from '@weir/contracts';
import { closeMonth as close } from '../../month-closes/close-month';
import { describeClose } from '../../finance/closed-months';
import { defineRoute, ok } from '../../route/route';

export const closeMonth = defineRoute({
  id: 'close-month',
  body: closeMonthBody,
  run: async (call, parts) => ok({ month_close: describeClose(await close(parts, { ...call, action: 'close-month' }, call.body)) }),
});
