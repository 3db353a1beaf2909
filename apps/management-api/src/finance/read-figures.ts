import { createQueryQueue, readChargeLines, readClosedLines } from '@weir/database';
import { GatewayError } from '@weir/errors';
import {
  findAdjustments,
  listUsedRates,
  priceLines,
  type CostCentreRules,
  type DayRates,
  type PricedLine,
  type PriceList,
} from '@weir/finance';
import { periodCeiling } from '@weir/usage';
import { listClosedMonths, monthAfter, type MonthCloseRow } from './closed-months';
import type { RouteParts } from '../route/management-parts';
import { readCostCentreRules } from './cost-centres';
import { checkCurrency, loadDayRates } from './day-rates';
import { loadPriceList } from './price-list';

/** Each adds up the lines of a month. */
const queue = createQueryQueue({ runningMax: 2, waitingMax: 8 });

/** Usage arrives up to 35 days late, and prices are corrected of the last 45: what differs of earlier months stays as it was closed. */
const ADJUSTED_MONTHS = 3;

type Reading = Pick<RouteParts, 'database' | 'now'>;
type AskedMonth = { readonly organizationId: string; readonly month: string; readonly currency?: string | undefined };

/** A month as finance reports it. */
export type Figures = {
  /** Of a closed month as it was closed; of the first open month after it, with what has changed of closed ones since. */
  readonly lines: readonly PricedLine[];
  readonly rates: DayRates | undefined;
  readonly rulesVersion: number;
  /** Null of an open month. */
  readonly close: MonthCloseRow | null;
  /** Months that are closed, the earliest first. */
  readonly closedMonths: readonly string[];
};

type State = {
  readonly closes: readonly MonthCloseRow[];
  readonly rules: CostCentreRules;
  readonly rulesVersion: number;
  readonly prices: PriceList;
  /** Of the month, where it is closed; else what is fixed of those whose changes it has. */
  readonly fixed: readonly PricedLine[];
};

/** Throws `invalid_request` for a month that has not begun, `conflict` for one whose days are no longer kept. */
export async function readFigures(parts: Reading, { organizationId, month, currency }: AskedMonth): Promise<Figures> {
  if (currency !== undefined) checkCurrency(currency);
  if (monthStart(month) > parts.now())
    throw new GatewayError('invalid_request', `\`month\` is not valid: ${month} has not begun.`, { field: 'month' });
  const permit = await queue.acquire(organizationId);
  try {
    const state = await readState(parts, organizationId, month);
    const { closes, rulesVersion } = state;
    const close = closes.find((one) => one.month === month) ?? null;
    const lines = close === null ? await readOpenLines(parts, { organizationId, month }, state) : state.fixed;
    const rates = currency === undefined ? undefined : await readRates(parts, { organizationId, month, currency }, lines);
    return { lines, rates, rulesVersion, close, closedMonths: closes.map((one) => one.month) };
  } finally {
    permit.release();
  }
}

function readState({ database }: Reading, organizationId: string, month: string): Promise<State> {
  return database.asOrganization(organizationId).transact(async (tx) => {
    const closes = await listClosedMonths(tx, organizationId);
    const { document: rules, version: rulesVersion } = await readCostCentreRules(tx, organizationId);
    const close = closes.find((one) => one.month === month);
    const ofWhich = close === undefined ? listAdjusted(closes, month) : [close];
    const closeIds = ofWhich.map(({ id }) => id);
    return {
      closes,
      rules,
      rulesVersion,
      prices: await loadPriceList(tx, organizationId),
      fixed: await readClosedLines(tx, organizationId, closeIds),
    };
  });
}

/** The closed months whose changes a month has: the last ones before the first open month, and none of any other. */
function listAdjusted(closes: readonly MonthCloseRow[], month: string): readonly MonthCloseRow[] {
  const last = closes.at(-1);
  return last !== undefined && monthAfter(last.month) === month ? closes.slice(-ADJUSTED_MONTHS) : [];
}

async function readOpenLines(
  { database }: Reading,
  { organizationId, month }: AskedMonth,
  { closes, rules, prices, fixed }: State,
): Promise<PricedLine[]> {
  const linesOf = (of: string) => readChargeLines(database, { organizationId, monthMs: monthStart(of) });
  const lines = priceLines(await linesOf(month), { rules, prices });
  for (const { month: adjusts } of listAdjusted(closes, month)) {
    const ofMonth = fixed.filter(({ day }) => day.startsWith(adjusts));
    lines.push(...priceLines(findAdjustments(await linesOf(adjusts), ofMonth), { rules, prices, adjusts }));
  }
  return lines;
}

/** Usage of an earlier month is converted by the rates of its own days. */
async function readRates(
  { database }: Reading,
  { organizationId, month, currency }: AskedMonth & { readonly currency: string },
  lines: readonly PricedLine[],
): Promise<DayRates> {
  const firstMs = lines.reduce((first, { day }) => Math.min(first, Date.parse(day)), monthStart(month));
  const span = { currency, startMs: firstMs, endMs: monthEnd(month) };
  return database.asOrganization(organizationId).transact((tx) => loadDayRates(tx, span));
}

/** Start of a calendar month, UTC epoch milliseconds. */
export function monthStart(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** Its end, which belongs to the next. */
export function monthEnd(month: string): number {
  return periodCeiling('month', monthStart(month) + 1);
}

/** By what a report was converted, as it shows it; nothing where it was not. */
export function describeRates({ lines, rates }: Pick<Figures, 'lines' | 'rates'>) {
  return rates === undefined ? {} : { currency: listUsedRates(rates, lines) };
}
