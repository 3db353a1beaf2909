/** A line through samples by least squares. */
type Trend = {
  readonly perHour: number;
  /** Of `perHour`: a slope within twice this is no more than noise. */
  readonly standardError: number;
  readonly mean: number;
};

export function findTrend(points: readonly (readonly [seconds: number, value: number])[]): Trend {
  const count = points.length;
  const mean = average(points.map(([, value]) => value));
  const middle = average(points.map(([seconds]) => seconds));
  let squares = 0;
  let products = 0;
  for (const [seconds, value] of points) {
    squares += (seconds - middle) ** 2;
    products += (seconds - middle) * (value - mean);
  }
  const slope = products / squares;
  let left = 0;
  for (const [seconds, value] of points) left += (value - mean - slope * (seconds - middle)) ** 2;
  const standardError = Math.sqrt(left / (count - 2) / squares);
  return { perHour: slope * SECONDS, standardError: standardError * SECONDS, mean };
}

const SECONDS = 3600;

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
