import { readExchangeRates, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { createDayRates, dayKey, isCurrency, RATE_DAYS_MAX, type DayRates } from '@weir/finance';
import { DAY_MS } from '@weir/usage';

/** Half-open, UTC epoch milliseconds. */
type AskedRates = { readonly currency: string; readonly startMs: number; readonly endMs: number };

/** Rates of a currency for each day of a range, with those before it that may stand in. */
export async function loadDayRates(tx: Prisma.TransactionClient, { currency, startMs, endMs }: AskedRates): Promise<DayRates> {
  if (currency === 'USD') return createDayRates([], currency);
  const span = { currency, from: dayKey(startMs - RATE_DAYS_MAX * DAY_MS), to: dayKey(endMs - 1) };
  return createDayRates(await readExchangeRates(tx, span), currency);
}

/** The same, once each day that has usage has a rate. Throws `conflict` naming the first that has none. */
export async function loadRatesOfUse(tx: Prisma.TransactionClient, organizationId: string, asked: AskedRates): Promise<DayRates> {
  const rates = await loadDayRates(tx, asked);
  const periodStart = { gte: new Date(asked.startMs), lt: new Date(asked.endMs) };
  const days = await tx.usageDay.groupBy({ by: ['periodStart'], where: { organizationId, periodStart }, orderBy: { periodStart: 'asc' } });
  for (const day of days) rates.find(dayKey(day.periodStart.getTime()));
  return rates;
}

/** Throws `invalid_request` for a code that no currency has. */
export function checkCurrency(code: string): void {
  if (isCurrency(code)) return;
  throw new GatewayError('invalid_request', `\`currency\` must be the code of a currency, and "${code}" is none.`, { field: 'currency' });
}
