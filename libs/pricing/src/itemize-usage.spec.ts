import type { PriceSheet, UsageUnits } from '@weir/contracts';
import { itemizeUsage } from './itemize-usage';

const NOTHING: UsageUnits = {
  ...{ in: 0, out: 0, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0 },
  ...{ images: 0, chars: 0, ms_audio: 0, searches: 0 },
};
const TIER = { cachedRead: '0.0000001', cacheWrite5m: '0.000002', cacheWrite1h: '0.000003', audioInput: '0.00001' };
const CHAT: PriceSheet = {
  kind: 'chat',
  version: 'v',
  tiers: [
    { threshold: 0, input: '0.000001', output: '0.000004', ...TIER },
    { threshold: 100, input: '0.000002', output: '0.000008', ...TIER },
  ],
  search: '0.01',
};
const units = (more: Partial<UsageUnits>): UsageUnits => ({ ...NOTHING, ...more });

it('writes a line for each kind of token, at the tier that the whole prompt reaches', () => {
  const used = units({ in: 90, cached_in: 20, out: 10, reasoning: 4, searches: 1, cache_w1h: 1 });
  // 90 × 0.000002 + 20 × 0.0000001 + 0.000003 + 10 × 0.000008 + 0.01
  expect(itemizeUsage(CHAT, used, 10_265_000_000n)).toEqual([
    { unit: 'input', quantity: '90', price: '0.000002', amount: '0.00018' },
    { unit: 'cached_input', quantity: '20', price: '0.0000001', amount: '0.000002' },
    { unit: 'cache_write_1h', quantity: '1', price: '0.000003', amount: '0.000003' },
    { unit: 'output', quantity: '10', price: '0.000008', amount: '0.00008' },
    { unit: 'search', quantity: '1', price: '0.01', amount: '0.01' },
  ]);
});

it('gives searches of each size a line', () => {
  const sheet: PriceSheet = { ...CHAT, searchHigh: '0.03' };
  expect(itemizeUsage(sheet, units({ searches: 3, searches_high: 1 }), 50_000_000_000n)).toEqual([
    { unit: 'search', quantity: '2', price: '0.01', amount: '0.02' },
    { unit: 'search_high', quantity: '1', price: '0.03', amount: '0.03' },
  ]);
});

it('gives audio a line where it has a price of its own, and never more than its bucket holds', () => {
  expect(itemizeUsage(CHAT, units({ in: 10, audio_in: 4, out: 1, audio_out: 1 }), 50_000_000n)).toEqual([
    { unit: 'input', quantity: '6', price: '0.000001', amount: '0.000006' },
    { unit: 'audio_input', quantity: '4', price: '0.00001', amount: '0.00004' },
    { unit: 'output', quantity: '1', price: '0.000004', amount: '0.000004' },
  ]);
  expect(itemizeUsage(CHAT, units({ in: 1, audio_in: 4 }), 10_000_000n)).toEqual([
    { unit: 'audio_input', quantity: '1', price: '0.00001', amount: '0.00001' },
  ]);
});

it('keeps seconds to the millisecond, and amounts finer than what is charged', () => {
  const sheet: PriceSheet = { kind: 'units', version: 'v', units: { second: '0.000000000000000003' } };
  expect(itemizeUsage(sheet, units({ ms_audio: 1500 }), 0n)).toEqual([
    { unit: 'second', quantity: '1.5', price: '0.000000000000000003', amount: '0.0000000000000000045' },
  ]);
});

it('finds the quality of images by what was charged', () => {
  const sheet: PriceSheet = { kind: 'units', version: 'v', units: { image: '0.04', 'image:hd:1024x1024': '0.08' } };
  expect(itemizeUsage(sheet, units({ images: 2 }), 160_000_000_000n)).toEqual([
    { unit: 'image:hd:1024x1024', quantity: '2', price: '0.08', amount: '0.16' },
  ]);
  expect(itemizeUsage(sheet, units({ images: 2 }), 80_000_000_000n)?.[0]?.unit).toBe('image');
});

it('counts tokens of images apart where they were counted apart', () => {
  const sheet: PriceSheet = {
    kind: 'units',
    version: 'v',
    units: { input_token: '0.1', input_image_token: '0.2', output_image_token: '1' },
  };
  expect(itemizeUsage(sheet, units({ in: 10, image_in: 4, out: 3, image_out: 3 }), 4_400_000_000_000n)).toEqual([
    { unit: 'input_token', quantity: '6', price: '0.1', amount: '0.6' },
    { unit: 'input_image_token', quantity: '4', price: '0.2', amount: '0.8' },
    { unit: 'output_image_token', quantity: '3', price: '1', amount: '3' },
  ]);
});

it('says nothing where the lines are not what was charged, and has no lines for nothing', () => {
  expect(itemizeUsage(CHAT, units({ in: 10 }), 11_000_000n)).toBeNull();
  expect(itemizeUsage(CHAT, NOTHING, 0n)).toEqual([]);
});
