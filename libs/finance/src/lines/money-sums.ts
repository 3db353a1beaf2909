import { formatUsd } from '@weir/pricing';
import { formatDecimal, roundHalfEven } from '../amounts/decimals';
import { CONVERTED_PLACES, type DayRates } from '../currencies/day-rates';
import type { ChargeLine } from './charge-line';

/** Decimal places of amounts in reports. */
const REPORT_PLACES = 12;

/** What lines add up to; amounts in the other currency are integer counts of 10^-30. */
export type MoneySums = { requests: bigint; attempts: bigint; costPico: bigint; billedPico: bigint; converted: Converted | null };
type Converted = { cost: bigint; billed: bigint };

export function emptySums(rates: DayRates | undefined): MoneySums {
  return { requests: 0n, attempts: 0n, costPico: 0n, billedPico: 0n, converted: rates === undefined ? null : { cost: 0n, billed: 0n } };
}

/** Adds a line, in the other currency by the rate of its day. Throws `conflict` for a day without one. */
export function addLine(sums: MoneySums, line: ChargeLine, rates: DayRates | undefined): void {
  sums.requests += line.requests;
  sums.attempts += line.attempts;
  sums.costPico += line.costPico;
  sums.billedPico += line.billedPico;
  if (sums.converted === null || rates === undefined) return;
  const { perUsd } = rates.find(line.day);
  sums.converted.cost += line.costPico * perUsd;
  sums.converted.billed += line.billedPico * perUsd;
}

/** As reports show them: counts and USD exactly, amounts in the other currency rounded once, half-even at twelve places. */
export function describeSums({ requests, attempts, costPico, billedPico, converted }: MoneySums) {
  const round = (amount: bigint): string => formatDecimal(roundHalfEven(amount, CONVERTED_PLACES, REPORT_PLACES), REPORT_PLACES);
  return {
    requests: String(requests),
    attempts: String(attempts),
    spend_usd: formatUsd(costPico),
    billed_usd: formatUsd(billedPico),
    ...(converted === null ? {} : { in_currency: { spend: round(converted.cost), billed: round(converted.billed) } }),
  };
}
