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

/** Rounded for sight: cents from a dollar on, hundredths of a cent below. */
export function formatMoney(pico: bigint): string {
  const magnitude = pico < 0n ? -pico : pico;
  const sign = pico < 0n ? '−' : '';
  const places = magnitude === 0n || magnitude >= PICO ? 2 : 4;
  const step = 10n ** BigInt(PLACES - places);
  const rounded = (magnitude + step / 2n) / step;
  if (rounded === 0n && magnitude > 0n) return `${sign}<$0.0001`;
  const digits = rounded.toString().padStart(places + 1, '0');
  return `${sign}$${group(digits.slice(0, -places))}.${digits.slice(-places)}`;
}

/** For drawing alone, where a pixel is coarser than any error of it. */
export function approximateUsd(pico: bigint): number {
  return Number(pico) / Number(PICO);
}

function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
