import { findAnomaly, listComparedHours, type AnomalyQuestion } from './find-anomaly';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USD = 1_000_000_000_000n;
/** A Tuesday. */
const NOW = Date.UTC(2026, 10, 24, 13);

/** A history of `days`, each hour as `spend` says in dollars. */
function ask(days: number, spend: (atMs: number, hoursAgo: number) => number, more: Partial<AnomalyQuestion> = {}): AnomalyQuestion {
  const hours = Array.from({ length: days * 24 }, (_, index) => NOW - (index + 1) * HOUR);
  const earlier = new Map(hours.map((at, index) => [at, BigInt(Math.round(spend(at, index + 1) * 1000)) * (USD / 1000n)]));
  return { hourMs: NOW, value: 0n, sinceMs: NOW - days * DAY, earlier, sensitivity: 'medium', least: USD, ...more };
}

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1000)) * (USD / 1000n);
const isUnusual = (question: AnomalyQuestion, dollars: number): boolean => findAnomaly({ ...question, value: usd(dollars) }).isUnusual;

test('an hour is compared with the same hour of like days', () => {
  const hours = listComparedHours(NOW, NOW - 100 * DAY);
  expect(hours).toHaveLength(20);
  expect(hours.every((at) => new Date(at).getUTCHours() === 13 && ![0, 6].includes(new Date(at).getUTCDay()))).toBe(true);
  expect(listComparedHours(NOW - 2 * DAY, 0)).toHaveLength(8);
  expect(listComparedHours(NOW, NOW - 3 * DAY)).toHaveLength(72);
  expect(listComparedHours(NOW, NOW + HOUR)).toEqual([]);
});

test('what is usual by day is unusual by night, and on a weekend', () => {
  const byDay = (at: number): number => {
    const date = new Date(at);
    return [0, 6].includes(date.getUTCDay()) || date.getUTCHours() < 8 ? 0.5 : 20 + (date.getUTCDate() % 5);
  };
  const week = ask(35, byDay);
  expect([isUnusual(week, 30), isUnusual(week, 120)]).toEqual([false, true]);
  const night = { ...week, hourMs: NOW - 10 * HOUR };
  const sunday = { ...week, hourMs: NOW - 2 * DAY };
  expect([isUnusual(night, 20), isUnusual(sunday, 20)]).toEqual([true, true]);
});

test('the spread decides how far above is far: an hour within what has been is not', () => {
  const wild = ask(28, (_, ago) => (ago % 48 < 24 ? 2 : 40));
  const calm = ask(28, () => 20);
  expect([isUnusual(wild, 60), isUnusual(calm, 60)]).toEqual([false, true]);
  // One wild hour in the past moves neither the median nor the threshold.
  expect(findAnomaly(ask(28, (_, ago) => (ago === 24 ? 5000 : 20))).threshold).toBe(findAnomaly(calm).threshold);
});

test('sensitivity moves the threshold; the same every hour is no reason to notice a little more', () => {
  const calm = ask(28, () => 10);
  const thresholds = (['low', 'medium', 'high'] as const).map((sensitivity) => findAnomaly({ ...calm, sensitivity }).threshold);
  expect(thresholds).toEqual([usd(25), usd(19), usd(16)]);
  expect([isUnusual(calm, 12), isUnusual(calm, 19)]).toEqual([false, true]);
});

test('a new key has nothing usual for a day, then all its hours', () => {
  expect(
    isUnusual(
      ask(0, () => 0),
      1000,
    ),
  ).toBe(false);
  const hours = ask(1, () => 2);
  expect(isUnusual({ ...hours, sinceMs: NOW - 23 * HOUR }, 1000)).toBe(false);
  expect([
    isUnusual(
      ask(3, () => 2),
      3,
    ),
    isUnusual(
      ask(3, () => 2),
      10,
    ),
  ]).toEqual([false, true]);
});

test('a key that was idle for long is noticed at the least that is noticed, and not below', () => {
  const idle = ask(60, () => 0);
  expect(findAnomaly({ ...idle, value: usd(1) })).toEqual({ isUnusual: true, usual: 0n, threshold: usd(1) });
  expect(isUnusual(idle, 0.99)).toBe(false);
  expect(isUnusual({ ...idle, least: 0n }, 0)).toBe(false);
});

test('growth is usual: week by week, and after three days at a new level', () => {
  const growing = ask(35, (_, ago) => 10 * 1.15 ** -(ago / (24 * 7)));
  expect(isUnusual(growing, 11)).toBe(false);
  const doubled = (days: number) => ask(35, (_, ago) => (ago <= days * 24 ? 40 : 10));
  // The weekend stands between: Monday is the only like day at the new level.
  expect([isUnusual(doubled(1), 41), isUnusual(doubled(5), 41)]).toEqual([true, false]);
});
