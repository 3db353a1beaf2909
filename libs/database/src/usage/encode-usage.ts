import type { GroupedUsageEntry, Modality, UsageEntry, UsageResponse } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';
import { periodKey } from '@weir/usage';

/** One row per period, group and modality; numbers as text, as Postgres sums them. */
export type UsageRow = {
  readonly bucket_seconds: string;
  /** A JSON list of the group's values. */
  readonly groups: string;
  readonly modality: Modality;
  readonly requests: string;
  readonly input_tokens: string;
  readonly output_tokens: string;
  readonly cached_tokens: string;
  readonly cache_write_tokens: string;
  readonly reasoning_tokens: string;
  readonly cost_pico: string;
};

type Totals = { entry: UsageEntry; costPico: bigint };
/** Groups by their values as JSON. */
type Period = Totals & { readonly groups: Map<string, Totals> };

const REQUESTS_OF: Readonly<Record<Modality, keyof UsageEntry & `${string}_requests`>> = {
  chat: 'completions_requests',
  embedding: 'embedding_requests',
  image: 'image_requests',
  speech: 'speech_requests',
  transcription: 'transcription_requests',
};

/** Periods in order of time, groups by spend; a period without usage is not listed. */
export function encodeUsage(rows: readonly UsageRow[], groupBy: readonly string[]): UsageResponse['usage'] {
  const periods = new Map<number, Period>();
  for (const row of rows) {
    const seconds = Number(row.bucket_seconds);
    const period: Period = periods.get(seconds) ?? { ...noTotals(), groups: new Map() };
    periods.set(seconds, period);
    addRow(period, row);
    if (groupBy.length > 0) addRow(groupOf(period, row.groups), row);
  }
  const ordered = [...periods].sort(([a], [b]) => a - b);
  return Object.fromEntries(ordered.map(([seconds, period]) => [periodKey(seconds * 1000), encodePeriod(period, groupBy)]));
}

function groupOf({ groups }: Period, values: string): Totals {
  let group = groups.get(values);
  if (group === undefined) groups.set(values, (group = noTotals()));
  return group;
}

function encodePeriod(period: Period, groupBy: readonly string[]): UsageEntry & { grouped_data?: GroupedUsageEntry[] } {
  if (groupBy.length === 0) return encodeTotals(period);
  const groups = [...period.groups].sort(([aKey, a], [bKey, b]) => {
    if (a.costPico !== b.costPico) return a.costPico > b.costPico ? -1 : 1;
    return aKey < bKey ? -1 : 1;
  });
  const grouped = groups.map(([key, group]) => {
    const values = JSON.parse(key) as string[];
    return { ...encodeTotals(group), group_by_values: Object.fromEntries(groupBy.map((name, at) => [name, values[at] ?? ''])) };
  });
  return { ...encodeTotals(period), grouped_data: grouped };
}

function encodeTotals({ entry, costPico }: Totals): UsageEntry {
  return { ...entry, spend: formatUsd(costPico) };
}

function noTotals(): Totals {
  return {
    costPico: 0n,
    entry: {
      completions_requests: 0,
      embedding_requests: 0,
      image_requests: 0,
      speech_requests: 0,
      transcription_requests: 0,
      total_requests: 0,
      spend: '0',
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
      cached_tokens: 0,
      reasoning_tokens: 0,
    },
  };
}

/** Input is the whole prompt, of which cached tokens are a part: what callers were told in their replies. */
function addRow(totals: Totals, row: UsageRow): void {
  const { entry } = totals;
  const requests = Number(row.requests);
  const input = Number(row.input_tokens) + Number(row.cached_tokens) + Number(row.cache_write_tokens);
  const output = Number(row.output_tokens);
  entry[REQUESTS_OF[row.modality]] += requests;
  entry.total_requests += requests;
  entry.input_tokens += input;
  entry.output_tokens += output;
  entry.total_tokens += input + output;
  entry.cached_tokens += Number(row.cached_tokens);
  entry.reasoning_tokens += Number(row.reasoning_tokens);
  totals.costPico += BigInt(row.cost_pico);
}
