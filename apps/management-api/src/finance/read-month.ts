import { createQueryQueue, readChargeLines, type OrganizationDatabases } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { listUsedRates, type ChargeLine, type DayRates, type PriceList } from '@weir/finance';
import { periodCeiling } from '@weir/usage';
import { checkCurrency, loadDayRates } from './day-rates';
import { loadPriceList } from './price-list';

/** Each adds up the lines of a month. */
const queue = createQueryQueue({ runningMax: 2, waitingMax: 8 });

type AskedMonth = { readonly organizationId: string; readonly month: string; readonly currency?: string | undefined };

/** The lines of a month, the organization's own prices, and by what amounts are converted where a currency is asked for. */
export type MonthLines = {
  readonly lines: readonly ChargeLine[];
  readonly prices: PriceList;
  readonly rates: DayRates | undefined;
};

/** Throws `invalid_request` for a month that has not begun, `conflict` for one whose days are no longer kept. */
export async function readMonth(
  { database, now }: { readonly database: OrganizationDatabases; readonly now: () => number },
  { organizationId, month, currency }: AskedMonth,
): Promise<MonthLines> {
  if (currency !== undefined) checkCurrency(currency);
  const monthMs = monthStart(month);
  if (monthMs > now()) throw new GatewayError('invalid_request', `\`month\` is not valid: ${month} has not begun.`, { field: 'month' });
  const permit = await queue.acquire(organizationId);
  try {
    const lines = await readChargeLines(database, { organizationId, monthMs });
    const span = { startMs: monthMs, endMs: periodCeiling('month', monthMs + 1) };
    return await database.asOrganization(organizationId).transact(async (tx) => {
      const rates = currency === undefined ? undefined : await loadDayRates(tx, { currency, ...span });
      return { lines, prices: await loadPriceList(tx, organizationId), rates };
    });
  } finally {
    permit.release();
  }
}

/** Start of a calendar month, UTC epoch milliseconds. */
export function monthStart(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** By what a report was converted, as it shows it; nothing where it was not. */
export function describeRates({ lines, rates }: Pick<MonthLines, 'lines' | 'rates'>) {
  return rates === undefined ? {} : { currency: listUsedRates(rates, lines) };
}
