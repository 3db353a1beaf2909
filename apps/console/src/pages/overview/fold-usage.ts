import { parseMoney } from '../../format/money';
import type { Measure } from './overview-search';

/** What is read of an entry of usage. */
type Entry = Readonly<Record<Exclude<Measure, 'spend'> | 'cached_tokens' | 'reasoning_tokens', number>> & { readonly spend: string };
type GroupedEntry = Entry & { readonly group_by_values: Readonly<Record<string, string>> };
export type Usage = { readonly usage: Readonly<Record<string, Entry & { readonly grouped_data?: readonly GroupedEntry[] }>> };

/** Integers alone: spend in pico-dollars, the rest as counted. */
export type Sums = Readonly<Record<keyof Entry, bigint>>;

export type Row = { readonly value: string; readonly sums: Sums };

const NAMES = ['spend', 'total_requests', 'input_tokens', 'output_tokens', 'cached_tokens', 'reasoning_tokens'] as const;

export const NOTHING: Sums = {
  spend: 0n,
  total_requests: 0n,
  input_tokens: 0n,
  output_tokens: 0n,
  cached_tokens: 0n,
  reasoning_tokens: 0n,
};

function readSums(entry: Entry): Sums {
  const counts = NAMES.filter((name) => name !== 'spend').map((name) => [name, BigInt(entry[name])] as const);
  return { ...NOTHING, ...Object.fromEntries(counts), spend: parseMoney(entry.spend) };
}

function addSums(a: Sums, b: Sums): Sums {
  return Object.fromEntries(NAMES.map((name) => [name, a[name] + b[name]])) as Sums;
}

export function sumUsage({ usage }: Usage): Sums {
  return Object.values(usage).reduce((sum, entry) => addSums(sum, readSums(entry)), NOTHING);
}

/** One row for each value of the dimension, the greatest first; equal ones by name. */
export function listRows({ usage }: Usage, dimension: string, measure: Measure): Row[] {
  const rows = new Map<string, Sums>();
  for (const { grouped_data: grouped = [] } of Object.values(usage)) {
    for (const entry of grouped) {
      const value = entry.group_by_values[dimension] ?? '';
      rows.set(value, addSums(rows.get(value) ?? NOTHING, readSums(entry)));
    }
  }
  return [...rows].map(([value, sums]) => ({ value, sums })).sort((a, b) => compare(a, b, measure));
}

function compare(a: Row, b: Row, measure: Measure): number {
  const [first, second] = [a.sums[measure], b.sums[measure]];
  if (first !== second) return first > second ? -1 : 1;
  return a.value < b.value ? -1 : 1;
}

/** The measure of each period: of one value, or without one of all. */
export function listValues(
  { usage }: Usage,
  periods: readonly Date[],
  pick: { measure: Measure; dimension?: string; value?: string },
): bigint[] {
  const byPeriod = new Map(Object.entries(usage).map(([start, entry]) => [Date.parse(start), entry]));
  return periods.map((period) => {
    const entry = byPeriod.get(period.getTime());
    if (entry === undefined) return 0n;
    if (pick.dimension === undefined) return readSums(entry)[pick.measure];
    const { dimension, value, measure } = pick;
    const own = (entry.grouped_data ?? []).filter(({ group_by_values: values }) => values[dimension] === value);
    return own.reduce((sum, one) => sum + readSums(one)[measure], 0n);
  });
}
