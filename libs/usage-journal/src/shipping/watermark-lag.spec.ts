import { createWatermarkLag } from './watermark-lag';

describe('M10: the lag of the watermark', () => {
  it('is the age of the oldest event that is not aggregated, and nothing once all are', () => {
    let now = 0;
    const lag = createWatermarkLag(() => now);
    expect(lag.measure(0, 0)).toBe(0);
    expect(lag.measure(10, 0)).toBe(0);
    now = 5_000;
    expect(lag.measure(20, 0)).toBe(5_000);
    now = 6_000;
    expect(lag.measure(20, 10)).toBe(1_000);
    expect(lag.measure(20, 19)).toBe(1_000);
    expect(lag.measure(20, 20)).toBe(0);
    now = 7_000;
    expect(lag.measure(20, 20)).toBe(0);
  });

  it('keeps its oldest mark over an outage of days', () => {
    let now = 0;
    const lag = createWatermarkLag(() => now);
    for (let second = 1; second <= 20_000; second += 1) {
      now = second * 1000;
      lag.measure(second, 0);
    }
    expect(lag.measure(20_000, 0)).toBe(19_999_000);
    expect(lag.measure(20_000, 10_000)).toBeGreaterThan(9_900_000);
  });
});
