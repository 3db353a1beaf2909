import type { ConvertedBy, UsageEntry, UsageResponse } from '@weir/contracts';
import { parseUsd } from '@weir/pricing';
import { periodKey, periodStart, type UsageQuery } from '@weir/usage';
import { formatDecimal, roundHalfEven } from '../amounts/decimals';
import { CONVERTED_PLACES, formatRate, type DayRate, type DayRates } from '../currencies/day-rates';

type Usage = UsageResponse['usage'];
type MoneyOf = Pick<UsageQuery, 'resolution' | 'groupBy'>;

/** Decimal places of amounts in reports. */
export const REPORT_PLACES = 12;

/** The question whose response says what was used on each day: of a month, every day has its own rate. */
export function planMoneyQuery(query: UsageQuery): UsageQuery {
  return query.resolution === 'month' ? { ...query, resolution: 'day' } : query;
}

/**
 * The same usage with amounts in another currency beside those in USD. `detail` is the same by the day or hour, by the same
 * groups. Each amount is the sum of what its days come to, rounded once. Throws `conflict` for a day without a rate.
 */
export function addMoney(usage: Usage, detail: Usage, { resolution, groupBy, rates }: MoneyOf & { readonly rates: DayRates }) {
  const used = new Map<string, DayRate>();
  const sums = new Map<string, bigint>();
  const add = (key: string, pico: bigint, rate: DayRate): void => void sums.set(key, (sums.get(key) ?? 0n) + pico * rate.perUsd);
  for (const [start, entry] of Object.entries(detail)) {
    const rate = rates.find(start.slice(0, 10));
    used.set(rate.day, rate);
    const period = periodKey(periodStart(resolution, Date.parse(start)));
    add(period, parseUsd(entry.spend), rate);
    for (const group of entry.grouped_data ?? []) add(period + nameGroup(groupBy, group.group_by_values), parseUsd(group.spend), rate);
  }
  const withMoney = <Entry extends UsageEntry>(entry: Entry, key: string): Entry => ({
    ...entry,
    spend_in_currency: formatDecimal(roundHalfEven(sums.get(key) ?? 0n, CONVERTED_PLACES, REPORT_PLACES), REPORT_PLACES),
  });
  const converted: Usage = Object.fromEntries(
    Object.entries(usage).map(([period, { grouped_data: groups, ...entry }]) => [
      period,
      {
        ...withMoney(entry, period),
        ...(groups === undefined
          ? {}
          : { grouped_data: groups.map((group) => withMoney(group, period + nameGroup(groupBy, group.group_by_values))) }),
      },
    ]),
  );
  return { usage: converted, currency: { code: rates.currency, rates: listRates(used.values()) } };
}

function nameGroup(groupBy: readonly string[], values: Readonly<Record<string, string>>): string {
  return JSON.stringify(groupBy.map((name) => values[name]));
}

/** By which rates the days of these lines were converted. */
export function listUsedRates(rates: DayRates, lines: Iterable<{ readonly day: string }>): ConvertedBy {
  const days = new Set<string>();
  for (const { day } of lines) days.add(day);
  return { code: rates.currency, rates: listRates([...days].map((day) => rates.find(day))) };
}

/** As reports show them, in the order of days. */
function listRates(used: Iterable<DayRate>): ConvertedBy['rates'] {
  return [...used]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map((rate) => ({ day: rate.day, published_on: rate.publishedOn, per_usd: formatRate(rate) }));
}
