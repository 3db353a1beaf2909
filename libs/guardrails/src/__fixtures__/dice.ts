/** Numbers that follow from a seed alone (mulberry32). */
export type Dice = {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number;
  pick<Item>(items: readonly Item[]): Item;
  digits(count: number): string;
  from(characters: string, count: number): string;
};

export function createDice(seed: number): Dice {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (sides: number): number => Math.floor(next() * sides);
  const from = (characters: string, count: number): string =>
    Array.from({ length: count }, () => characters[roll(characters.length)]).join('');
  return { roll, pick: (items) => items[roll(items.length)] as never, digits: (count) => from('0123456789', count), from };
}
