import { digitOr, digitsOf, isDigit } from './characters';
import { createShapeDetector } from './shape';

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
const PATTERN = /(?<![\dA-Za-z_.+])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\dA-Za-z_])/g;

/** Card numbers: the right length for their issuer, and a check digit that fits (Luhn). */
export const cards = createShapeDetector(
  'card',
  [{ pattern: PATTERN, verify: (text, start, end) => (isCardNumber(digitsOf(text.slice(start, end))) ? end : undefined) }],
  [{ isPart: digitOr(' -'), isStart: isDigit, reach: 32 }],
);

function isCardNumber(digits: string): boolean {
  return ISSUERS.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) && hasLuhnDigit(digits);
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
