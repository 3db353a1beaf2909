import { formatUsd } from '@weir/pricing';
import { formatDecimal } from '../amounts/decimals';
import { CONVERTED_PLACES, RATE_PLACES, type DayRates } from '../currencies/day-rates';
import { CHARGED_PLACES } from '../price-list/price-list';
import { roundToReport } from '../reports/add-money';
import type { PricedLine } from './priced-line';

/** What lines add up to, as integers: USD in 10^-12 and, charged, in 10^-18; in the other currency in 10^-30 and 10^-36. */
export type MoneySums = {
  requests: bigint;
  attempts: bigint;
  costPico: bigint;
  billedPico: bigint;
  charged: bigint;
  converted: Converted | null;
};
type Converted = { cost: bigint; billed: bigint; charged: bigint };

export function emptySums(rates: DayRates | undefined): MoneySums {
  const converted = rates === undefined ? null : { cost: 0n, billed: 0n, charged: 0n };
  return { requests: 0n, attempts: 0n, costPico: 0n, billedPico: 0n, charged: 0n, converted };
}

/** Adds a line, in the other currency by the rate of its day. Throws `conflict` for a day without one. */
export function addLine(sums: MoneySums, line: PricedLine, rates: DayRates | undefined): void {
  const charged = line.billedPico * line.factor;
  sums.requests += line.requests;
  sums.attempts += line.attempts;
  sums.costPico += line.costPico;
  sums.billedPico += line.billedPico;
  sums.charged += charged;
  if (sums.converted === null || rates === undefined) return;
  const { perUsd } = rates.find(line.day);
  sums.converted.cost += line.costPico * perUsd;
  sums.converted.billed += line.billedPico * perUsd;
  sums.converted.charged += charged * perUsd;
}

/** Adds what other lines add up to, in the same currency. */
export function addSums(sums: MoneySums, more: MoneySums): void {
  sums.requests += more.requests;
  sums.attempts += more.attempts;
  sums.costPico += more.costPico;
  sums.billedPico += more.billedPico;
  sums.charged += more.charged;
  if (sums.converted === null || more.converted === null) return;
  sums.converted.cost += more.converted.cost;
  sums.converted.billed += more.converted.billed;
  sums.converted.charged += more.converted.charged;
}

/** As reports show them: counts and USD exactly, amounts in the other currency rounded once, half-even at twelve places. */
export function describeSums({ requests, attempts, costPico, billedPico, charged, converted }: MoneySums) {
  return {
    requests: String(requests),
    attempts: String(attempts),
    spend_usd: formatUsd(costPico),
    billed_usd: formatUsd(billedPico),
    charged_usd: formatDecimal(charged, CHARGED_PLACES),
    ...(converted === null ? {} : { in_currency: describeConverted(converted) }),
  };
}

function describeConverted({ cost, billed, charged }: Converted) {
  return {
    spend: roundToReport(cost, CONVERTED_PLACES),
    billed: roundToReport(billed, CONVERTED_PLACES),
    charged: roundToReport(charged, CHARGED_PLACES + RATE_PLACES),
  };
}
