import { countAtOnce } from './check-limits';

const ran = (fromMs: number, toMs: number) => ({ ended_at: toMs, dur_ms: toMs - fromMs });

describe('how many attempts ran at the same time', () => {
  it.each([
    ['none', [], 0],
    ['one after the other, to the millisecond', [ran(0, 100), ran(100, 200), ran(199, 300)], 1],
    ['two within a long one, one after the other', [ran(0, 1_000), ran(10, 100), ran(200, 300)], 2],
    ['three at once', [ran(0, 100), ran(50, 150), ran(80, 90)], 3],
    ['of those that died with their process nothing is known', [ran(0, 100), ran(50, 50)], 1],
  ])('is found: %s', (_name, events, expected) => {
    expect(countAtOnce(events)).toBe(expected);
  });
});
