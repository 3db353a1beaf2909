/** What chance decides: the same seed, the same throws. */
export type Dice = {
  /** From 0 up to 1. */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Dice of their own for one purpose: how often others are thrown changes nothing for them. */
  fork(purpose: string): Dice;
};

/** mulberry32: small, fast, and the same everywhere. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    fork: (purpose) => createDice(hash(`${seed} ${purpose}`)),
  };
}

/** FNV-1a, mixed once more: neighbouring seeds must not throw alike. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 16;
  return Math.imul(value, 0x85ebca6b) >>> 0;
}

/** A lower-case UUID that follows from the dice. */
export function rollUuid(dice: Dice): string {
  const word = (digits: number): string =>
    Math.floor(dice.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${word(8)}-${word(4)}-4${word(3)}-8${word(3)}-${word(6)}${word(6)}`;
}
