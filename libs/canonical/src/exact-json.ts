import { endOfScalar, endOfString } from './index-members';

/** A number that a double cannot hold, or would not be written like: as marked text. */
export type ExactNumber = string & { readonly isExactNumber: true };

/** Of this process: a caller cannot write it. */
const MARK = `\uf8ff${globalThis.crypto.randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`, 'g');
/**
 * The beginning of a number with sixteen digits, fewer of which every double holds, or with an exponent. What stands before it
 * keeps most texts from looking like one.
 */
const LONG = /(?:^|[:,[\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Whether parsing might change a number. Finds too much rather than too little. */
export function mayHoldLongNumber(text: string): boolean {
  return LONG.test(text);
}

/**
 * JSON.parse, except that numbers which a double cannot hold (identifiers, bounds of 64 bits, decimals with more digits, what is
 * larger than any double) are kept as marked text: for values that `stringifyExactJson` writes again. `asNumber` reads one that is
 * computed with. Throws a SyntaxError as JSON.parse does.
 */
export function parseExactJson(text: string): unknown {
  if (!mayHoldLongNumber(text)) return JSON.parse(text) as unknown;
  const parsed = JSON.parse(text) as unknown; // marking relies on the text being JSON
  const marked = markNumbers(text);
  return marked === null ? parsed : (JSON.parse(marked) as unknown);
}

/** JSON.stringify, with every marked number as it was. */
export function stringifyExactJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined; // of undefined, as JSON.stringify makes none
  return text?.includes(MARK) === true ? text.replace(MARKED, '$1') : (text as string);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** A number in a parsed value, as near to what was written as a double is; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return isExactNumber(value) ? Number(value.slice(MARK.length)) : undefined;
}

/** Null where no number needs a mark. */
function markNumbers(text: string): string | null {
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
      if (!isHeldByDouble(number)) {
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

const SHORT = /^-?\d{1,15}$/;

/** Whether a number of a JSON text has the value, digit by digit, that is written for the double nearest to it. */
export function isHeldByDouble(number: string): boolean {
  return SHORT.test(number) || readDigits(number) === readDigits(String(Number(number)));
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The same text for equal numbers, however they are written. */
function readDigits(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === ''
    ? `${whole === '' ? number : 0}`
    : `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}
