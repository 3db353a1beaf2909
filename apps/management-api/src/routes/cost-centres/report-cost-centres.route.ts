import { costCentreReportParameters } from '@weir/contracts';
import { sumCostCentres } from '@weir/finance';
import { parseBody } from '../../bodies/parse-body';
import { readCostCentreRules } from '../../finance/cost-centres';
import { describeRates, readMonth } from '../../finance/read-month';
import { defineRoute, noBody, ok } from '../../route/route';

/** A month by cost centre. Rules are today's, labels those of the time of each request. */
export const reportCostCentres = defineRoute({
  id: 'report-cost-centres',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    const { month, currency } = parseBody(costCentreReportParameters, query);
    const { version, document: rules } = await parts.database
      .asOrganization(organizationId)
      .transact((tx) => readCostCentreRules(tx, organizationId));
    const found = await readMonth(parts, { organizationId, month, currency });
    const { prices, rates, lines } = found;
    return ok({
      cost_centre_report: {
        ...{ month, as_of: new Date(parts.now()).toISOString(), rules_version: version },
        ...sumCostCentres(lines, rules, { prices, rates }),
        ...describeRates(found),
      },
    });
  },
});
