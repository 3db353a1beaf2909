import { costCentreReportParameters } from '@weir/contracts';
import { sumAdjustments, sumCostCentres } from '@weir/finance';
import { parseBody } from '../../bodies/parse-body';
import { describeRates, readFigures } from '../../finance/read-figures';
import { defineRoute, noBody, ok } from '../../route/route';

/** A month by cost centre: a closed one as it was closed, an open one by today's rules. Labels are those of the time of each request. */
export const reportCostCentres = defineRoute({
  id: 'report-cost-centres',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const { month, currency } = parseBody(costCentreReportParameters, query);
    const figures = await readFigures(parts, { organizationId, month, currency });
    const { lines, rates, rulesVersion, close } = figures;
    const closed = close?.figures as { rules_version: number } | undefined;
    return ok({
      cost_centre_report: {
        ...{ month, status: close === null ? 'open' : 'closed', as_of: (close?.closedAt ?? new Date(parts.now())).toISOString() },
        rules_version: closed?.rules_version ?? rulesVersion,
        ...sumCostCentres(lines, rates),
        adjustments: sumAdjustments(lines, rates),
        ...describeRates(figures),
      },
    });
  },
});
