import { formatUsd, parseDecimal } from '@weir/pricing';
import { formatDecimal, formatFixed, roundHalfEven } from '../amounts/decimals';
import { minorPlaces } from '../currencies/currency';
import { RATE_PLACES, type DayRates } from '../currencies/day-rates';
import type { PricedLine } from '../lines/priced-line';
import { CHARGED_PLACES } from '../price-list/price-list';
import { listUsedRates } from '../reports/add-money';

/** Of a tax that is added: its name, and a rate in percent with at most four places. */
export type InvoiceTax = { readonly name: string; readonly rate_percent: string };

export type InvoiceLine = {
  readonly description: string;
  readonly model: string;
  readonly modality: string;
  /** Decimal text, as all counts and amounts here. */
  readonly requests: string;
  /** At our prices, exactly. */
  readonly billed_usd: string;
  /** At the organization's own prices, exactly. */
  readonly charged_usd: string;
  /** In the currency of the invoice: of USD exactly, of another rounded at twelve places. */
  readonly amount: string;
};

/** What an invoice adds up. Lines and rounding are the net, net and tax the total, each to the last digit. */
export type InvoiceSums = {
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  /** What lines add up to beyond the smallest amount that is paid in this currency: a line of its own. */
  readonly rounding: string;
  readonly net: string;
  readonly tax: (InvoiceTax & { readonly amount: string }) | null;
  readonly total: string;
  /** What the lines are of: the same as in usage and ledger. */
  readonly billed_usd: string;
  readonly charged_usd: string;
  /** Of each day with usage; empty of an invoice in USD. */
  readonly rates: ReturnType<typeof listUsedRates>['rates'];
};

type InvoiceTerms = { readonly rates: DayRates; readonly tax: InvoiceTax | null };

/** Places of a line in another currency. */
const LINE_PLACES = 12;
/** Pico-dollars, times a factor, times a rate. */
const EXACT_PLACES = CHARGED_PLACES + RATE_PLACES;
const TAX_PLACES = 4;

type LineSums = { readonly model: string; readonly modality: string; requests: bigint; billed: bigint; charged: bigint; exact: bigint };

/**
 * Makes the sums of an invoice of what is owed: a line for each model and modality, in the order of their names. What was used
 * under own accounts with providers is not owed and has none. Throws `conflict` for a day without a rate.
 */
export function buildInvoice(lines: readonly PricedLine[], { rates, tax }: InvoiceTerms): InvoiceSums {
  const owed = lines.filter(({ billedPico }) => billedPico !== 0n);
  const sums = [...addUp(owed, rates).values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const { currency } = rates;
  const places = currency === 'USD' ? CHARGED_PLACES : LINE_PLACES;
  const amounts = sums.map(({ exact }) => roundHalfEven(exact, EXACT_PLACES, places));
  const minor = minorPlaces(currency);
  const net = roundHalfEven(total(sums.map(({ exact }) => exact)), EXACT_PLACES, minor);
  const rounding = roundHalfEven(net, minor, places) - total(amounts);
  const taxed = tax === null ? 0n : roundHalfEven(net * parseDecimal(tax.rate_percent, TAX_PLACES), minor + TAX_PLACES + 2, minor);
  return {
    currency,
    lines: sums.map((line, at) => ({
      description: nameOf(line),
      ...{ model: line.model, modality: line.modality, requests: String(line.requests) },
      billed_usd: formatUsd(line.billed),
      charged_usd: formatDecimal(line.charged, CHARGED_PLACES),
      amount: formatDecimal(amounts[at] ?? 0n, places),
    })),
    rounding: formatDecimal(rounding, places),
    net: formatFixed(net, minor),
    tax: tax === null ? null : { ...tax, amount: formatFixed(taxed, minor) },
    total: formatFixed(net + taxed, minor),
    billed_usd: formatUsd(total(sums.map(({ billed }) => billed))),
    charged_usd: formatDecimal(total(sums.map(({ charged }) => charged)), CHARGED_PLACES),
    rates: currency === 'USD' ? [] : listUsedRates(rates, owed).rates,
  };
}

function nameOf({ model, modality }: Pick<LineSums, 'model' | 'modality'>): string {
  return `${model} (${modality})`;
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function addUp(lines: readonly PricedLine[], rates: DayRates): Map<string, LineSums> {
  const sums = new Map<string, LineSums>();
  for (const { modelUsed: model, modality, day, requests, billedPico, factor } of lines) {
    const name = nameOf({ model, modality });
    const line = sums.get(name) ?? { ...{ model, modality }, requests: 0n, billed: 0n, charged: 0n, exact: 0n };
    sums.set(name, line);
    const charged = billedPico * factor;
    line.requests += requests;
    line.billed += billedPico;
    line.charged += charged;
    line.exact += charged * rates.find(day).perUsd;
  }
  return sums;
}

/** The same with every amount below zero, or above it where it was below: what takes an invoice back. */
export function creditInvoice(sums: InvoiceSums): InvoiceSums {
  const { lines, tax } = sums;
  return {
    ...sums,
    lines: lines.map((line) => ({
      ...line,
      requests: negate(line.requests),
      billed_usd: negate(line.billed_usd),
      charged_usd: negate(line.charged_usd),
      amount: negate(line.amount),
    })),
    rounding: negate(sums.rounding),
    net: negate(sums.net),
    tax: tax === null ? null : { ...tax, amount: negate(tax.amount) },
    total: negate(sums.total),
    billed_usd: negate(sums.billed_usd),
    charged_usd: negate(sums.charged_usd),
  };
}

function negate(text: string): string {
  if (!/[1-9]/.test(text)) return text;
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
