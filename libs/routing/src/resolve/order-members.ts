import type { PolicyDocument } from '@weir/contracts';
import { createHash } from 'node:crypto';

/** Something a policy chooses from: a model, or a policy inside it. */
export type Member = {
  readonly id: string;
  readonly weight: number;
};

/** What a policy may know when it orders its members. */
export type OrderFacts<Each extends Member> = {
  /** Whose requests go the same way; null lets chance decide. */
  readonly sticky: string | null;
  /** 0 ≤ number < 1. */
  readonly random: () => number;
  /** The most that this request may cost there, in pico-dollars. */
  readonly priceOf: (member: Each) => bigint;
  /** What is known of the time until a member's first byte. */
  readonly latencyOf: (member: Each) => MeasuredLatency;
};

/** `samples` counts less the longer ago they were; without any, `meanMs` means nothing. */
export type MeasuredLatency = { readonly meanMs: number; readonly samples: number };

type Ordered<Each extends Member> = {
  readonly members: readonly Each[];
  /** Why the first one is first. */
  readonly reason: string;
};

/** How many requests of a latency policy go first to where least is known. */
export const EXPLORATION_SHARE = 0.1;

/** Puts the members of one policy into the order in which they are tried. */
export function orderMembers<Each extends Member>(
  strategy: PolicyDocument['strategy'],
  members: readonly Each[],
  facts: OrderFacts<Each>,
): Ordered<Each> {
  if (members.length < 2) return { members, reason: strategy };
  switch (strategy) {
    case 'fallback':
      return { members, reason: 'fallback' };
    case 'weighted':
      return orderByWeight(members, facts);
    case 'latency':
      return orderByLatency(members, facts);
    case 'price':
      return { members: sortBy(members, facts.priceOf), reason: 'price' };
  }
}

/**
 * Each member draws a number from an exponential distribution with its weight as the rate; the least comes first. The first
 * is then distributed by weight, so is the next among the rest, and one whose weight changes moves only its own share.
 */
function orderByWeight<Each extends Member>(members: readonly Each[], { sticky, random }: OrderFacts<Each>): Ordered<Each> {
  const draw = sticky === null ? random : undefined;
  const drawn = members.map((member) => {
    const chance = draw?.() ?? hashToUnit(`${sticky}\n${member.id}`);
    return { member, at: -Math.log(1 - chance) / member.weight };
  });
  drawn.sort((a, b) => a.at - b.at);
  return { members: drawn.map(({ member }) => member), reason: sticky === null ? 'weighted' : 'sticky' };
}

/** 0 ≤ number < 1, the same in every process. */
function hashToUnit(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

function orderByLatency<Each extends Member>(members: readonly Each[], facts: OrderFacts<Each>): Ordered<Each> {
  const known = shuffle(members, facts.random).map((member) => ({ member, ...facts.latencyOf(member) }));
  const byTime = sortBy(known, ({ meanMs, samples }) => (samples > 0 ? meanMs : Infinity));
  const leastKnown = sortBy(known, ({ samples }) => samples)[0];
  const [first] = byTime;
  const isExploring = leastKnown !== first && facts.random() < EXPLORATION_SHARE;
  const sorted = isExploring && leastKnown !== undefined ? [leastKnown, ...byTime.filter((one) => one !== leastKnown)] : byTime;
  return { members: sorted.map(({ member }) => member), reason: isExploring ? 'exploring' : 'latency' };
}

function shuffle<Each>(items: readonly Each[], random: () => number): Each[] {
  return sortBy(
    items.map((item) => ({ item, at: random() })),
    ({ at }) => at,
  ).map(({ item }) => item);
}

/** Those that compare equal stay in their order. */
function sortBy<Each>(items: readonly Each[], keyOf: (item: Each) => number | bigint): Each[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
}
