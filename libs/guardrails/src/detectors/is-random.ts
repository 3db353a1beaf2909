const STAND_IN =
  /x{4}|\*{3}|\.\.\.|your|example|placeholder|changeme|change_me|redacted|dummy|insert|process\.env|os\.environ|^https?:|<|>|\$\{/i;
/** Bits a character; words and paths have less than keys of the same length. */
const BITS_MIN = 3;
const BITS_MIN_SHORT = 2.4;
const SHORT = 16;

/** Whether a value looks made by chance, as keys and good passwords are, and is no stand-in for one. */
export function isRandom(value: string, lengthMin: number): boolean {
  if (value.length < lengthMin || STAND_IN.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (kinds < 2 || !/\d|[^A-Za-z0-9_.-]/.test(value)) return false;
  return countBits(value) >= (value.length < SHORT ? BITS_MIN_SHORT : BITS_MIN);
}

/** Shannon's entropy of a text's characters. */
function countBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
