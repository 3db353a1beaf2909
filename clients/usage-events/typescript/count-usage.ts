/** Sequences of one writer, as ranges from and to, in order, with a hole between each two. */
type Ranges = [from: number, to: number][];

/** Everything that has to be kept together: kept apart, a crash in between would count something twice, or not at all. */
export type State = {
  /** The next offset to read, by partition. */
  offsets: Record<string, string>;
  writers: Record<string, Ranges>;
  events: number;
  requests: number;
  repeated: number;
  lost: number;
  /** Pico-dollars (1e-12 USD) as decimal text. */
  billed_p: string;
};

/** What of a record decides whether it counts. */
export type UsageRecord = { readonly writer: string; readonly sequence: number; readonly value: string };

type Value = { readonly lost?: boolean; readonly logical?: boolean; readonly billed_p: string };

export const emptyState = (): State => ({ offsets: {}, writers: {}, events: 0, requests: 0, repeated: 0, lost: 0, billed_p: '0' });

/** Counts a record, unless its writer's sequence was seen before: records may come again at any time. */
export function countRecord(state: State, { writer, sequence, value }: UsageRecord): void {
  if (!addSequence((state.writers[writer] ??= []), sequence)) {
    state.repeated += 1;
    return;
  }
  const event = JSON.parse(value) as Value;
  if (event.lost === true) {
    state.lost += 1;
    return;
  }
  state.events += 1;
  if (event.logical === true) state.requests += 1;
  state.billed_p = String(BigInt(state.billed_p) + BigInt(event.billed_p));
}

/** Returns false for a sequence that is there already. */
function addSequence(ranges: Ranges, sequence: number): boolean {
  const at = ranges.findIndex(([from]) => from > sequence);
  const place = at === -1 ? ranges.length : at;
  const before = ranges[place - 1];
  if (before !== undefined && sequence <= before[1]) return false;
  ranges.splice(place, 0, [sequence, sequence]);
  joinWithNext(ranges, place);
  joinWithNext(ranges, place - 1);
  return true;
}

/** Makes one range of two that have no hole between them. */
function joinWithNext(ranges: Ranges, at: number): void {
  const [range, next] = [ranges[at], ranges[at + 1]];
  if (range === undefined || next === undefined || range[1] + 1 !== next[0]) return;
  range[1] = next[1];
  ranges.splice(at + 1, 1);
}

/** Every writer begins at 0 and leaves nothing out, so what is between two ranges, and before the first, is missing. */
export function describeState({ writers, offsets: _, billed_p: billed, ...counts }: State) {
  const described = Object.entries(writers).map(([writer, ranges]) => {
    const missing = ranges.flatMap(([from], index) => {
      const after = (ranges[index - 1]?.[1] ?? -1) + 1;
      return from > after ? [[after, from - 1] as const] : [];
    });
    const [first] = ranges;
    return [writer, { complete_to: first?.[0] === 0 ? first[1] : -1, missing }] as const;
  });
  return {
    ...counts,
    billed_usd: showUsd(BigInt(billed)),
    is_complete: described.every(([, { missing }]) => missing.length === 0),
    writers: Object.fromEntries(described),
  };
}

function showUsd(pico: bigint): string {
  const digits = pico.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
}
