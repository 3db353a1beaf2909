const MAX_PLACES = 60;
// Multiplying by a ready power is twice as fast as padding the text with zeros, and workers do it for every request.
const POWERS_OF_TEN = Array.from({ length: MAX_PLACES + 1 }, (_, exponent) => 10n ** BigInt(exponent));

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,60}))?$/;

/** Decimal text as an integer count of 10^-places. Refuses exponents, signs other than '-', and digits that would be lost. */
export function parseDecimal(text: string, places: number): bigint {
  const match = DECIMAL.exec(text);
  if (match === null) throw new RangeError('not a decimal number');
  const fraction = match[3] ?? '';
  if (fraction.length > places && /[1-9]/.test(fraction.slice(places))) {
    throw new RangeError(`more than ${places} decimal places`);
  }
  const kept = fraction.slice(0, places);
  const scale = POWERS_OF_TEN[places - kept.length];
  if (scale === undefined) throw new RangeError(`no more than ${MAX_PLACES} decimal places can be held`);
  const magnitude = BigInt((match[2] ?? '') + kept) * scale;
  return match[1] === '-' ? -magnitude : magnitude;
}

const EXPONENT_FORM = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/;

/** The shortest decimal text that means exactly this number to JavaScript, without exponent: 1.5e-7 is "0.00000015". */
export function numberToDecimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('not a finite number');
  const text = String(value);
  const match = EXPONENT_FORM.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
