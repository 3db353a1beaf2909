import { findTimeChange, listTimingRows, listTimings, readTiming, type Performance, type TimingEntry } from './fold-performance';

const entry = (errors: number, p50: number | null, p95 = p50): TimingEntry => ({
  ...{ requests: 10, errors, error_share: errors / 10, attempts: 10, attempt_errors: errors },
  milliseconds: { mean: p50, p50, p95 },
  first_byte_milliseconds: { mean: p50, p50: p50 === null ? null : p50 / 10, p95 },
});
const grouped = (value: string, ...figures: Parameters<typeof entry>) => ({ ...entry(...figures), group_by_values: { model_used: value } });

const PERFORMANCE: Performance = {
  performance: { '2026-11-02T00:00:00Z': { ...entry(3, 200, 900), grouped_data: [grouped('a', 1, 100), grouped('b', 2, 300)] } },
  total: { ...entry(3, 200, 900), grouped_data: [grouped('a', 1, 100), grouped('b', 2, 300), grouped('c', 0, null)] },
  is_sampled: false,
  sample: { requests: 20, of: 20 },
};
const DAYS = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')];

it('lists what failed most or took longest first, and what has no time last', () => {
  expect(listTimingRows(PERFORMANCE, 'model_used', 'p95').map(({ value }) => value)).toEqual(['b', 'a', 'c']);
  expect(listTimingRows(PERFORMANCE, 'model_used', 'errors').map(({ value }) => value)).toEqual(['b', 'a', 'c']);
});

it('has a gap where no request took any time, and no errors where there was no request', () => {
  expect(listTimings(PERFORMANCE, DAYS, { timing: 'p95' })).toEqual([null, 900]);
  expect(listTimings(PERFORMANCE, DAYS, { timing: 'errors', dimension: 'model_used', value: 'b' })).toEqual([0, 2]);
  expect(listTimings(PERFORMANCE, DAYS, { timing: 'p50', dimension: 'model_used', value: 'c' })).toEqual([null, null]);
});

it('reads each figure of an entry, and by how much it changed', () => {
  const { total } = PERFORMANCE;
  expect((['errors', 'p50', 'p95', 'first_byte'] as const).map((timing) => readTiming(total, timing))).toEqual([3, 200, 900, 20]);
  expect([findTimeChange(150, 100), findTimeChange(150, 0), findTimeChange(null, 5)]).toEqual([0.5, null, null]);
});
