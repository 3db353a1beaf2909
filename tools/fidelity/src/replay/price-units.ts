import type { PriceSheet, UsageEvent } from '@weir/contracts';

const ATTO_DIGITS = 18;
const ATTO_PER_PICO = 1_000_000n;

/** What journalled units cost by a price sheet, in pico-dollars, worked out apart from the gateway's own pricing. */
export function priceByHand(sheet: PriceSheet, { units }: Pick<UsageEvent, 'units'>): bigint {
  if (sheet.kind !== 'chat') throw new Error('chat models have chat prices');
  const prompt = units.in + units.cached_in + units.cache_w5m + units.cache_w1h;
  const tier = sheet.tiers.filter(({ threshold }) => threshold === 0 || prompt > threshold).at(-1);
  if (tier === undefined) throw new Error('a sheet has a first tier');
  const audioIn = Math.min(units.audio_in, units.in);
  const audioOut = Math.min(units.audio_out, units.out);
  const lines: readonly (readonly [number, string | undefined])[] = [
    [units.in - audioIn, tier.input],
    [audioIn, tier.audioInput ?? tier.input],
    [units.cached_in, tier.cachedRead],
    [units.cache_w5m, tier.cacheWrite5m],
    [units.cache_w1h, tier.cacheWrite1h],
    [units.out - audioOut, tier.output],
    [audioOut, tier.audioOutput ?? tier.output],
    [units.searches, sheet.search],
  ];
  const atto = lines.reduce((sum, [count, price]) => sum + BigInt(count) * toAtto(price ?? '0'), 0n);
  const rest = atto % ATTO_PER_PICO;
  const down = atto / ATTO_PER_PICO;
  const isUp = rest * 2n > ATTO_PER_PICO || (rest * 2n === ATTO_PER_PICO && down % 2n === 1n);
  return isUp ? down + 1n : down;
}

function toAtto(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(ATTO_DIGITS, '0'));
}
