export type Dice = {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number;
  pick<Entry>(entries: readonly Entry[]): Entry;
};

/** Chance that repeats itself: the same seed throws the same numbers (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;

  function roll(sides: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  }

  function pick<Entry>(entries: readonly Entry[]): Entry {
    return entries[roll(entries.length)] as Entry;
  }

  return { roll, pick };
}
