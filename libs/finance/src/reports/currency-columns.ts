import type { UsageColumn, UsageLine } from '@weir/usage';
import { formatDecimal, roundHalfEven } from '../amounts/decimals';
import { CONVERTED_PLACES, dayKey, formatRate, type DayRate, type DayRates } from '../currencies/day-rates';
import { REPORT_PLACES } from './add-money';

/** Whose columns stand beside: those of the plain file, or those of FOCUS. */
type FileKind = 'plain' | 'focus';

const NAMES: Readonly<Record<FileKind, readonly [string, string, string, string, string]>> = {
  plain: ['currency', 'spend_in_currency', 'billed_in_currency', 'exchange_rate', 'exchange_rate_day'],
  focus: ['x_Currency', 'x_ListCostInCurrency', 'x_BilledCostInCurrency', 'x_ExchangeRate', 'x_ExchangeRateDay'],
};

/** Columns that stand after those in USD: each line by the rate of its day, rounded half-even at twelve places. */
export function listCurrencyColumns(rates: DayRates, kind: FileKind): readonly UsageColumn[] {
  const rateOf = ({ periodStartMs }: UsageLine): DayRate => rates.find(dayKey(periodStartMs));
  const convert = (line: UsageLine, pico: bigint): string =>
    formatDecimal(roundHalfEven(pico * rateOf(line).perUsd, CONVERTED_PLACES, REPORT_PLACES), REPORT_PLACES);
  const [code, spend, billed, rate, day] = NAMES[kind];
  return [
    { name: code, value: () => rates.currency },
    { name: spend, kind: 'money', value: (line) => convert(line, line.costPico) },
    { name: billed, kind: 'money', value: (line) => convert(line, line.billedPico) },
    { name: rate, value: (line) => formatRate(rateOf(line)) },
    { name: day, value: (line) => rateOf(line).publishedOn },
  ];
}
