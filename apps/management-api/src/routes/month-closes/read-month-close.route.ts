import { monthCloseParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeFigures, lookAtMonth } from '../../month-closes/close-month';
import { describeClose } from '../../finance/closed-months';
import { defineRoute, noBody, ok } from '../../route/route';

/** A closed month as it was closed; of an open one what it comes to by now, and the checklist. */
export const readMonthClose = defineRoute({
  id: 'read-month-close',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const { month } = parseBody(monthCloseParameters, query);
    const { figures, checklist } = await lookAtMonth(parts, { organizationId, month, currencies: [] });
    if (figures.close !== null) return ok({ month_close: describeClose(figures.close) });
    return ok({ month_close: { month, status: 'open', closed_at: null, ...describeFigures(figures), checklist } });
  },
});
