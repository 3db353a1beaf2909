/** As many digits as prices have; what floats add behind them is noise. */
const DIGITS = 12;
const PLACES_MAX = 18;

/** An amount of a list as plain decimal text: `1.5e-7` becomes `0.00000015`. Undefined for what is no amount. */
export function toDecimalText(value: unknown): string | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  const [digits = '0', exponent = '0'] = number.toExponential(DIGITS - 1).split('e');
  const places = Math.min(PLACES_MAX, Math.max(0, DIGITS - 1 - Number(exponent)));
  const scaled = BigInt(digits.replace('.', '')) * 10n ** BigInt(Math.max(0, Number(exponent) - DIGITS + 1));
  const cut = 10n ** BigInt(Math.max(0, DIGITS - 1 - Number(exponent) - places));
  const text = (scaled / cut).toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const rest = text.slice(text.length - places).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}
