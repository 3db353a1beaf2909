import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { digitOr, digitsOf, isDigit } from './characters';
import { createShapeDetector } from './shape';

/** Where a number without a country may be at home, when something near it says that it is a phone number. */
const COUNTRIES: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'IN', 'BR', 'JP', 'AU', 'MX', 'PL', 'CH', 'AT'];
const INTERNATIONAL = /(?<![\w+./=-])(?:\+|00 ?)[1-9](?:[ .\-/()]{0,2}\d){6,14}(?!\d)/g;
const NORTH_AMERICAN = /(?<![\w+./=-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\w-]|\.\d)/g;
const NATIONAL = /(?<![\w+./=-])\(?0?\d(?:[ .\-/()]{0,2}\d){5,12}(?![\w-]|\.\d)/g;
const WORD_BEFORE =
  /(?:phone|tel|telefon|telephone|teléfono|téléphone|telefono|mobile|mobil|handy|cell|call|calling|fax|whatsapp|sms|contact|dial|reach me at|text me at)(?: number| no| nr)?\.?[\s:=#]{0,3}(?:is |at |on |me |us )?(?:at |on )?$/i;
const LOOK_BACK = 32;
/** Groups that may follow a number and are none of it, and one. */
const TRIES = 3;

/**
 * Phone numbers: with their country's code, in the form of North America, or in any national form when a word before them
 * says so. All must be numbers that can be given out in their country.
 */
export const phones = createShapeDetector(
  'phone',
  [
    { pattern: INTERNATIONAL, verify: (text, start, end) => trimToNumber(text, start, end) },
    { pattern: NORTH_AMERICAN, verify: (text, start, end) => (isValid(text.slice(start, end), 'US') ? end : undefined) },
    { pattern: NATIONAL, verify: findNationalEnd },
  ],
  [{ isPart: digitOr(' .-/()+'), isStart: (code) => isDigit(code) || code === 0x2b || code === 0x28, reach: 52 }],
);

/** What follows a number may look like more of it: whole groups are left off until the rest is one. */
function trimToNumber(text: string, start: number, end: number): number | undefined {
  let last = end;
  for (let tries = 0; tries < TRIES && digitsOf(text.slice(start, last)).length >= 7; tries += 1) {
    const number = text.slice(start, last).replace(/^00 ?/, '+');
    if (parsePhoneNumberFromString(number)?.isValid() === true) return last;
    const group = /[ .\-/()]+\d+$/.exec(text.slice(start, last));
    if (group === null) return undefined;
    last -= group[0].length;
  }
  return undefined;
}

function findNationalEnd(text: string, start: number, end: number): number | undefined {
  if (!WORD_BEFORE.test(text.slice(Math.max(0, start - LOOK_BACK), start))) return undefined;
  const number = text.slice(start, end);
  return COUNTRIES.some((country) => isValid(number, country)) ? end : undefined;
}

function isValid(number: string, country: CountryCode): boolean {
  return parsePhoneNumberFromString(number, country)?.isValid() === true;
}
