/** Classes of characters, by code. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

/** Letters with marks, Greek and Cyrillic: scripts that put spaces between their words. */
export function isFarLetter(code: number): boolean {
  return code >= 0xc0 && code <= 0x52f;
}

/** A test for ASCII letters, digits and the characters given. */
export function alphanumericOr(others: string): (code: number) => boolean {
  const codes = new Set([...others].map((character) => character.charCodeAt(0)));
  return (code) => isAlphanumeric(code) || codes.has(code);
}

export function digitOr(others: string): (code: number) => boolean {
  const codes = new Set([...others].map((character) => character.charCodeAt(0)));
  return (code) => isDigit(code) || codes.has(code);
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
