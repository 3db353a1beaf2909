import type { UsageColumn, UsageLine } from '@weir/usage';
import { formatDecimal } from '../amounts/decimals';
import { CONVERTED_PLACES, dayKey, formatRate, RATE_PLACES, type DayRate, type DayRates } from '../currencies/day-rates';
import { CHARGED_PLACES, FACTOR_PLACES, type PriceList } from '../price-list/price-list';
import { roundToReport } from './add-money';

/** Whose columns stand beside: those of the plain file, or those of FOCUS. */
type FileKind = 'plain' | 'focus';

const NAMES = {
  plain: {
    ...{ factor: 'price_factor', charged: 'charged_usd', code: 'currency', spend: 'spend_in_currency', billed: 'billed_in_currency' },
    ...{ chargedToo: 'charged_in_currency', rate: 'exchange_rate', day: 'exchange_rate_day' },
  },
  focus: {
    ...{
      factor: 'x_PriceFactor',
      charged: 'x_ChargedCost',
      code: 'x_Currency',
      spend: 'x_ListCostInCurrency',
      billed: 'x_BilledCostInCurrency',
    },
    ...{ chargedToo: 'x_ChargedCostInCurrency', rate: 'x_ExchangeRate', day: 'x_ExchangeRateDay' },
  },
} as const;

type Asked = { readonly kind: FileKind; readonly prices: PriceList; readonly rates?: DayRates | undefined };

/**
 * Columns that stand after those in USD: what is charged at the organization's own prices, where it has any, exactly; and what
 * each line comes to by the rate of its day, rounded half-even at twelve places.
 */
export function listFinanceColumns({ kind, prices, rates }: Asked): readonly UsageColumn[] {
  const names = NAMES[kind];
  const factorOf = (line: UsageLine): bigint => prices.factorOf(line.modelUsed, dayKey(line.periodStartMs));
  const ofPrices: readonly UsageColumn[] = [
    { name: names.factor, value: (line) => formatDecimal(factorOf(line), FACTOR_PLACES) },
    { name: names.charged, kind: 'money', value: (line) => formatDecimal(line.billedPico * factorOf(line), CHARGED_PLACES) },
  ];
  if (rates === undefined) return prices.isEmpty ? [] : ofPrices;
  const rateOf = (line: UsageLine): DayRate => rates.find(dayKey(line.periodStartMs));
  const charged: UsageColumn = {
    name: names.chargedToo,
    kind: 'money',
    value: (line) => roundToReport(line.billedPico * factorOf(line) * rateOf(line).perUsd, CHARGED_PLACES + RATE_PLACES),
  };
  return [
    ...(prices.isEmpty ? [] : ofPrices),
    { name: names.code, value: () => rates.currency },
    { name: names.spend, kind: 'money', value: (line) => roundToReport(line.costPico * rateOf(line).perUsd, CONVERTED_PLACES) },
    { name: names.billed, kind: 'money', value: (line) => roundToReport(line.billedPico * rateOf(line).perUsd, CONVERTED_PLACES) },
    ...(prices.isEmpty ? [] : [charged]),
    { name: names.rate, value: (line) => formatRate(rateOf(line)) },
    { name: names.day, value: (line) => rateOf(line).publishedOn },
  ];
}
