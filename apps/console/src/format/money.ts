/** Money as the gateway has it: a bigint of pico-dollars. Amounts are added as integers and never become floating point. */
const PLACES = 12;
const PICO = 10n ** BigInt(PLACES);
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,12}))?$/;

/** Reads the API's exact decimal text. JSON numbers of limits are given as their text. */
export function parseMoney(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) throw new Error(`"${text}" is no amount of money`);
  const pico = BigInt(whole) * PICO + BigInt(fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -pico : pico;
}

/** A JSON number of USD (limits and budgets), which may be written with an exponent. Its shortest text is what the gateway wrote. */
export function parseUsd(value: number): bigint {
  const text = String(value);
  return parseMoney(DECIMAL.test(text) ? text : value.toFixed(PLACES));
}

export function sumMoney(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** Every digit, as the API writes it. */
export function writeMoney(pico: bigint): string {
  const magnitude = pico < 0n ? -pico : pico;
  const fraction = (magnitude % PICO).toString().padStart(PLACES, '0').replace(/0+$/, '');
  return `${pico < 0n ? '-' : ''}${magnitude / PICO}${fraction === '' ? '' : `.${fraction}`}`;
}

export function formatMoneyExactly(pico: bigint): string {
  const [whole = '', fraction = ''] = writeMoney(pico < 0n ? -pico : pico).split('.');
  return `${pico < 0n ? '−' : ''}$${group(whole)}.${fraction.padEnd(2, '0')}`;
}

/** Rounded for sight: cents from a dollar on, below it hundredths of a cent, or two digits that count. */
export function formatMoney(pico: bigint): string {
  const magnitude = pico < 0n ? -pico : pico;
  const places = choosePlaces(magnitude);
  const step = 10n ** BigInt(PLACES - places);
  const digits = ((magnitude + step / 2n) / step).toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places);
  const shown = places > CENT_PLACES ? fraction.slice(0, CENT_PLACES) + fraction.slice(CENT_PLACES).replace(/0+$/, '') : fraction;
  return `${pico < 0n ? '−' : ''}$${group(digits.slice(0, -places))}.${shown}`;
}

/** Down to hundredths of a cent. */
const CENT_PLACES = 4;

function choosePlaces(magnitude: bigint): number {
  if (magnitude === 0n || magnitude >= PICO) return 2;
  return Math.min(PLACES, Math.max(CENT_PLACES, PLACES + 2 - magnitude.toString().length));
}

/** For drawing alone, where a pixel is coarser than any error of it. */
export function approximateUsd(pico: bigint): number {
  return Number(pico) / Number(PICO);
}

function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
