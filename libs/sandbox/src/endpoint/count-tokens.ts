/**
 * The sandbox's rule: a token is a run of characters other than space, together with the space before it. Space at the
 * very end belongs to the last token. Returns the first ones, at most `most`.
 */
export function splitTokens(text: string, most = Infinity): string[] {
  const tokens: string[] = [];
  let start = 0;
  let wasSpace = true;
  for (let position = 0; position < text.length; position += 1) {
    const isSpace = isSpaceCode(text.charCodeAt(position));
    if (isSpace && !wasSpace) {
      tokens.push(text.slice(start, position));
      start = position;
      if (tokens.length === most) return tokens;
    }
    wasSpace = isSpace;
  }
  const rest = text.slice(start);
  if (rest === '') return tokens;
  if (wasSpace && tokens.length > 0) tokens.push(`${tokens.pop() ?? ''}${rest}`);
  else tokens.push(rest);
  return tokens;
}

export function countTokens(text: string): number {
  let count = 0;
  let wasSpace = true;
  for (let position = 0; position < text.length; position += 1) {
    const isSpace = isSpaceCode(text.charCodeAt(position));
    if (wasSpace && !isSpace) count += 1;
    wasSpace = isSpace;
  }
  return count === 0 && text !== '' ? 1 : count;
}

/** What `\s` stands for beyond ASCII. A pattern for each character of a long text would take too long. */
const OTHER_SPACES: ReadonlySet<number> = new Set([
  ...[0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ...Array.from({ length: 11 }, (_, index) => 0x2000 + index),
]);

function isSpaceCode(code: number): boolean {
  if (code <= 0x7f) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  // Most scripts are between the spaces of Latin and those of punctuation, or behind those.
  if ((code > 0xa0 && code < 0x1680) || (code > 0x3000 && code !== 0xfeff)) return false;
  return OTHER_SPACES.has(code);
}
