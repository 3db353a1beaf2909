import { writeMoney } from '../../format/money';
import { listRows, listValues, sumUsage, type Usage } from './fold-usage';

const entry = (spend: string, requests: number) => ({
  spend,
  total_requests: requests,
  input_tokens: 10 * requests,
  output_tokens: 2 * requests,
  cached_tokens: 0,
  reasoning_tokens: 1,
});
const grouped = (model: string, spend: string, requests: number) => ({ ...entry(spend, requests), group_by_values: { model_used: model } });

const USAGE: Usage = {
  usage: {
    '2026-11-22T00:00:00Z': { ...entry('0.3', 3), grouped_data: [grouped('a', '0.1', 1), grouped('b', '0.2', 2)] },
    '2026-11-24T00:00:00Z': { ...entry('0.400000000001', 1), grouped_data: [grouped('a', '0.400000000001', 1)] },
  },
};
const PERIODS = ['2026-11-22', '2026-11-23', '2026-11-24'].map((day) => new Date(day));

describe('usage', () => {
  it('adds up exactly', () => {
    const sums = sumUsage(USAGE);

    expect(writeMoney(sums.spend)).toBe('0.700000000001');
    expect(sums).toMatchObject({ total_requests: 4n, input_tokens: 40n, output_tokens: 8n, reasoning_tokens: 2n });
  });

  it('has rows by a dimension, the greatest first, that add up to the whole', () => {
    const rows = listRows(USAGE, 'model_used', 'spend');

    expect(rows.map(({ value, sums }) => [value, writeMoney(sums.spend)])).toEqual([
      ['a', '0.500000000001'],
      ['b', '0.2'],
    ]);
    expect(rows.reduce((sum, row) => sum + row.sums.spend, 0n)).toBe(sumUsage(USAGE).spend);
  });

  it('sorts equal rows by name', () => {
    expect(listRows(USAGE, 'model_used', 'total_requests').map(({ value }) => value)).toEqual(['a', 'b']);
  });

  it('has a value for every period, also without usage', () => {
    expect(listValues(USAGE, PERIODS, { measure: 'total_requests' })).toEqual([3n, 0n, 1n]);
    expect(listValues(USAGE, PERIODS, { measure: 'total_requests', dimension: 'model_used', value: 'b' })).toEqual([2n, 0n, 0n]);
  });

  it('of nothing is nothing', () => {
    expect(sumUsage({ usage: {} }).spend).toBe(0n);
    expect(listRows({ usage: {} }, 'model_used', 'spend')).toEqual([]);
  });
});
