import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { digitOr, digitsOf, isDigit, isLetter } from './characters';
import type { Checks, Detector } from './detector';
import { endOf, gapAfter, lengthOf, startOf, type DigitRuns } from './digit-runs';
import { findOpenRun, findShapeAt, type Run } from './shape';

/** Where a number without a country may be at home, when something near it says that it is a phone number. */
const COUNTRIES: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'IN', 'BR', 'JP', 'AU', 'MX', 'PL', 'CH', 'AT'];
const INTERNATIONAL = /(?<![\w+./=-])(?:\+|00 ?)[1-9](?:[ .\-/()]{0,2}\d){6,14}(?!\d)/y;
const NORTH_AMERICAN = /(?<![\w+./=-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\w-]|\.\d)/y;
const NATIONAL = /(?<![\w+./=-])\(?0?\d(?:[ .\-/()]{0,2}\d){5,12}(?![\w-]|\.\d)/y;
const WORD_BEFORE =
  /(?:phone|tel|telefon|telephone|teléfono|téléphone|telefono|mobile|mobil|handy|cell|call|calling|fax|whatsapp|sms|contact|dial|reach me at|text me at)(?: number| no| nr)?\.?[\s:=#]{0,3}(?:is |at |on |me |us )?(?:at |on )?$/i;
/** How those words end: a cheap test that rules out most numbers. */
const WORD_ENDS: ReadonlySet<string> = new Set('ne el on no le il dy ll ng ax pp ms ct al at er nr is me us'.split(' '));
const AFTER_WORD_MAX = 4;
const LOOK_BACK = 32;
/** Groups that may follow a number and are none of it, and one. */
const TRIES = 3;
const PLUS = 0x2b;
const BRACKET = 0x28;

/** What looks like a number. */
type Candidate = { readonly text: string; readonly start: number; readonly end: number };
/** Whether a number can be given out in a country; in the one whose code it has, when none is named. */
type IsNumber = (number: string, country?: CountryCode) => boolean;
type PhoneShape = {
  /** Sticky. */
  readonly pattern: RegExp;
  /** Returns where the number ends; undefined when it is none. */
  readonly findEnd: (candidate: Candidate, isNumber: IsNumber) => number | undefined;
};

const INTERNATIONAL_SHAPE: PhoneShape = { pattern: INTERNATIONAL, findEnd: trimToNumber };
const NORTH_AMERICAN_SHAPE: PhoneShape = {
  pattern: NORTH_AMERICAN,
  findEnd: ({ text, start, end }, isNumber) => (isNumber(text.slice(start, end), 'US') ? end : undefined),
};
const NATIONAL_SHAPE: PhoneShape = { pattern: NATIONAL, findEnd: findNationalEnd };
const OPEN: Run = { isPart: digitOr(' .-/()+'), isStart: (code) => isDigit(code) || code === PLUS || code === BRACKET, reach: 52 };

/**
 * Phone numbers: with their country's code, in the form of North America, or in any national form when a word before them
 * says so. All must be numbers that can be given out in their country.
 */
export const phones: Detector = {
  name: 'phone',
  find: ({ text, from, digitRuns, checks }, report) => {
    const runs = digitRuns();
    const isNumber = limitChecks(checks);
    const tryAt = (start: number, { pattern, findEnd }: PhoneShape): void => {
      if (start < from) return;
      findShapeAt(text, start, { pattern, report, verify: (_, __, end) => findEnd({ text, start, end }, isNumber) });
    };
    for (let index = 0; index < runs.count; index += 1) {
      const start = startOf(runs, index);
      const before = text.charCodeAt(start - 1);
      if (before === PLUS) tryAt(start - 1, INTERNATIONAL_SHAPE);
      else if (text.startsWith('00', start)) tryAt(start, INTERNATIONAL_SHAPE);
      // Brackets around the first group belong to a number, a bracket around all of it does not.
      if (canBeNorthAmerican(runs, index))
        tryAt(before === BRACKET && text[endOf(runs, index)] === ')' ? start - 1 : start, NORTH_AMERICAN_SHAPE);
      const first = before === BRACKET ? start - 1 : start;
      if (isAfterWord(text, first)) tryAt(first, NATIONAL_SHAPE);
    }
  },
  pendingFrom: (text, from) => findOpenRun(text, from, OPEN),
};

/** What the pattern says of the lengths of runs alone: three digits, three and four, perhaps after one. */
function canBeNorthAmerican(runs: DigitRuns, index: number): boolean {
  const length = lengthOf(runs, index);
  if (length !== 3 && length !== 1) return false;
  const area = length === 1 ? index + 1 : index;
  return (
    gapAfter(runs, index) <= 2 &&
    lengthOf(runs, area) === 3 &&
    gapAfter(runs, area) <= 2 &&
    lengthOf(runs, area + 1) === 3 &&
    gapAfter(runs, area + 1) === 1 &&
    lengthOf(runs, area + 2) === 4
  );
}

/** Whether what stands right before a number may be one of the words that say what it is. */
function isAfterWord(text: string, start: number): boolean {
  let end = start;
  while (end > start - AFTER_WORD_MAX && mayFollowWord(text.charCodeAt(end - 1))) end -= 1;
  return isLetter(text.charCodeAt(end - 1)) && WORD_ENDS.has(text.slice(Math.max(0, end - 2), end).toLowerCase());
}

/** `.`, `:`, `=`, `#` and spaces, those of other scripts too. */
function mayFollowWord(code: number): boolean {
  return (
    code === 0x20 || code === 0x3a || code === 0x2e || code === 0x3d || code === 0x23 || (code >= 0x09 && code <= 0x0d) || code >= 0xa0
  );
}

/** What follows a number may look like more of it: whole groups are left off until the rest is one. */
function trimToNumber({ text, start, end }: Candidate, isNumber: IsNumber): number | undefined {
  let last = end;
  for (let tries = 0; tries < TRIES && digitsOf(text.slice(start, last)).length >= 7; tries += 1) {
    if (isNumber(text.slice(start, last).replace(/^00 ?/, '+'))) return last;
    const group = /[ .\-/()]+\d+$/.exec(text.slice(start, last));
    if (group === null) return undefined;
    last -= group[0].length;
  }
  return undefined;
}

function findNationalEnd({ text, start, end }: Candidate, isNumber: IsNumber): number | undefined {
  if (!WORD_BEFORE.test(text.slice(Math.max(0, start - LOOK_BACK), start))) return undefined;
  const number = text.slice(start, end);
  return COUNTRIES.some((country) => isNumber(number, country)) ? end : undefined;
}

/** Looking a number up takes as long as reading a page. */
function limitChecks(checks: Checks): IsNumber {
  return (number, country) => {
    if (checks.left <= 0) return true;
    checks.left -= 1;
    return parsePhoneNumberFromString(number, country)?.isValid() === true;
  };
}
