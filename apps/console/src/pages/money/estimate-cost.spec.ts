import { formatMoneyExactly } from '../../format/money';
import type { Model } from '../models/filter-models';
import { EMPTY_ESTIMATE, estimateCost, findEstimateErrors } from './estimate-cost';

const price = (threshold: number, input: number, cached: number, output: number): object => ({
  prompt_tokens_threshold: threshold,
  input_price: input,
  cached_price: cached,
  output_price: output,
});
const MODEL = { pricing: [price(200_000, 2.5e-6, 2.5e-7, 1.5e-5), price(0, 1.25e-6, 1.25e-7, 1e-5)] } as unknown as Model;

describe('what requests will cost', () => {
  it('is exact to the last digit, with what is read from the cache at its own price', () => {
    const form = { requests: '12,345', input: '1,000', cached: '900', output: '1', days: '31' };
    const { request, day, month } = estimateCost(MODEL, form) ?? fail();
    // 100 × 0.00000125 + 900 × 0.000000125 + 0.00001
    expect([request, day, month].map(formatMoneyExactly)).toEqual(['$0.0002475', '$3.0553875', '$94.7170125']);
  });

  it.each([
    ['200000', 0],
    ['200001', 200_000],
  ])('of a prompt of %s tokens is priced by the tier above %i', (input, tier) => {
    expect(estimateCost(MODEL, { ...EMPTY_ESTIMATE, input })?.tierFrom).toBe(tier);
  });

  it('is nothing where prices are of other units', () => {
    expect(estimateCost({ pricing: { image: 0.01 } } as unknown as Model, EMPTY_ESTIMATE)).toBeUndefined();
  });

  it.each([
    [{ requests: 'many' }, 'requests'],
    [{ output: '-1' }, 'output'],
    [{ days: '1.5' }, 'days'],
    [{ cached: '1001' }, 'cached'],
  ])('cannot be said of %j', (change, field) => {
    expect(Object.keys(findEstimateErrors({ ...EMPTY_ESTIMATE, ...change }))).toEqual([field]);
  });
});

function fail(): never {
  throw new Error('no estimate');
}
