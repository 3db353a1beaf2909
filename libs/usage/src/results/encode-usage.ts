import type { GroupedUsageEntry, Modality, UsageEntry, UsageResponse } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';
import { periodCeiling, periodKey, periodStart } from '../period-key';
import type { UsageQuery } from '../usage-query';

/** All periods, or one of them, of a group and modality. */
export type UsageRow = {
  /** A JSON list of the group's values. */
  readonly groups: string;
  readonly modality: Modality;
  /**
   * Of each period its start in epoch seconds and the sums of `RESULT_COLUMNS`, with a space between; a comma between periods.
   * One text is read faster than eight, and than thousands.
   */
  readonly sums: string;
};

/** The periods in a row, each as its start and its sums. */
export function listPeriods({ sums }: Pick<UsageRow, 'sums'>): string[] {
  return sums.split(',');
}

type Totals<Entry = UsageEntry> = { readonly entry: Entry; costPico: bigint };
/** Of a group: its values as JSON, by which groups of the same spend are ordered. */
type Group = Totals<GroupedUsageEntry> & { readonly key: string };
/** Groups by the place of their values among those of the result: looking up a number is faster than a text. */
type Period = Totals & { readonly groups: (Group | undefined)[] };

/** What a row adds to its period and to its group: read once, since results have up to half a million rows. */
type Sums = {
  readonly seconds: string;
  readonly requestsOf: (typeof REQUESTS_OF)[Modality];
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
  readonly costPico: bigint;
};

const REQUESTS_OF: Readonly<Record<Modality, keyof UsageEntry & `${string}_requests`>> = {
  chat: 'completions_requests',
  embedding: 'embedding_requests',
  image: 'image_requests',
  speech: 'speech_requests',
  transcription: 'transcription_requests',
};

/** Periods in order of time, groups by spend; a period without usage is not listed. */
export function encodeUsage(rows: readonly UsageRow[], groupBy: readonly string[]): UsageResponse['usage'] {
  const periods = new Map<string, Period>();
  const valuesOf = createValuesReader(groupBy);
  const places = new Map<string, number>();
  for (const row of rows) {
    const requestsOf = REQUESTS_OF[row.modality];
    const place = placeOf(places, row.groups);
    for (const text of listPeriods(row)) {
      const sums = readSums(text, requestsOf);
      let period = periods.get(sums.seconds);
      if (period === undefined) periods.set(sums.seconds, (period = { entry: noUsage(), costPico: 0n, groups: [] }));
      addSums(period, sums);
      if (groupBy.length > 0) addSums((period.groups[place] ??= openGroup(row.groups, valuesOf)), sums);
    }
  }
  const ordered = [...periods].sort(([a], [b]) => Number(a) - Number(b));
  return Object.fromEntries(
    ordered.map(([seconds, period]) => [
      periodKey(Number(seconds) * 1000),
      groupBy.length === 0 ? encodeTotals(period) : { ...encodeTotals(period), grouped_data: encodeGroups(period) },
    ]),
  );
}

/** The same with an entry of zeros for each period of the range in which nothing was used. */
export function fillPeriods(usage: UsageResponse['usage'], { startMs, endMs, resolution, groupBy }: UsageQuery): UsageResponse['usage'] {
  const filled: UsageResponse['usage'] = {};
  for (let at = periodStart(resolution, startMs); at < endMs; at = periodCeiling(resolution, at + 1)) {
    const key = periodKey(at);
    filled[key] = usage[key] ?? { ...noUsage(), ...(groupBy.length === 0 ? {} : { grouped_data: [] }) };
  }
  return filled;
}

/** How many entries a result has, groups among them. */
export function countUsage(usage: UsageResponse['usage']): number {
  return Object.values(usage).reduce((sum, { grouped_data }) => sum + 1 + (grouped_data?.length ?? 0), 1);
}

/** Rows of a group differ in their modality. */
function placeOf(places: Map<string, number>, key: string): number {
  const place = places.get(key) ?? places.size;
  places.set(key, place);
  return place;
}

function openGroup(key: string, valuesOf: (key: string) => GroupValues): Group {
  const entry = noUsage() as GroupedUsageEntry;
  entry.group_by_values = valuesOf(key);
  return { key, entry, costPico: 0n };
}

type GroupValues = GroupedUsageEntry['group_by_values'];

/** The same group comes in many periods; its values are read once and shared. */
export function createValuesReader(groupBy: readonly string[]): (key: string) => GroupValues {
  const known = new Map<string, GroupValues>();
  return (key) => {
    let values = known.get(key);
    if (values === undefined) {
      const texts = JSON.parse(key) as string[];
      values = Object.fromEntries(groupBy.map((name, at) => [name, texts[at] ?? '']));
      known.set(key, values);
    }
    return values;
  };
}

function encodeGroups({ groups }: Period): GroupedUsageEntry[] {
  const ordered = groups
    .filter((group) => group !== undefined)
    .sort((a, b) => {
      if (a.costPico !== b.costPico) return a.costPico > b.costPico ? -1 : 1;
      return a.key < b.key ? -1 : 1;
    });
  return ordered.map(encodeTotals);
}

function encodeTotals<Entry extends UsageEntry>({ entry, costPico }: Totals<Entry>): Entry {
  entry.spend = formatUsd(costPico);
  return entry;
}

function noUsage(): UsageEntry {
  return {
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
  };
}

/** Input is the whole prompt, of which cached tokens are a part: as in the usage that callers saw in their responses. */
function readSums(text: string, requestsOf: Sums['requestsOf']): Sums {
  let end = text.indexOf(' ');
  const seconds = text.slice(0, end);
  const next = (): number => {
    const start = end + 1;
    end = text.indexOf(' ', start);
    return readCount(text, start, end);
  };
  const requests = next();
  const uncached = next();
  const output = next();
  const cached = next();
  const input = uncached + cached + next();
  const reasoning = next();
  return { seconds, requestsOf, requests, input, output, cached, reasoning, costPico: BigInt(text.slice(end + 1)) };
}

const ZERO = 48;

/** Digit by digit: dividing the text into texts of numbers takes twice as long, for millions of counts. */
function readCount(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number(text.slice(start, end));
    count = count * 10 + digit;
  }
  return count;
}

function addSums(totals: Totals, sums: Sums): void {
  const { entry } = totals;
  entry[sums.requestsOf] += sums.requests;
  entry.total_requests += sums.requests;
  entry.input_tokens += sums.input;
  entry.output_tokens += sums.output;
  entry.total_tokens += sums.input + sums.output;
  entry.cached_tokens += sums.cached;
  entry.reasoning_tokens += sums.reasoning;
  totals.costPico += sums.costPico;
}
