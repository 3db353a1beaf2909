import { mergePrices } from './merge-prices';
import type { PriceRow } from './to-prices';

const tiers = (input: string) => [{ threshold: 0, input, output: '0.2' }];
const known: PriceRow[] = [{ version: '2026-01-01', validFrom: '2026-01-01', tiers: tiers('0.1') }];

describe('mergePrices', () => {
  it('appends a changed price and keeps the old one under its version', () => {
    expect(mergePrices(known, { tiers: tiers('0.3') }, '2026-02-01')).toEqual([
      ...known,
      { version: '2026-02-01', validFrom: '2026-02-01', tiers: tiers('0.3') },
    ]);
  });

  it('adds nothing when the price is what it was', () => {
    expect(mergePrices(known, { tiers: tiers('0.1') }, '2026-02-01')).toEqual(known);
  });

  it('counts a tier or fee that comes or goes as a change', () => {
    expect(mergePrices(known, { tiers: tiers('0.1'), search: '0.01' }, '2026-02-01')).toHaveLength(2);
  });

  it('replaces a price of the same day', () => {
    const [price, ...more] = mergePrices(known, { tiers: tiers('0.3') }, '2026-01-01');
    expect(price).toMatchObject({ version: '2026-01-01', tiers: tiers('0.3') });
    expect(more).toEqual([]);
  });
});
