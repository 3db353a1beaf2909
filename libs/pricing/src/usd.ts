import { numberToDecimalText, parseDecimal } from './decimal';

const PICO_PLACES = 12;
const PICO_PER_USD = 1_000_000_000_000n;

/** Integer pico-dollars as exact USD text, without exponent or trailing zeros: 14550000n is "0.00001455". */
export function formatUsd(pico: bigint): string {
  if (pico < 0n) return `-${formatUsd(-pico)}`;
  const fraction = pico % PICO_PER_USD;
  const whole = String(pico / PICO_PER_USD);
  if (fraction === 0n) return whole;
  return `${whole}.${trimZeros(String(fraction).padStart(PICO_PLACES, '0'))}`;
}

/** USD text as pico-dollars. Throws RangeError for anything but plain decimal text that is exact to 1e-12. */
export function parseUsd(text: string): bigint {
  return parseDecimal(text, PICO_PLACES);
}

/** A USD amount that a person wrote as a JSON number: what they typed, not the binary fraction it became. */
export function usdNumberToPico(value: number): bigint {
  return parseDecimal(numberToDecimalText(value), PICO_PLACES);
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}
