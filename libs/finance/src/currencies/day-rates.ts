import { GatewayError } from '@weir/errors';
import { divideHalfEven, parseDecimal } from '@weir/pricing';
import { DAY_MS } from '@weir/usage';
import { formatDecimal } from '../amounts/decimals';

/** What one unit of `base` is worth in `currency` on a UTC day, as the operator loaded it: exact decimal text. */
export type StoredRate = { readonly base: string; readonly currency: string; readonly day: string; readonly rate: string };

/** What a day's USD are converted by. */
export type DayRate = {
  /** The UTC day that is converted, `2026-10-03`. */
  readonly day: string;
  /** The day whose rate it is: the same, or the last one before it that has a rate. */
  readonly publishedOn: string;
  /** Units of the currency for one USD, as an integer count of 10^-18. */
  readonly perUsd: bigint;
};

/** Decimal places that a rate is kept and shown with. */
export const RATE_PLACES = 18;
/** Decimal places of USD times a rate, before anything is rounded. */
export const CONVERTED_PLACES = 30;
/** For so many days a rate stands in for those that have none: banks publish none on holidays. */
export const RATE_DAYS_MAX = 7;

export type DayRates = {
  readonly currency: string;
  /** Throws `conflict` naming the day where neither it nor the seven days before have a rate. */
  find(day: string): DayRate;
  /** The same without an error. */
  look(day: string): DayRate | undefined;
};

/**
 * The rates of a currency by day, of rows of that currency and of USD. Where a bank publishes by another base, both rates of
 * a day make one, rounded half-even at 18 places: what is shown is what is multiplied by.
 */
export function createDayRates(rows: readonly StoredRate[], currency: string): DayRates {
  const byDay = new Map<string, StoredRate[]>();
  for (const row of rows) byDay.set(row.day, [...(byDay.get(row.day) ?? []), row]);
  const published = new Map([...byDay].flatMap(([day, ofDay]) => toPair(day, crossRate(ofDay, currency))));
  const look = (day: string): DayRate | undefined => {
    if (currency === 'USD') return { day, publishedOn: day, perUsd: 10n ** BigInt(RATE_PLACES) };
    for (let back = 0; back <= RATE_DAYS_MAX; back += 1) {
      const publishedOn = dayKey(Date.parse(`${day}T00:00:00Z`) - back * DAY_MS);
      const perUsd = published.get(publishedOn);
      if (perUsd !== undefined) return { day, publishedOn, perUsd };
    }
    return undefined;
  };
  return { currency, look, find: (day) => look(day) ?? refuse(currency, day) };
}

function refuse(currency: string, day: string): never {
  throw new GatewayError(
    'conflict',
    `There is no rate of ${currency} for ${day}, nor for the ${RATE_DAYS_MAX} days before it. The operator has to load it.`,
    { field: 'currency' },
  );
}

function toPair(day: string, rate: bigint | undefined): [string, bigint][] {
  return rate === undefined ? [] : [[day, rate]];
}

/** USD as the base first, then the other bases in the order of the alphabet: always the same one. */
function crossRate(rows: readonly StoredRate[], currency: string): bigint | undefined {
  const direct = rateOf(rows, 'USD', currency);
  if (direct !== undefined) return direct;
  for (const base of [...new Set(rows.map((row) => row.base))].sort()) {
    const [usd, other] = [rateOf(rows, base, 'USD'), base === currency ? ONE : rateOf(rows, base, currency)];
    if (usd !== undefined && other !== undefined) return divideHalfEven(other * ONE, usd);
  }
  return undefined;
}

const ONE = 10n ** BigInt(RATE_PLACES);

function rateOf(rows: readonly StoredRate[], base: string, currency: string): bigint | undefined {
  const row = rows.find((one) => one.base === base && one.currency === currency);
  return row === undefined ? undefined : parseDecimal(row.rate, RATE_PLACES);
}

/** The UTC day of a moment, `2026-10-03`. */
export function dayKey(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

export function formatRate({ perUsd }: Pick<DayRate, 'perUsd'>): string {
  return formatDecimal(perUsd, RATE_PLACES);
}
