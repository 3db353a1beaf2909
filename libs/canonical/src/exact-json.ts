import { endOfScalar, endOfString } from './index-members';

/** Carries an integer that a double cannot hold, or would not be written like, through parsed JSON, as text that no one else writes. */
const MARK = '\uf8ffexact-integer:';
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');
/** Every integer beyond 2^53 has at least as many digits. */
const LONG = /\d{16}/;

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Whether parsing might change a number. Finds too much rather than too little. */
export function hasLongInteger(text: string): boolean {
  return LONG.test(text);
}

/**
 * JSON.parse, except that integers which a double cannot hold (identifiers, bounds of 64 bits) are kept as marked text:
 * for values that no one computes with and `stringifyExactJson` writes again. Throws a SyntaxError as JSON.parse does.
 */
export function parseExactJson(text: string): unknown {
  if (!hasLongInteger(text)) return JSON.parse(text) as unknown;
  const parsed = JSON.parse(text) as unknown; // marking relies on the text being JSON
  const marked = markIntegers(text);
  return marked === null ? parsed : (JSON.parse(marked) as unknown);
}

/** JSON.stringify, with every marked integer as it was. */
export function stringifyExactJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replace(MARKED, '$1') : text;
}

/** Null where no integer needs a mark. */
function markIntegers(text: string): string | null {
  let marked = '';
  let copied = 0;
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = endOfString(text, position);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfScalar(text, position);
      const number = text.slice(position, end);
      if (isInexact(number)) {
        marked += `${text.slice(copied, position)}"${MARK}${number}"`;
        copied = end;
      }
      position = end;
    } else {
      position += 1;
    }
  }
  return copied === 0 ? null : marked + text.slice(copied);
}

function isInexact(number: string): boolean {
  return /^-?\d{16,}$/.test(number) && String(Number(number)) !== number;
}
