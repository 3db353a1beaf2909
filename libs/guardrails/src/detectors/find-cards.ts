import { digitOr, digitsOf, isDigit } from './characters';
import type { Detector } from './detector';
import { gapAfter, lengthOf, startOf, type DigitRuns } from './digit-runs';
import { findOpenRun, findShapeAt, type Run } from './shape';

type Issuer = { readonly prefix: RegExp; readonly lengths: readonly number[] };

/** Ranges of issuer identification numbers (ISO/IEC 7812) with the lengths in use there. */
const ISSUERS: readonly Issuer[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { prefix: /^3(?:0[0-5]|[689])/, lengths: [14] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:50|5[678]|6304|6390|67)/, lengths: [16, 18, 19] },
];

/** All digits together, or in the groups that are printed on cards. */
const PATTERN = /(?<![\dA-Za-z_.+])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\dA-Za-z_])/y;

/** Card numbers: the right length for their issuer, and a check digit that fits (Luhn). */
export const cards: Detector = {
  name: 'card',
  find: ({ text, digitRuns }, report) => {
    const runs = digitRuns();
    for (let index = 0; index < runs.count; index += 1) {
      if (canBegin(runs, index)) findShapeAt(text, startOf(runs, index), { pattern: PATTERN, verify, report });
    }
  },
  pendingFrom: (text, from) => findOpenRun(text, from, OPEN),
};

const OPEN: Run = { isPart: digitOr(' -'), isStart: isDigit, reach: 32 };

/** What the pattern says of the lengths of runs alone. */
function canBegin(runs: DigitRuns, index: number): boolean {
  const length = lengthOf(runs, index);
  if (length !== 4) return length >= 13 && length <= 19;
  const next = lengthOf(runs, index + 1);
  return (next === 4 || next === 6) && gapAfter(runs, index) === 1;
}

function verify(text: string, start: number, end: number): number | undefined {
  const digits = digitsOf(text.slice(start, end));
  return hasLuhnDigit(digits) && isOfAnIssuer(digits) ? end : undefined;
}

function isOfAnIssuer(digits: string): boolean {
  return ISSUERS.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits));
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30;
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
