import { USAGE_MEASURES, type UsageMeasure } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';

/** What a day adds up to, by measure. Counts are whole, money is in pico-dollars. */
export type MeasureTotals = Readonly<Record<UsageMeasure, bigint>>;

/** Whether a measure is money, and so pico-dollars. */
export function isMoney(measure: UsageMeasure): boolean {
  return measure.endsWith('_usd');
}

/** An amount of a measure as exact decimal text. */
export function encodeMeasure(measure: UsageMeasure, amount: bigint): string {
  return isMoney(measure) ? formatUsd(amount) : String(amount);
}

export function encodeTotals(totals: MeasureTotals): Record<UsageMeasure, string> {
  return Object.fromEntries(USAGE_MEASURES.map((measure) => [measure, encodeMeasure(measure, totals[measure])])) as Record<
    UsageMeasure,
    string
  >;
}
