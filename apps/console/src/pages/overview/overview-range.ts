import type { OverviewSearch, Resolution } from './overview-search';

/** Half-open, UTC, as the API takes it. */
export type Range = { readonly start: Date; readonly end: Date };

export type Ranges = {
  readonly now: Range;
  /** As long as the range itself and just before it; of a month the same days of the month before. */
  readonly before: Range;
  readonly resolution: Resolution;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_MAX = 100;
/** Hours of more days are narrower than a screen can show. */
const DAYS_BY_HOUR_MAX = 14;

/** Whole hours only: those are prepared, and the same address gives the same question for an hour. */
export function findRanges(search: OverviewSearch, at: Date): Ranges {
  const now = findRange(search, at);
  const days = (now.end.getTime() - now.start.getTime()) / DAY_MS;
  const usual = days <= 2 ? 'hour' : 'day';
  const by = search.by ?? usual;
  const before = search.range === 'month' ? findMonthBefore(now) : shift(now, -Math.max(1, Math.ceil(days)) * DAY_MS);
  return { now, before, resolution: by === 'hour' && days > DAYS_BY_HOUR_MAX ? 'day' : by };
}

export function allowsHours({ now }: Ranges): boolean {
  return now.end.getTime() - now.start.getTime() <= DAYS_BY_HOUR_MAX * DAY_MS;
}

function findRange({ range = '7d', from, to }: OverviewSearch, at: Date): Range {
  const today = floorDay(at);
  const nextHour = new Date((Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS);
  if (range === 'custom' && from !== undefined && to !== undefined) return findDays(from, to);
  if (range === 'month') return { start: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)), end: nextHour };
  const days = { today: 1, '7d': 7, '30d': 30, custom: 7 }[range];
  return { start: new Date(today.getTime() - (days - 1) * DAY_MS), end: nextHour };
}

/** Days in either order, and not more of them than may be asked for. */
function findDays(from: string, to: string): Range {
  const [first = 0, last = 0] = [Date.parse(from), Date.parse(to)].sort((a, b) => a - b);
  const end = last + DAY_MS;
  return { start: new Date(Math.max(first, end - DAYS_MAX * DAY_MS)), end: new Date(end) };
}

function findMonthBefore({ start, end }: Range): Range {
  const first = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - 1, 1);
  return { start: new Date(first), end: new Date(Math.min(first + (end.getTime() - start.getTime()), start.getTime())) };
}

function shift({ start, end }: Range, by: number): Range {
  return { start: new Date(start.getTime() + by), end: new Date(end.getTime() + by) };
}

function floorDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** The start of every period of the range, those without usage too. */
export function listPeriods({ start, end }: Range, resolution: Resolution): Date[] {
  const periods: Date[] = [];
  for (let at = floorPeriod(start, resolution); at < end; at = nextPeriod(at, resolution)) periods.push(at);
  return periods;
}

function floorPeriod(at: Date, resolution: Resolution): Date {
  if (resolution === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const length = resolution === 'hour' ? HOUR_MS : DAY_MS;
  return new Date(Math.floor(at.getTime() / length) * length);
}

function nextPeriod(at: Date, resolution: Resolution): Date {
  if (resolution === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return new Date(at.getTime() + (resolution === 'hour' ? HOUR_MS : DAY_MS));
}

const FORMATS: Readonly<Record<Resolution, Intl.DateTimeFormat>> = {
  hour: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
};

/** One function for each resolution, always the same one: the chart is drawn again when it changes. */
export const PERIOD_FORMATS: Readonly<Record<Resolution, (period: Date) => string>> = {
  hour: (period) => FORMATS.hour.format(period),
  day: (period) => FORMATS.day.format(period),
  month: (period) => FORMATS.month.format(period),
};
