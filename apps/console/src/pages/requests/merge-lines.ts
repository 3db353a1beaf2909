import type { Schemas } from '../../api';

export type RequestLine = Schemas['GenerationSummary'];

/** Requests that came to be counted while the page is open, by when each was first seen. */
export type Arrivals = { readonly lines: readonly RequestLine[]; readonly seenAt: ReadonlyMap<string, number> };

export const NO_ARRIVALS: Arrivals = { lines: [], seenAt: new Map() };

/** Newest first, each request once: what was counted last is what is true of it. */
export function mergeLines(...lists: readonly (readonly RequestLine[])[]): RequestLine[] {
  const byId = new Map<string, RequestLine>();
  for (const line of lists.flat()) if (!byId.has(line.id)) byId.set(line.id, line);
  return [...byId.values()].sort(compareLines);
}

/** A request may be returned again: it is new only once. */
export function addArrivals({ lines, seenAt }: Arrivals, more: readonly RequestLine[], now: number): Arrivals {
  if (more.length === 0) return { lines, seenAt };
  const seen = new Map(seenAt);
  for (const { id } of more) if (!seen.has(id)) seen.set(id, now);
  return { lines: mergeLines(more, lines), seenAt: seen };
}

/** Requests are counted when they end, so one that is new may stand below others; the id decides between equals. */
function compareLines(one: RequestLine, other: RequestLine): number {
  const [first, second] = [Date.parse(one.admitted_at), Date.parse(other.admitted_at)];
  if (first !== second) return second - first;
  return one.id < other.id ? 1 : -1;
}
