/** A string, a number or the name of a member inside JSON text, whose path ends with it. The path is one array, changed as the walk goes on: copy what is kept. */
export type Leaf = {
  readonly kind: 'string' | 'number' | 'name';
  readonly path: readonly (string | number)[];
  /** Where its text stands, quotes included. */
  readonly start: number;
  readonly end: number;
};

/** Goes through valid JSON text, in order, and visits every string and number that is a value, and every name before what it names. */
export function walkJson(text: string, visit: (leaf: Leaf) => void): void {
  const path: (string | number)[] = [];
  let position = 0;

  const skipSpace = (): void => {
    while (position < text.length && text.charCodeAt(position) <= 0x20) position += 1;
  };

  const readString = (): void => {
    position = endOfString(text, position);
  };

  const readMember = (): void => {
    skipSpace();
    const start = position;
    readString();
    const name = text.slice(start + 1, position - 1);
    path.push(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name);
    visit({ kind: 'name', path, start, end: position });
    skipSpace();
    position += 1; // the colon
    readValue();
    path.pop();
  };

  const readItem = (index: number): void => {
    path.push(index);
    readValue();
    path.pop();
  };

  const readAll = (close: number, readOne: (index: number) => void): void => {
    position += 1;
    for (let index = 0; position < text.length; index += 1) {
      skipSpace();
      if (text.charCodeAt(position) === close) break;
      readOne(index);
      skipSpace();
      if (text.charCodeAt(position) === 0x2c) position += 1;
    }
    position += 1;
  };

  const readValue = (): void => {
    skipSpace();
    const start = position;
    const code = text.charCodeAt(position);
    if (code === 0x7b) return readAll(0x7d, readMember);
    if (code === 0x5b) return readAll(0x5d, readItem);
    if (code === 0x22) {
      readString();
      return visit({ kind: 'string', path, start, end: position });
    }
    while (position < text.length && !endsScalar(text.charCodeAt(position))) position += 1;
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) visit({ kind: 'number', path, start, end: position });
  };

  readValue();
}

/** The offset after the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function endsScalar(code: number): boolean {
  return code <= 0x20 || code === 0x2c || code === 0x5d || code === 0x7d;
}

/** What a string in JSON text says, its quotes included in the text. */
export function readJsonString(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
