import { createRandom, type Random } from '@weir/chaos';
import type { Kind, Request } from './request';

/** Requests that belong together, of one kind. */
export type Group = {
  readonly id: string;
  readonly kind: string;
  readonly mark: string;
  readonly requests: readonly Request[];
  readonly isConcurrent: boolean;
};

/** The share of groups of independent kinds that are sent several at a time. */
const CONCURRENT_SHARE = 0.2;
/** Kinds that take turns by their count begin with another one under another seed. */
const TURNS = 6;

/** So many requests, every kind at least once as far as they fit, in an order that follows from the seed alone; the concurrent ones last. */
export function planRequests(kinds: readonly Kind[], { count, seed }: { readonly count: number; readonly seed: number }): Group[] {
  const random = createRandom(seed);
  const made = new Map<Kind, number>();
  const turns = Math.floor(random() * TURNS);
  const groups: Group[] = [];
  let total = 0;
  const add = (kind: Kind): void => {
    const drawn = made.get(kind) ?? 0;
    made.set(kind, drawn + 1);
    const mark = markOf(groups.length);
    const requests = kind.make({ mark, random, count: drawn + turns });
    total += requests.length;
    const isConcurrent = kind.isIndependent === true && drawn > 0 && random() < CONCURRENT_SHARE;
    groups.push({ id: `${kind.id} #${drawn + 1}`, kind: kind.id, mark, requests, isConcurrent });
  };
  for (const kind of shuffle(kinds, random)) if (total < count) add(kind);
  while (total < count) {
    const kind = drawKind(
      kinds.filter((one) => (made.get(one) ?? 0) < (one.most ?? Infinity)),
      random,
    );
    if (kind === undefined) break;
    add(kind);
  }
  const inOrder = shuffle(groups, random);
  return [...inOrder.filter((group) => !group.isConcurrent), ...inOrder.filter((group) => group.isConcurrent)];
}

/** Letters only: nothing that looks for numbers, names or secrets in a text finds it. */
function markOf(index: number): string {
  const letters = index.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 26)));
  return `mark-${letters}-`;
}

function drawKind(kinds: readonly Kind[], random: Random): Kind | undefined {
  const all = kinds.reduce((sum, { weight = 1 }) => sum + weight, 0);
  let left = random() * all;
  return kinds.find(({ weight = 1 }) => (left -= weight) < 0) ?? kinds.at(-1);
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
