/** Which characters one place of a pattern takes: a bit for each of ASCII, and one for all others together. */
export type CharacterSet = bigint;

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const OTHERS = 1n << 128n;
const OTHER_SAMPLES = ['\u0080', '\u00a0', 'é', 'ſ', '中', '\u2028', '\ufeff', '😀'];
/** Spellings that may mean a character beyond ASCII without any of the samples being it. */
const MAY_BE_OTHER = /[^\x00-\x7f]|\\[xupPc]/; // eslint-disable-line no-control-regex

export const NO_CHARACTERS: CharacterSet = 0n;

/** What was worked out last: most patterns are made of the same few places, and each takes more than a hundred matches. */
const known = new Map<string, CharacterSet>();
const KNOWN_MAX = 1000;

/** The set of a class, an escape or a literal, given in the syntax of regular expressions. */
export function toCharacterSet(source: string): CharacterSet {
  let set = known.get(source);
  if (set === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(source, (set = readCharacterSet(source)));
  }
  return set;
}

function readCharacterSet(source: string): CharacterSet {
  const place = new RegExp(`^(?:${source})$`, 'u');
  let set = NO_CHARACTERS;
  for (const [code, character] of ASCII.entries()) if (place.test(character)) set |= 1n << BigInt(code);
  const hasOthers = MAY_BE_OTHER.test(source) || OTHER_SAMPLES.some((character) => place.test(character));
  return hasOthers ? set | OTHERS : set;
}

export const WORD_CHARACTERS = toCharacterSet('\\w');
