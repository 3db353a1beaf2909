/** An exact decimal number: `units` / 10^`places`. For prices and quantities, which are finer than money. */
export type Decimal = { readonly units: bigint; readonly places: number };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads decimal text, with an exponent or without. */
export function parseDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) throw new Error(`"${text}" is no decimal number`);
  const units = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  return shift({ units, places: fraction.length }, Number(exponent));
}

/** A price that JSON has as a number: its shortest text is what was written. */
export function readPrice(value: number): Decimal {
  return parseDecimal(String(value));
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, places: one.places + other.places };
}

export function add(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places);
  return { units: scale(one, places) + scale(other, places), places };
}

/** Times a power of ten: `shift(price, 6)` is the price of a million. */
export function shift({ units, places }: Decimal, power: number): Decimal {
  const left = places - power;
  return left >= 0 ? { units, places: left } : { units: units * 10n ** BigInt(-left), places: 0 };
}

export function isEqual(one: Decimal, other: Decimal): boolean {
  return compare(one, other) === 0;
}

/** Negative where the first is less. */
export function compare(one: Decimal, other: Decimal): number {
  const places = Math.max(one.places, other.places);
  const difference = scale(one, places) - scale(other, places);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** To that many places, halves to the even neighbour: as the gateway rounds a cost. Nothing negative is charged. */
export function roundHalfEven(number: Decimal, places: number): Decimal {
  if (number.places <= places) return number;
  const divisor = 10n ** BigInt(number.places - places);
  const [quotient, rest] = [number.units / divisor, number.units % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return { units: isUp ? quotient + 1n : quotient, places };
}

/** Every digit and no more. */
export function writeDecimal({ units, places }: Decimal, placesMin = 0): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const fraction = (places === 0 ? '' : digits.slice(-places)).replace(/0+$/, '').padEnd(placesMin, '0');
  const whole = (places === 0 ? digits : digits.slice(0, -places)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${units < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An exact amount of USD, with at least cents. */
export function writeUsd(number: Decimal): string {
  return number.units < 0n ? `−$${writeDecimal({ ...number, units: -number.units }, 2)}` : `$${writeDecimal(number, 2)}`;
}

function scale({ units, places }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - places);
}
