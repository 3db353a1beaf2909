/**
 * The sandbox's rule: a token is a run of characters other than space, together with the space before it. Space at the
 * very end belongs to the last token.
 */
export function splitTokens(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?/g) ?? (text === '' ? [] : [text]);
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

function isSpaceCode(code: number): boolean {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return true;
  return code > 0x7f && /\s/.test(String.fromCharCode(code));
}
