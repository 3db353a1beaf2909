import { planSlices, type Stretch } from './plan-slices';

const HOUR = 3_600_000;
const stretch = (hour: number, all: number, asked = all): Stretch => ({ startMs: hour * HOUR, endMs: (hour + 1) * HOUR, all, asked });
const limits = { exactMax: 100, sampleMax: 40, slicesMax: 10 };

it('reads what is few as a whole, without the hours in which nothing was asked for', () => {
  expect(planSlices([stretch(0, 10), stretch(1, 20), stretch(2, 900, 0), stretch(3, 70, 1)], limits)).toEqual([
    { startMs: 0, endMs: 2 * HOUR, quota: null },
    { startMs: 3 * HOUR, endMs: 4 * HOUR, quota: null },
  ]);
});

it('takes the same part of each stretch of what is many, spread over it', () => {
  const slices = planSlices([stretch(0, 300), stretch(1, 100)], limits);

  const ofFirst = slices.filter(({ startMs }) => startMs < HOUR);
  expect(ofFirst).toHaveLength(5);
  expect(ofFirst.every(({ quota }) => quota === 6)).toBe(true);
  expect(slices.slice(5).map(({ quota }) => quota)).toEqual([2, 2, 2, 2, 2]);
  expect(slices.at(-1)?.endMs).toBe(2 * HOUR);
  for (const [index, { startMs }] of slices.entries()) expect(startMs).toBe(slices[index - 1]?.endMs ?? 0);
});

it('reads one request at least where there are any, and nothing of nothing', () => {
  expect(planSlices([stretch(0, 1), stretch(1, 1_000)], limits)[0]).toEqual({ startMs: 0, endMs: HOUR, quota: 1 });
  expect(planSlices([], limits)).toEqual([]);
});
