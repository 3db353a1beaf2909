import { formatDecimal } from '../amounts/decimals';
import { nameRecipient, selectLines, type Recipient } from '../invoices/select-lines';
import type { PricedLine } from '../lines/priced-line';
import { CHARGED_PLACES, FACTOR_PLACES } from '../price-list/price-list';
import { forecastMonth, type ForecastSpan } from './forecast-month';

/** What is compared: what is owed, what it is worth, or what is charged for it. */
export type BudgetBasis = 'billed' | 'spend' | 'charged';

/** What a subject is meant to use in a month, in pico-dollars, and who says so. */
export type PlannedBudget = { readonly subject: Recipient; readonly plannedPico: bigint; readonly source: 'plan' | 'group_budget' };

type Asked = ForecastSpan & { readonly planned: readonly PlannedBudget[]; readonly basis: BudgetBasis };

/** Of the month itself, and of months that were closed before; integer counts of 10^-18 USD. */
type Used = { readonly own: bigint; readonly adjusted: bigint };

/**
 * Each budget of a month beside what was used of it, what it will be at the end, and what is left then. Of every kind of subject
 * (groups, one label, cost centres) the rest is what no budget is about: budgets of the kind and their rest are the whole month.
 */
export function reportBudgets(lines: readonly PricedLine[], { planned, basis, ...span }: Asked) {
  const all = addUp(lines, basis);
  const kinds = new Map<string, Used>();
  const budgets = planned.map(({ subject, plannedPico, source }) => {
    const used = addUp(selectLines(lines, subject), basis);
    const { kind } = nameRecipient(subject);
    const sum = kinds.get(kind) ?? { own: 0n, adjusted: 0n };
    kinds.set(kind, { own: sum.own + used.own, adjusted: sum.adjusted + used.adjusted });
    return { subject, source, ...compare(plannedPico * 10n ** BigInt(FACTOR_PLACES), used, span) };
  });
  kinds.delete('organization');
  return {
    budgets,
    rest: [...kinds].map(([kind, used]) => ({
      kind,
      ...describe({ own: all.own - used.own, adjusted: all.adjusted - used.adjusted }, span),
    })),
    total: describe(all, span),
  };
}

function addUp(lines: readonly PricedLine[], basis: BudgetBasis): Used {
  const scale = 10n ** BigInt(FACTOR_PLACES);
  const amountOf = ({ costPico, billedPico, factor }: PricedLine): bigint =>
    basis === 'charged' ? billedPico * factor : (basis === 'spend' ? costPico : billedPico) * scale;
  let [own, adjusted] = [0n, 0n];
  for (const line of lines) {
    if (line.adjusts === null) own += amountOf(line);
    else adjusted += amountOf(line);
  }
  return { own, adjusted };
}

/** What came late for months before does not go on. */
function forecast({ own, adjusted }: Used, span: ForecastSpan): bigint | null {
  const ofMonth = forecastMonth(own, span);
  return ofMonth === null ? null : ofMonth + adjusted;
}

function describe(used: Used, span: ForecastSpan) {
  const expected = forecast(used, span);
  return { actual_usd: write(used.own + used.adjusted), forecast_usd: expected === null ? null : write(expected) };
}

function compare(planned: bigint, used: Used, span: ForecastSpan) {
  const expected = forecast(used, span);
  return {
    planned_usd: write(planned),
    ...describe(used, span),
    left_usd: write(planned - used.own - used.adjusted),
    variance_usd: expected === null ? null : write(planned - expected),
  };
}

function write(amount: bigint): string {
  return formatDecimal(amount, CHARGED_PLACES);
}
