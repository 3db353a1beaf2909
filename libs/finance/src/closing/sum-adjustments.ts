import type { DayRates } from '../currencies/day-rates';
import { addLine, describeSums, emptySums, type MoneySums } from '../lines/money-sums';
import type { PricedLine } from '../lines/priced-line';

/** What is in lines of months that were closed before, by month. */
export function sumAdjustments(lines: Iterable<PricedLine>, rates: DayRates | undefined) {
  const months = new Map<string, MoneySums>();
  for (const line of lines) {
    if (line.adjusts === null) continue;
    const sums = months.get(line.adjusts) ?? emptySums(rates);
    months.set(line.adjusts, sums);
    addLine(sums, line, rates);
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, sums]) => ({ month, ...describeSums(sums) }));
}
