import { NO_USAGE, type Usage } from '@weir/canonical';
import type { PriceSheet } from '@weir/contracts';
import { makeUsageEvent } from '@weir/testing';
import { correctEvent, readCurrentPrice } from '@weir/usage';
import fc from 'fast-check';
import { describeUnits, priceAttempt, type MeasuredUnits } from './price-attempt';
import { priceAgain } from './price-again';

const price = fc.integer({ min: 0, max: 10 ** 9 }).map((tenth) => `0.${String(tenth).padStart(15, '0')}`);
const count = fc.integer({ min: 0, max: 5_000_000 });
const tier = fc.record({ input: price, output: price, cachedRead: price, cacheWrite5m: price, cacheWrite1h: price, audioInput: price });
const chat = fc.tuple(tier, tier, fc.integer({ min: 1, max: 2_000_000 }), price).map(([low, high, threshold, search]): PriceSheet => {
  const tiers = [
    { threshold: 0, ...low },
    { threshold, ...high },
  ];
  return { kind: 'chat', version: 'v', tiers, search };
});
const usage = fc
  .record({
    ...{ inputUncached: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count, output: count },
    ...{ reasoning: count, audioInput: count, audioOutput: count, searches: fc.integer({ min: 0, max: 50 }) },
  })
  .map((counts): Usage => ({ ...counts, source: 'provider' }));

const units = (prices: Record<string, string>): PriceSheet => ({ kind: 'units', version: 'v', units: prices });
const keep = (measured: MeasuredUnits) => ({ units: describeUnits(NO_USAGE, measured), unit_source: 'provider' as const });
const RERATE = { rerateId: 'r', toPriceVersion: 'right', because: 'a misprint', atMs: 7 };

test('an event and its corrections cost, to the last of 12 decimals, what the right price says; of all prices one after the other', () => {
  fc.assert(
    fc.property(usage, fc.array(chat, { minLength: 2, maxLength: 4 }), fc.boolean(), (used, sheets, isByok) => {
      const [first] = sheets as [PriceSheet];
      const cost = String(priceAttempt(first, used));
      const event = makeUsageEvent({ units: describeUnits(used), cost_p: cost, billed_p: isByok ? '0' : cost, is_byok: isByok });
      let priced = { event, corrections: [] as ReturnType<typeof correctEvent>[] };
      for (const [at, is] of sheets.slice(1).entries()) {
        const again = priceAgain(event, { costPico: readCurrentPrice(priced).costPico, was: sheets[at] as PriceSheet, is });
        expect(again).toEqual({ costPico: priceAttempt(is, used) });
        if ('left' in again) return;
        const rerate = { ...RERATE, rerateId: `r${at}` };
        priced = { event, corrections: [...priced.corrections, correctEvent(priced, again.costPico, rerate)] };
      }
      const last = priceAttempt(sheets.at(-1) as PriceSheet, used);
      expect(readCurrentPrice(priced)).toEqual({ costPico: last, priceVersion: 'right' });
      const billed = [event, ...priced.corrections].reduce((sum, one) => sum + BigInt(one.billed_p), 0n);
      expect(billed).toBe(isByok ? 0n : last);
    }),
    { numRuns: 300 },
  );
});

const VARIANTS = { image: '0.04', 'image:hd:9x9': '0.08' };

test.each<[string, MeasuredUnits, { was: PriceSheet; is: PriceSheet; cost: string }, ReturnType<typeof priceAgain>]>([
  [
    'seconds',
    { second: 7.321 },
    { was: units({ second: '0.0001' }), is: units({ second: '0.0002' }), cost: '732100000' },
    { costPico: 1464200000n },
  ],
  [
    'plain images',
    { image: 2 },
    { was: units(VARIANTS), is: units({ ...VARIANTS, image: '0.05' }), cost: '80000000000' },
    { costPico: 100000000000n },
  ],
  [
    'images of another price',
    { image: 2 },
    { was: units(VARIANTS), is: units({ image: '0.05' }), cost: '160000000000' },
    { costPico: 100000000000n },
  ],
  [
    'images whose quality gets a price of its own, which no event says',
    { image: 1 },
    { was: units({ image: '0.04' }), is: units(VARIANTS), cost: '40000000000' },
    { left: 'not_itemized' },
  ],
  [
    'images of two qualities that cost the same, and no longer do',
    { image: 1 },
    { was: units({ image: '0.04', 'image:hd:9x9': '0.04' }), is: units(VARIANTS), cost: '40000000000' },
    { left: 'not_itemized' },
  ],
  [
    'what something else was charged with',
    { second: 1 },
    { was: units({ second: '0.1' }), is: units({ second: '0.2' }), cost: '7' },
    { left: 'not_itemized' },
  ],
  [
    'what the right price charges by something that was not measured',
    { second: 1 },
    { was: units({ second: '0.1' }), is: units({ second: '0.1', character: '0.1' }), cost: '100000000000' },
    { left: 'not_itemized' },
  ],
  [
    'what the right price has nothing for',
    { second: 1 },
    { was: units({ second: '0.1' }), is: units({}), cost: '100000000000' },
    { left: 'not_priced' },
  ],
  ['nothing', {}, { was: units({ second: '0.1' }), is: units({ second: '0.2' }), cost: '0' }, { costPico: 0n }],
])('prices again, or leaves: %s', (_, measured, { was, is, cost }, expected) => {
  expect(priceAgain(keep(measured), { costPico: BigInt(cost), was, is })).toEqual(expected);
});

test('what could not be priced at all cost nothing, and costs what the right price says', () => {
  const used: Usage = { ...NO_USAGE, inputUncached: 3 };
  const kept = { units: describeUnits(used), unit_source: 'provider' as const };
  const sheets = { was: units({ second: '0.1' }), is: units({ second: '0.1', input_token: '0.5' }) };
  expect(priceAgain(kept, { costPico: 0n, ...sheets })).toEqual({ costPico: 1_500_000_000_000n });
  expect(priceAgain(kept, { costPico: 1n, ...sheets })).toEqual({ left: 'not_itemized' });
});
