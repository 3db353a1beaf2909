import { LIMIT_MEASURES, LIMIT_WINDOWS, type LimitMeasure, type LimitWindow } from '@weir/contracts';

/** Where one limit counts one partition in one window. */
export type LimitScopeParts = {
  readonly limitId: string;
  readonly measure: LimitMeasure;
  /** Whom it is about where the limit holds for each apart: an id, or a digest of what callers chose; `-` otherwise. */
  readonly partition: string;
  /** Null for what runs at a moment. Of a rolling window, this is one step of it. */
  readonly window: LimitWindow | null;
  /** UTC epoch milliseconds, whole seconds; null for `total` and for what runs at a moment. */
  readonly startMs: number | null;
};

const PREFIX = 'limit:';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What a scope is kept for after its window: clocks of edges differ, and requests end later than they begin. */
const KEPT_AFTER_MS = HOUR_MS;

/** The longest a window can be: days have 25 hours where clocks are set back. */
const LENGTHS_MS: Readonly<Record<LimitWindow, number | null>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: 25 * HOUR_MS,
  week: 7 * DAY_MS + HOUR_MS,
  month: 31 * DAY_MS + HOUR_MS,
  '24h': 25 * HOUR_MS,
  '30d': 31 * DAY_MS,
  total: null,
};

/** The name of a scope, unique inside its organization: `limit:<id>:<measure>:<partition>:<window>[@<start in seconds>]`. */
export function nameLimitScope({ limitId, measure, partition, window, startMs }: LimitScopeParts): string {
  const start = startMs === null ? '' : `@${startMs / 1000}`;
  return `${PREFIX}${limitId}:${measure}:${partition}:${window ?? 'now'}${start}`;
}

export function isLimitScope(name: string): boolean {
  return name.startsWith(PREFIX);
}

const NAME = /^limit:([0-9a-f-]{36}):([a-z_]+):([A-Za-z0-9_-]{1,64}):([0-9a-z]+)(?:@(-?\d{1,12}))?$/;
const MEASURES: ReadonlySet<string> = new Set(LIMIT_MEASURES.map(({ name }) => name));
const WINDOWS: ReadonlySet<string> = new Set(LIMIT_WINDOWS.map(({ name }) => name));

/** Reads a name back; undefined for what is no scope of a limit, or of one that this version does not know. */
export function parseLimitScope(name: string): LimitScopeParts | undefined {
  if (!isLimitScope(name)) return undefined;
  const [, limitId, measure, partition, window, start] = NAME.exec(name) ?? [];
  if (limitId === undefined || measure === undefined || partition === undefined || window === undefined) return undefined;
  if (!MEASURES.has(measure) || (window !== 'now' && !WINDOWS.has(window))) return undefined;
  return {
    limitId,
    measure: measure as LimitMeasure,
    partition,
    window: window === 'now' ? null : (window as LimitWindow),
    startMs: start === undefined ? null : Number(start) * 1000,
  };
}

/** From when on nothing of a scope matters any more, in UTC epoch milliseconds; null for ever. */
export function limitScopeExpiry({ window, startMs }: Pick<LimitScopeParts, 'window' | 'startMs'>): number | null {
  const lengthMs = window === null ? null : LENGTHS_MS[window];
  return lengthMs === null || startMs === null ? null : startMs + lengthMs + KEPT_AFTER_MS;
}

/** One step of a rolling window: what the names of all its steps begin with, and its own start in seconds. */
export type ScopeStep = { readonly series: string; readonly start: string };

const ROLLING: ReadonlySet<string> = new Set(LIMIT_WINDOWS.filter(({ rolling }) => rolling !== null).map(({ name }) => name));

/** Null for what is no step of a rolling window. */
export function readScopeStep(name: string): ScopeStep | null {
  const { window, startMs } = parseLimitScope(name) ?? {};
  if (typeof window !== 'string' || !ROLLING.has(window) || typeof startMs !== 'number') return null;
  return { series: name.slice(0, name.lastIndexOf('@')), start: String(startMs / 1000) };
}

/** What is counted in a scope, by its name: money in all that are no limit's. */
export function measureOfScope(name: string): LimitMeasure {
  if (!isLimitScope(name)) return 'usd';
  const from = name.indexOf(':', PREFIX.length) + 1;
  return name.slice(from, name.indexOf(':', from)) as LimitMeasure;
}

const CONCURRENT: ReadonlySet<LimitMeasure> = new Set(LIMIT_MEASURES.filter((row) => row.isConcurrent).map(({ name }) => name));

/** Counts what runs at a moment: nothing of it is ever spent. */
export function isConcurrent(measure: LimitMeasure): boolean {
  return CONCURRENT.has(measure);
}
