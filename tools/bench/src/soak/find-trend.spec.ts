import { findTrend } from './find-trend';

describe('findTrend', () => {
  it('returns the growth per hour of values on a line, with an error of zero', () => {
    const { perHour, standardError, mean } = findTrend([10, 20, 30, 40].map((seconds) => [seconds, 100 + seconds / 3600]));

    expect(perHour).toBeCloseTo(1, 9);
    expect(standardError).toBeCloseTo(0, 6);
    expect(mean).toBeCloseTo(100 + 25 / 3600, 9);
  });

  it('doubts a slope that is less than the noise around it', () => {
    const saw = Array.from({ length: 60 }, (_, index): [number, number] => [index * 10, index % 2 === 0 ? 100 : 140]);
    const { perHour, standardError } = findTrend(saw);

    expect(Math.abs(perHour)).toBeLessThan(2 * standardError);
  });

  it('does not doubt one that stands out of it', () => {
    const saw = Array.from({ length: 60 }, (_, index): [number, number] => [index * 10, index * 10 + (index % 2 === 0 ? 0 : 40)]);
    const { perHour, standardError } = findTrend(saw);

    expect(perHour).toBeGreaterThan(2 * standardError);
    expect(perHour).toBeCloseTo(3600, -3);
  });
});
