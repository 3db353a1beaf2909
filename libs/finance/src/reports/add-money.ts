import type { ConvertedBy, GroupedUsageEntry, UsageEntry, UsageResponse } from '@weir/contracts';
import { parseUsd } from '@weir/pricing';
import { periodKey, periodStart, type UsageQuery } from '@weir/usage';
import { formatDecimal, roundHalfEven } from '../amounts/decimals';
import { CONVERTED_PLACES, formatRate, RATE_PLACES, type DayRate, type DayRates } from '../currencies/day-rates';
import { CHARGED_PLACES, type PriceList } from '../price-list/price-list';

type Usage = UsageResponse['usage'];

type MoneyOf = Pick<UsageQuery, 'resolution' | 'groupBy'> & {
  /** Of the currency that amounts are shown in as well; absent: of none. */
  readonly rates?: DayRates | undefined;
  readonly prices: PriceList;
};

/** Decimal places of amounts in another currency. */
export const REPORT_PLACES = 12;

/** What a charged price depends on. */
const PRICED_BY = ['model_used', 'is_byok'];

/**
 * The question whose response says what was used on each day, of a month as well: every day has its own rate and prices; and of
 * which model, where the organization has prices of its own.
 */
export function planMoneyQuery(query: UsageQuery, { isEmpty }: Pick<PriceList, 'isEmpty'>): UsageQuery {
  const resolution = query.resolution === 'month' ? 'day' : query.resolution;
  const groupBy = isEmpty ? query.groupBy : [...new Set([...query.groupBy, ...PRICED_BY])];
  return { ...query, resolution, groupBy };
}

/** Integer counts: of 10^-30 of the currency, of 10^-18 USD, of 10^-36 of the currency. */
type Sums = { spend: bigint; charged: bigint; chargedConverted: bigint };

/**
 * The same usage with charged prices and amounts in another currency beside what it costs. `detail` is the reply to
 * `planMoneyQuery`. Each amount is the sum of what its days come to, rounded once. Throws `conflict` for a day without a rate.
 */
export function addMoney(usage: Usage, detail: Usage, asked: MoneyOf): Pick<UsageResponse, 'usage' | 'currency'> {
  const { groupBy, rates } = asked;
  const { sums, used } = addUp(detail, asked);
  const complete = <Entry extends UsageEntry>(entry: Entry, key: string): Entry => ({ ...entry, ...describe(sums.get(key), asked) });
  const withMoney: Usage = Object.fromEntries(
    Object.entries(usage).map(([period, { grouped_data: groups, ...entry }]) => [
      period,
      {
        ...complete(entry, period),
        ...(groups === undefined
          ? {}
          : { grouped_data: groups.map((group) => complete(group, period + nameGroup(groupBy, group.group_by_values))) }),
      },
    ]),
  );
  return { usage: withMoney, ...(rates === undefined ? {} : { currency: { code: rates.currency, rates: listRates(used.values()) } }) };
}

function addUp(detail: Usage, { resolution, groupBy, rates, prices }: MoneyOf) {
  const used = new Map<string, DayRate>();
  const sums = new Map<string, Sums>();
  for (const [start, entry] of Object.entries(detail)) {
    const day = start.slice(0, 10);
    const rate = rates?.find(day);
    if (rate !== undefined) used.set(day, rate);
    const period = periodKey(periodStart(resolution, Date.parse(start)));
    for (const part of entry.grouped_data ?? [{ ...entry, group_by_values: {} }]) {
      const amounts = measure(part, { day, perUsd: rate?.perUsd ?? 0n, prices });
      add(sums, period, amounts);
      if (groupBy.length > 0) add(sums, period + nameGroup(groupBy, part.group_by_values), amounts);
    }
  }
  return { sums, used };
}

type Measured = { readonly day: string; readonly perUsd: bigint; readonly prices: PriceList };

/** Under an own account with the provider nothing is owed, and so nothing is charged. */
function measure({ spend, group_by_values: of }: GroupedUsageEntry, { day, perUsd, prices }: Measured): Sums {
  const pico = parseUsd(spend);
  const charged = prices.isEmpty || of['is_byok'] === 'true' ? 0n : pico * prices.factorOf(of['model_used'] ?? '', day);
  return { spend: pico * perUsd, charged, chargedConverted: charged * perUsd };
}

function add(sums: Map<string, Sums>, key: string, { spend, charged, chargedConverted }: Sums): void {
  const sum = sums.get(key) ?? { spend: 0n, charged: 0n, chargedConverted: 0n };
  sum.spend += spend;
  sum.charged += charged;
  sum.chargedConverted += chargedConverted;
  sums.set(key, sum);
}

function describe(sums: Sums | undefined, { rates, prices }: MoneyOf): Pick<UsageEntry, 'spend_in_currency' | 'charged'> {
  const { spend, charged, chargedConverted } = sums ?? { spend: 0n, charged: 0n, chargedConverted: 0n };
  return {
    ...(rates === undefined ? {} : { spend_in_currency: roundToReport(spend, CONVERTED_PLACES) }),
    ...(prices.isEmpty ? {} : { charged: formatDecimal(charged, CHARGED_PLACES) }),
    ...(rates === undefined || prices.isEmpty
      ? {}
      : { charged_in_currency: roundToReport(chargedConverted, CHARGED_PLACES + RATE_PLACES) }),
  };
}

/** An exact amount in another currency as reports show it. */
export function roundToReport(amount: bigint, places: number): string {
  return formatDecimal(roundHalfEven(amount, places, REPORT_PLACES), REPORT_PLACES);
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
