import { budgetReportParameters } from '@weir/contracts';
import { reportBudgets as compare } from '@weir/finance';
import { parseBody } from '../../bodies/parse-body';
import { readPlanned } from '../../finance/budget-plans';
import { monthEnd, monthStart, readFigures } from '../../finance/read-figures';
import { defineRoute, noBody, ok } from '../../route/route';

/** What was planned for a month beside what was used, and what it will be at its end. */
export const reportBudgets = defineRoute({
  id: 'report-budgets',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const { month, basis } = parseBody(budgetReportParameters, query);
    const { lines, close } = await readFigures(parts, { organizationId, month });
    const planned = await parts.database.asOrganization(organizationId).transact((tx) => readPlanned(tx, organizationId, month));
    const span = { startMs: monthStart(month), endMs: monthEnd(month), nowMs: parts.now() };
    return ok({
      budget_report: {
        ...{ month, basis, status: close === null ? 'open' : 'closed', as_of: (close?.closedAt ?? new Date(span.nowMs)).toISOString() },
        ...compare(lines, { planned, basis, ...span }),
      },
    });
  },
});
