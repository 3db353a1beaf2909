import { addLine, describeSums, emptySums, type MoneySums, type MoneyTerms } from '../lines/money-sums';
import type { ChargeLine } from '../lines/charge-line';
import { assignCostCentre, ASSIGNED_BY, type AssignedBy, type CostCentreRules } from './assign-cost-centre';

type CentreSums = { readonly all: MoneySums; readonly by: Map<AssignedBy, MoneySums> };

/** What each cost centre used, the dearest first, and all of them together. Their sum is the sum of the lines, to the last digit. */
export function sumCostCentres(lines: Iterable<ChargeLine>, rules: CostCentreRules, terms: MoneyTerms) {
  const total = emptySums(terms);
  const centres = new Map<string, CentreSums>();
  for (const line of lines) {
    const { costCentre, by } = assignCostCentre(rules, line);
    const centre = centres.get(costCentre) ?? { all: emptySums(terms), by: new Map<AssignedBy, MoneySums>() };
    centres.set(costCentre, centre);
    const ofBy = centre.by.get(by) ?? emptySums(terms);
    centre.by.set(by, ofBy);
    for (const sums of [total, centre.all, ofBy]) addLine(sums, line, terms);
  }
  return {
    cost_centres: [...centres].sort(byCost).map(([name, { all, by }]) => ({
      cost_centre: name,
      ...describeSums(all),
      assigned_by: ASSIGNED_BY.flatMap((how) => {
        const sums = by.get(how);
        return sums === undefined ? [] : [{ by: how, ...describeSums(sums) }];
      }),
    })),
    total: describeSums(total),
  };
}

function byCost([aName, { all: a }]: [string, CentreSums], [bName, { all: b }]: [string, CentreSums]): number {
  if (a.costPico !== b.costPico) return a.costPico > b.costPico ? -1 : 1;
  return aName < bName ? -1 : 1;
}
