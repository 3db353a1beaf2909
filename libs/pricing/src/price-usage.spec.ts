import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatPriceSheet } from '@weir/contracts';
import fc from 'fast-check';
import { compilePriceSheet } from './compile-price-sheet';
import { priceUsage } from './price-usage';
import { formatUsd } from './usd';

type Tier = ChatPriceSheet['tiers'][number];
const FREE: Tier = { threshold: 0, input: '0', output: '0', cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' };
const chatSheet = (...tiers: Partial<Tier>[]): ChatPriceSheet => ({
  kind: 'chat',
  version: '2026-08-22',
  tiers: tiers.map((tier) => ({ ...FREE, ...tier })),
});
const used = (usage: Partial<Usage>): Usage => ({ ...NO_USAGE, ...usage });

/** A different way to the same truth: exact fractions over 10^60, rounded by comparing twice the remainder. */
function referencePico(sheet: ChatPriceSheet, usage: Usage): bigint {
  const scale = 60;
  const rational = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole) * 10n ** BigInt(scale) + (fraction === '' ? 0n : BigInt(fraction) * 10n ** BigInt(scale - fraction.length));
  };
  const prompt = usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  let tier = sheet.tiers[0] as Tier;
  for (const candidate of sheet.tiers) if (candidate.threshold < prompt && candidate.threshold >= tier.threshold) tier = candidate;
  const rows: [number, string][] = [
    [usage.inputUncached - Math.min(usage.audioInput, usage.inputUncached), tier.input],
    [Math.min(usage.audioInput, usage.inputUncached), tier.audioInput ?? tier.input],
    [usage.cacheRead, tier.cachedRead],
    [usage.cacheWrite5m, tier.cacheWrite5m],
    [usage.cacheWrite1h, tier.cacheWrite1h],
    [usage.output - Math.min(usage.audioOutput, usage.output), tier.output],
    [Math.min(usage.audioOutput, usage.output), tier.audioOutput ?? tier.output],
    [usage.searches, sheet.search ?? '0'],
  ];
  const sum = rows.reduce((total, [count, price]) => total + BigInt(count) * rational(price), 0n);
  const unit = 10n ** BigInt(scale - 12);
  const floor = sum / unit;
  const rest = sum % unit;
  if (rest * 2n === unit) return floor + (floor & 1n);
  return rest * 2n > unit ? floor + 1n : floor;
}

const price = fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 6, max: 18 })).map(([digits, places]) => {
  const text = String(digits).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
});
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 0, max: 2 ** 40 }));
const tier = fc.record(
  {
    input: price,
    output: price,
    cachedRead: price,
    cacheWrite5m: price,
    cacheWrite1h: price,
    audioInput: price,
    audioOutput: price,
  },
  { requiredKeys: ['input', 'output', 'cachedRead', 'cacheWrite5m', 'cacheWrite1h'] },
);
const anySheet = fc
  .tuple(
    fc.array(tier, { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 3, maxLength: 3 }),
    price,
  )
  .map(([tiers, thresholds, search]): ChatPriceSheet => {
    const sorted = [0, ...thresholds.sort((a, b) => a - b)];
    return { kind: 'chat', version: 'v', search, tiers: tiers.map((row, index) => ({ ...row, threshold: sorted[index] as number })) };
  });
const anyUsage = fc
  .record({
    inputUncached: tokens,
    cacheRead: tokens,
    cacheWrite5m: tokens,
    cacheWrite1h: tokens,
    output: tokens,
    searches: fc.nat(50),
    audioInput: tokens,
    audioOutput: tokens,
  })
  .map(used);

