/** Numbers that follow from a seed: the same seed makes the same requests. */
export type Random = {
  /** From 0 up to and without `below`. */
  integer(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    pick: (items) => {
      const item = items[integer(items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}
