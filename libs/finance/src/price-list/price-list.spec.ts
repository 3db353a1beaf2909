import { createPriceList, OUR_PRICES } from './price-list';

const list = createPriceList([
  { models: ['openai/gpt-5'], steps: [{ from: '2026-10-01', factor: '1.05' }] },
  {
    models: ['openai/*', 'anthropic/*'],
    steps: [
      { from: '2026-11-16', percent: '12.3456' },
      { from: '2026-10-01', percent: '10' },
    ],
  },
  { models: ['*'], steps: [{ from: '2026-01-01', percent: '-25' }] },
]);

describe('a price list', () => {
  it.each([
    ['openai/gpt-5', '2026-11-30', 1_050_000n],
    ['openai/gpt-4', '2026-09-30', 1_000_000n],
    ['openai/gpt-4', '2026-10-01', 1_100_000n],
    ['anthropic/claude', '2026-11-15', 1_100_000n],
    ['anthropic/claude', '2026-11-16', 1_123_456n],
    ['mistral/large', '2026-11-16', 750_000n],
    ['mistral/large', '2025-12-31', 1_000_000n],
  ])('has for %s on %s the factor %s', (model, day, factor) => {
    expect(list.factorOf(model, day)).toBe(factor);
  });

  it('says whether a price changes within days', () => {
    expect(list.changesWithin('2026-10-01', '2026-10-31')).toBe(false);
    expect(list.changesWithin('2026-11-01', '2026-11-30')).toBe(true);
    expect(list.changesWithin('2026-09-01', '2026-10-01')).toBe(true);
  });

  it('leaves prices as they are where it is empty', () => {
    expect([OUR_PRICES.isEmpty, OUR_PRICES.factorOf('openai/gpt-5', '2026-11-30')]).toEqual([true, 1_000_000n]);
  });
});