describe('priceUsage', () => {
  it('equals exact fractions rounded half-even, for every tier, bucket and price', () => {
    fc.assert(
      fc.property(anySheet, anyUsage, (sheet, usage) => {
        expect(priceUsage(sheet, usage)).toBe(referencePico(sheet, usage));
      }),
      { numRuns: 5_000 },
    );
  });

  it('stays exact where floats go astray', () => {
    const sheet = chatSheet({ input: '0.0000000000000001', output: '0.0000003' });
    expect(formatUsd(priceUsage(sheet, used({ inputUncached: 10_000, output: 1 })))).toBe('0.000000300001');
  });

  describe('tier x cache lifetime', () => {
    const sheet: ChatPriceSheet = {
      ...chatSheet(
        {
          threshold: 0,
          input: '0.000003',
          output: '0.000015',
          cachedRead: '0.0000003',
          cacheWrite5m: '0.00000375',
          cacheWrite1h: '0.000006',
        },
        {
          threshold: 200_000,
          input: '0.000006',
          output: '0.0000225',
          cachedRead: '0.0000006',
          cacheWrite5m: '0.0000075',
          cacheWrite1h: '0.000012',
        },
      ),
      search: '0.01',
    };
    it.each<[string, Partial<Usage>, string]>([
      ['base tier, nothing cached', { inputUncached: 1_000, output: 100 }, '0.0045'],
      ['base tier, read', { inputUncached: 1_000, cacheRead: 10_000, output: 100 }, '0.0075'],
      ['base tier, 5 minute write', { inputUncached: 1_000, cacheWrite5m: 10_000, output: 100 }, '0.042'],
      ['base tier, 1 hour write', { inputUncached: 1_000, cacheWrite1h: 10_000, output: 100 }, '0.0645'],
      ['a prompt of exactly the threshold', { inputUncached: 200_000, output: 100 }, '0.6015'],
      ['one token more moves the whole request', { inputUncached: 200_001, output: 100 }, '1.202256'],
      ['cached tokens count towards the threshold', { inputUncached: 1, cacheRead: 200_000, output: 0 }, '0.120006'],
      ['high tier, 5 minute write', { cacheWrite5m: 200_001 }, '1.5000075'],
      ['high tier, 1 hour write', { cacheWrite1h: 200_001 }, '2.400012'],
      ['output alone never lifts the tier', { inputUncached: 1, output: 1_000_000 }, '15.000003'],
      ['searches, beside tokens', { inputUncached: 1_000, searches: 3 }, '0.033'],
      ['searches of a size without a fee of its own', { inputUncached: 1_000, searches: 3, searchesHigh: 2 }, '0.033'],
      ['reasoning is inside output', { output: 100, reasoning: 90 }, '0.0015'],
      [
        'audio without a price of its own costs what text does',
        { inputUncached: 100, audioInput: 90, output: 10, audioOutput: 10 },
        '0.00045',
      ],
      ['nothing used', {}, '0'],
    ])('%s', (_what, usage, usd) => {
      expect(formatUsd(priceUsage(sheet, used(usage)))).toBe(usd);
    });
  });

  it.each<[string, Partial<Usage>, string]>([
    ['the least, as its provider bills it', { inputUncached: 14, output: 9, searches: 1 }, '0.005023'],
    ['medium', { inputUncached: 14, output: 9, searches: 1, searchesMedium: 1 }, '0.008023'],
    ['high', { inputUncached: 14, output: 9, searches: 2, searchesHigh: 1 }, '0.017023'],
    ['no more than there were', { searches: 1, searchesHigh: 5, searchesMedium: 5 }, '0.012'],
  ])('charges a search by its size: %s', (_what, usage, usd) => {
    const sheet = chatSheet({ threshold: 0, input: '0.000001', output: '0.000001' });
    const priced = { ...sheet, search: '0.005', searchMedium: '0.008', searchHigh: '0.012' };
    expect(formatUsd(priceUsage(priced, used(usage)))).toBe(usd);
  });

  describe('audio with a price of its own', () => {
    const sheet = chatSheet(
      { threshold: 0, input: '0.0000025', output: '0.00001', audioInput: '0.00004', audioOutput: '0.00008' },
      { threshold: 1_000, input: '0.000005', output: '0.00002', audioInput: '0.00004', audioOutput: '0.00008' },
    );
    it.each<[string, Partial<Usage>, string]>([
      ['only the audio part of the prompt', { inputUncached: 100, audioInput: 40 }, '0.00175'],
      ['only the audio part of the output', { output: 100, audioOutput: 90 }, '0.0073'],
      ['all of it audio', { inputUncached: 100, audioInput: 100, output: 10, audioOutput: 10 }, '0.0048'],
      ['text beside no audio', { inputUncached: 100, output: 10 }, '0.00035'],
      ['audio counted beyond its bucket is charged once', { inputUncached: 10, audioInput: 500, output: 5, audioOutput: 900 }, '0.0008'],
      ['in the tier that the prompt reaches', { inputUncached: 1_001, audioInput: 1 }, '0.00504'],
    ])('%s', (_what, usage, usd) => {
      expect(formatUsd(priceUsage(sheet, used(usage)))).toBe(usd);
    });

    it('may be cheaper than text', () => {
      const cheap = chatSheet({ input: '0.000001', audioInput: '0' });
      expect(formatUsd(priceUsage(cheap, used({ inputUncached: 10, audioInput: 4 })))).toBe('0.000006');
      expect(priceUsage(cheap, used({ inputUncached: 10, audioInput: 4_000 }))).toBe(0n);
    });
  });

  it.each<[number, bigint]>([
    [1, 0n],
    [2, 1n],
    [3, 2n],
    [5, 2n],
    [6, 3n],
    [7, 4n],
  ])('rounds %i halves of a pico-dollar to the even neighbour', (tokenCount, pico) => {
    expect(priceUsage(chatSheet({ input: '0.0000000000005' }), used({ inputUncached: tokenCount }))).toBe(pico);
  });

  it('rounds once per event: halves of several buckets add up before they are rounded', () => {
    const half = '0.0000000000005';
    const sheet = chatSheet({ input: half, output: half, cachedRead: half });
    expect(priceUsage(sheet, used({ inputUncached: 1, output: 1, cacheRead: 1 }))).toBe(2n);
    expect(priceUsage(sheet, used({ inputUncached: 1, output: 1 }))).toBe(1n);
  });

  it('picks the same tier however the sheet orders them', () => {
    const rising = chatSheet({ threshold: 0, input: '0.000001' }, { threshold: 10, input: '0.000002' });
    const falling = chatSheet({ threshold: 10, input: '0.000002' }, { threshold: 0, input: '0.000001' });
    for (const inputUncached of [10, 11]) {
      expect(priceUsage(falling, used({ inputUncached }))).toBe(priceUsage(rising, used({ inputUncached })));
    }
  });

  it('refuses a negative count, which would pay the caller', () => {
    expect(() => priceUsage(chatSheet({ input: '0.000001' }), used({ inputUncached: -5 }))).toThrow(RangeError);
  });

  it('refuses a sheet of another modality', () => {
    expect(() => priceUsage({ kind: 'units', version: 'v', units: { image: '1' } }, used({ output: 1 }))).toThrow(RangeError);
  });
});

describe('compilePriceSheet', () => {
  it('works a sheet out once', () => {
    const sheet = chatSheet({ input: '0.000001' });
    expect(compilePriceSheet(sheet)).toBe(compilePriceSheet(sheet));
    expect(compilePriceSheet({ ...sheet })).not.toBe(compilePriceSheet(sheet));
  });

  it('refuses a price finer than it can hold, rather than cutting it', () => {
    expect(() => compilePriceSheet(chatSheet({ input: '0.0000000000000000001' }))).toThrow(RangeError);
  });
});
