import type { DayRates } from '../currencies/day-rates';
import { ASSIGNED_BY, type AssignedBy } from '../lines/assign-cost-centre';
import { addLine, addSums, describeSums, emptySums, type MoneySums } from '../lines/money-sums';
import type { PricedLine } from '../lines/priced-line';

type CentreSums = { readonly name: string; readonly all: MoneySums; readonly by: ReadonlyMap<AssignedBy, MoneySums> };

/** What each cost centre used, the dearest first, and all of them together. Their sum is the sum of the lines, to the last digit. */
export function sumCostCentres(lines: Iterable<PricedLine>, rates: DayRates | undefined) {
  const total = emptySums(rates);
  const centres = [...sumByAssignment(lines, rates)].map(([name, by]): CentreSums => {
    const all = emptySums(rates);
    for (const sums of by.values()) addSums(all, sums);
    addSums(total, all);
    return { name, all, by };
  });
  return {
    cost_centres: centres.sort(byCost).map(({ name, all, by }) => ({
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

/** Each line is added once: there may be hundreds of thousands. */
function sumByAssignment(lines: Iterable<PricedLine>, rates: DayRates | undefined): Map<string, Map<AssignedBy, MoneySums>> {
  const centres = new Map<string, Map<AssignedBy, MoneySums>>();
  for (const line of lines) {
    let centre = centres.get(line.costCentre);
    if (centre === undefined) centres.set(line.costCentre, (centre = new Map()));
    let sums = centre.get(line.assignedBy);
    if (sums === undefined) centre.set(line.assignedBy, (sums = emptySums(rates)));
    addLine(sums, line, rates);
  }
  return centres;
}

function byCost({ name: aName, all: a }: CentreSums, { name: bName, all: b }: CentreSums): number {
  if (a.costPico !== b.costPico) return a.costPico > b.costPico ? -1 : 1;
  return aName < bName ? -1 : 1;
}
