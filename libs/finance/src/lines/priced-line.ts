import { assignCostCentre, type AssignedBy, type CostCentreRules } from './assign-cost-centre';
import type { PriceList } from '../price-list/price-list';
import type { ChargeLine } from './charge-line';

/** A line with what finance decided about it: in an open month by the rules of now, in a closed one as it was closed. */
export type PricedLine = ChargeLine & {
  /** Of what is owed, what is charged: an integer count of 10^-6. */
  readonly factor: bigint;
  readonly costCentre: string;
  readonly assignedBy: AssignedBy;
  /** Of usage of a month that was closed before it arrived: that month, `2026-09`. Null of the month itself. */
  readonly adjusts: string | null;
};

/** Decides about lines by the rules and prices of now. */
export function priceLines(
  lines: readonly ChargeLine[],
  { rules, prices, adjusts = null }: { readonly rules: CostCentreRules; readonly prices: PriceList; readonly adjusts?: string | null },
): PricedLine[] {
  return lines.map((line) => {
    const { costCentre, by: assignedBy } = assignCostCentre(rules, line);
    return { ...line, factor: prices.factorOf(line.modelUsed, line.day), costCentre, assignedBy, adjusts };
  });
}
