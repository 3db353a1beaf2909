/** Where one top-level member of a JSON object stands in its text (UTF-16 offsets, end exclusive). */
export type MemberSpan = {
  readonly name: string;
  /** Of the opening quote of the name. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Finds the members of a JSON object whose text JSON.parse has accepted, or those with one name. Returns undefined for any other
 * value.
 */
export function indexMembers(text: string, only?: string): MemberSpan[] | undefined {
  let position = skipSpace(text, 0);
  if (text.charCodeAt(position) !== OPEN_BRACE) return undefined;
  position = skipSpace(text, position + 1);
  const members: MemberSpan[] = [];
  while (text.charCodeAt(position) === QUOTE) {
    const start = position;
    const nameEnd = endOfString(text, position);
    const isOther = only !== undefined && !isNamed(text, { start, end: nameEnd }, only);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    if (!isOther) members.push({ name: only ?? readName(text.slice(start, nameEnd)), start, valueStart, valueEnd });
    position = skipSpace(text, valueEnd);
    if (text.charCodeAt(position) === COMMA) position = skipSpace(text, position + 1);
  }
  return members;
}

function isNamed(text: string, { start, end }: { readonly start: number; readonly end: number }, name: string): boolean {
  if (end - start === name.length + 2) return text.startsWith(name, start + 1);
  // Written in another way, it is longer.
  return end - start > name.length + 2 && hasEscape(text, start, end) && readName(text.slice(start, end)) === name;
}

function hasEscape(text: string, from: number, end: number): boolean {
  for (let position = from; position < end; position += 1) if (text.charCodeAt(position) === BACKSLASH) return true;
  return false;
}

/** What a name says, of its JSON text. Most are written as they are: those need no parser. */
export function readName(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** Finds the elements of a JSON array in the same way. Returns undefined for any other value. */
export function indexElements(text: string): { readonly start: number; readonly end: number }[] | undefined {
  let position = skipSpace(text, 0);
  if (text.charCodeAt(position) !== OPEN_BRACKET) return undefined;
  position = skipSpace(text, position + 1);
  const elements: { start: number; end: number }[] = [];
  while (position < text.length && text.charCodeAt(position) !== CLOSE_BRACKET) {
    const end = endOfValue(text, position);
    elements.push({ start: position, end });
    position = skipSpace(text, end);
    if (text.charCodeAt(position) === COMMA) position = skipSpace(text, position + 1);
  }
  return elements;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) position += 1;
    else return position;
  }
}

/** The offset after the closing quote of the string that opens at `from`. */
export function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  while (quote !== -1) {
    let backslashes = 0;
    for (let before = quote - 1; text.charCodeAt(before) === BACKSLASH; before -= 1) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(text, from);
  return endOfScalar(text, from);
}

/** The offset after the number or word that begins at `from`. */
export function endOfScalar(text: string, from: number): number {
  let position = from;
  while (position < text.length && !endsScalar(text.charCodeAt(position))) position += 1;
  return position;
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20;
}

function endOfNested(text: string, from: number): number {
  let depth = 0;
  let position = from;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(text, position);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
    position += 1;
  }
  return text.length;
}
