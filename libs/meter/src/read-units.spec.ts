import { NO_USAGE, type Usage } from '@weir/canonical';
import type { PriceSheet, UsageEvent } from '@weir/contracts';
import fc from 'fast-check';
import { describeUnits, priceAttempt } from './price-attempt';
import { readUnits } from './read-units';

const price = fc.integer({ min: 0, max: 10 ** 9 }).map((tenth) => `0.${String(tenth).padStart(15, '0')}`);
const count = fc.integer({ min: 0, max: 5_000_000 });

const tier = fc.record({
  input: price,
  output: price,
  cachedRead: price,
  cacheWrite5m: price,
  cacheWrite1h: price,
  audioInput: price,
  audioOutput: price,
});
const chatSheet = fc.tuple(tier, tier, fc.integer({ min: 1, max: 2_000_000 }), price).map(([low, high, threshold, search]): PriceSheet => ({
  kind: 'chat',
  version: 'v',
  tiers: [
    { threshold: 0, ...low },
    { threshold, ...high },
  ],
  search,
}));
const usage = fc
  .record({
    inputUncached: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    output: count,
    reasoning: count,
    audioInput: count,
    audioOutput: count,
    searches: fc.integer({ min: 0, max: 50 }),
  })
  .map((counts): Usage => ({ ...counts, source: 'provider' }));

/** What an event costs by a price sheet, from nothing but what the event keeps. */
function priceEvent({ units, unit_source: source }: Pick<UsageEvent, 'units' | 'unit_source'>, sheet: PriceSheet): bigint {
  const { usage, measured } = readUnits(units, source);
  return priceAttempt(sheet, usage, measured);
}

describe('T6: an event is priced again from its units and its price version', () => {
  it('costs the same to the last digit, whatever tokens and tiers', () => {
    fc.assert(
      fc.property(chatSheet, usage, (sheet, used) => {
        const units = describeUnits(used);
        expect(priceEvent({ units, unit_source: used.source }, sheet)).toBe(priceAttempt(sheet, used));
      }),
      { numRuns: 500 },
    );
  });

  it('costs the same for tokens of words and of pictures', () => {
    const tokens = fc.record({ text: count, image: count });
    fc.assert(
      fc.property(
        fc.record({ input_token: price, input_image_token: price, output_token: price, output_image_token: price }),
        tokens,
        tokens,
        (units, input, output) => {
          const sheet: PriceSheet = { kind: 'units', version: 'v', units };
          const used: Usage = { ...NO_USAGE, inputUncached: input.text + input.image, output: output.text + output.image };
          fc.pre(used.inputUncached + used.output > 0);
          const measured = {
            ...(used.inputUncached > 0 ? { input_token: input.text, input_image_token: input.image } : {}),
            ...(used.output > 0 ? { output_token: output.text, output_image_token: output.image } : {}),
          };
          const event = { units: describeUnits(used, measured), unit_source: used.source };
          expect(priceEvent(event, sheet)).toBe(priceAttempt(sheet, used, measured));
        },
      ),
    );
  });

  it('costs the same for pictures, characters and seconds, however finely the seconds were measured', () => {
    const measured = fc.record({
      image: fc.integer({ min: 0, max: 20 }),
      character: count,
      second: fc.double({ min: 0, max: 10_000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.record({ image: price, character: price, second: price }), measured, (units, quantities) => {
        const sheet: PriceSheet = { kind: 'units', version: 'v', units };
        const event = { units: describeUnits(NO_USAGE, quantities), unit_source: 'provider' as const };
        expect(priceEvent(event, sheet)).toBe(priceAttempt(sheet, NO_USAGE, quantities));
      }),
      { numRuns: 500 },
    );
  });

  it('throws when the sheet prices nothing of what was used', () => {
    const event = { units: describeUnits(NO_USAGE, { image: 1 }), unit_source: 'provider' as const };
    expect(() => priceEvent(event, { kind: 'units', version: 'v', units: { second: '1' } })).toThrow(/no measured unit/);
  });
});
