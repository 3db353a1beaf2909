import { NO_MEDIA_USAGE, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { priceAttempt } from '@weir/meter';
import { boundUsage, measureUsage } from './bound-usage';

const UNITS = ['input_token', 'input_image_token', 'output_token', 'output_image_token', 'image', 'character', 'second'];
const SOURCES = ['estimate', 'tokenizer', 'provider'] as const;
const RUNS = 2_000;

/** The same numbers in every run. */
function createDice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}

const makeAttempt = (units: Readonly<Record<string, string>>): Attempt => ({
  ...{ modelId: 'm', providerId: 'p', upstreamModel: 'u', region: null, isByok: false, isFree: false },
  prices: { kind: 'units', version: '1', units },
});

describe('usage of any source', () => {
  it('is never worth more than the hold, and stays as it was where the hold covers it', () => {
    const roll = createDice(7);
    let cuts = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const units = Object.fromEntries(
        UNITS.filter(() => roll(1) === 1).map((unit) => [unit, `0.${String(roll(9_999_999)).padStart(9, '0')}`]),
      );
      const attempt = makeAttempt({ ...units, second: '0.000123457' });
      const usage: MediaUsage = {
        ...NO_MEDIA_USAGE,
        ...{ inputTextTokens: roll(500), inputImageTokens: roll(5_000), inputAudioTokens: roll(500), outputTextTokens: roll(50) },
        ...{ outputImageTokens: roll(9_000), images: roll(10), characters: roll(4_000), seconds: roll(10_000_000) / 3_333 },
        source: SOURCES[run % SOURCES.length] as MediaUsage['source'],
      };
      const price = (one: MediaUsage): bigint =>
        priceAttempt(attempt.prices, tokenUsage(one), { second: 0, ...measureUsage(one, { attempt }) });
      const reserved = (price(usage) * BigInt(roll(150))) / 100n + BigInt(roll(3));
      const bounded = boundUsage(usage, { attempt, heldPico: reserved });
      const isCut = price(usage) > reserved;
      cuts += isCut ? 1 : 0;
      expect(bounded === usage).toBe(!isCut);
      expect(price(bounded) <= reserved).toBe(true);
      if (isCut) expect(bounded.source).toBe('estimate');
    }
    expect(cuts).toBeGreaterThan(RUNS / 3);
  });

  it('keeps nearly all that the hold pays for', () => {
    const attempt = makeAttempt({ second: '0.0001' });
    const heard = { ...NO_MEDIA_USAGE, seconds: 100, source: 'tokenizer' as const };
    expect(boundUsage(heard, { attempt, heldPico: 5_000_000_123n }).seconds).toBe(50);
    const drawn = { ...NO_MEDIA_USAGE, images: 3, source: 'tokenizer' as const };
    const bound = { attempt: makeAttempt({ image: '0.04', 'image:hd:9x9': '0.08' }), imageUnit: 'image:hd:9x9' };
    expect(boundUsage(drawn, { ...bound, heldPico: 160_000_000_000n }).images).toBe(2);
    expect(boundUsage(drawn, { ...bound, heldPico: null })).toBe(drawn);
  });
});
