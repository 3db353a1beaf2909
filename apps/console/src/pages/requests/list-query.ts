import type { operations } from '../../generated/api';
import type { Range, RequestsSearch } from './requests-search';

export type ListQuery = NonNullable<operations['list-generations']['parameters']['query']>;

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<Range, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS };

/** What is asked of the interface for a view; pages of one view share it, so its start does not move while it is read. */
export function toListQuery(search: RequestsSearch, now: Date): ListQuery {
  const { label, live: _live, range, min_ms: minMs, max_ms: maxMs, start, end, ...rest } = search;
  const from = start ?? (range === undefined ? undefined : new Date(now.getTime() - LENGTHS[range]).toISOString());
  return {
    ...(rest as ListQuery),
    ...(from === undefined ? {} : { start: toInstant(from) }),
    ...(end === undefined ? {} : { end: toInstant(end) }),
    ...(minMs === undefined ? {} : { min_ms: Number(minMs) }),
    ...(maxMs === undefined ? {} : { max_ms: Number(maxMs) }),
    ...(label === undefined ? {} : { label: groupLabels(label) }),
  };
}

/** `team=a`, `team=b` → team: a or b. */
function groupLabels(labels: readonly string[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const text of labels) {
    const name = text.slice(0, text.indexOf('='));
    grouped.set(name, [...(grouped.get(name) ?? []), text.slice(name.length + 1)]);
  }
  return Object.fromEntries(grouped);
}

/** A time without a zone is the reader's. */
function toInstant(text: string): string {
  return new Date(text).toISOString();
}
