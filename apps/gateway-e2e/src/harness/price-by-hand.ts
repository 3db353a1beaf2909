const PICO_DIGITS = 12;

/** USD text as integer pico-dollars. */
function toPico(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  if (fraction.length > PICO_DIGITS) throw new Error(`${usd} is finer than a pico-dollar`);
  return BigInt(whole + fraction.padEnd(PICO_DIGITS, '0'));
}

function toUsd(pico: bigint): string {
  const digits = pico.toString().padStart(PICO_DIGITS + 1, '0');
  return `${digits.slice(0, -PICO_DIGITS)}.${digits.slice(-PICO_DIGITS)}`.replace(/\.?0+$/, '');
}

/**
 * What a request must cost, worked out apart from the gateway's own code: prices are USD per million tokens, as people
 * write them; the result is exact decimal text.
 */
export function priceByHand(lines: readonly (readonly [tokens: number, usdPerMillion: string])[]): string {
  return toUsd(lines.reduce((sum, [tokens, price]) => sum + BigInt(tokens) * (toPico(price) / 1_000_000n), 0n));
}

export function addUsd(amounts: readonly string[]): string {
  return toUsd(amounts.reduce((sum, amount) => sum + toPico(amount), 0n));
}

/** A cost as it stands in a JSON reply: its number printed without an exponent. */
export function usdText(cost: unknown): string {
  if (typeof cost !== 'number') throw new Error(`cost is ${String(cost)}, not a number`);
  return toUsd(toPico(cost.toFixed(PICO_DIGITS)));
}
