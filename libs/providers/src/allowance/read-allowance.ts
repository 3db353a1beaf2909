import { ALLOWANCE_MEASURES, type Allowance, type AllowanceMeasure, type AllowanceMeasureName } from '@weir/contracts';
import type { ResponseHeaders } from '../failures/read-retry-after';
import { ALLOWANCE_DIALECTS, type AllowanceDialect, type MeasureHeaders } from './allowance-dialects';
import type { ReplyTimes } from './read-reset';

const NOTHING: Allowance = Object.freeze({});
/** Providers ask for a day at most. */
const RETRY_MS_MAX = 86_400_000;

/**
 * Reads what a provider says of its own rate in the headers of a reply, of a success or a refusal. Never throws: what cannot be read
 * is left out. `nowMs` is the clock that the result is in.
 */
export function readAllowance(headers: ResponseHeaders, nowMs: number): Allowance {
  const times = { nowMs, theirNowMs: readDate(headers, nowMs) };
  const retryAtMs = readRetryAt(headers, times);
  const measures = readMeasures(headers, times);
  if (retryAtMs === undefined) return measures ?? NOTHING;
  return { ...measures, retryAtMs };
}

const SPENT = ALLOWANCE_DIALECTS.flatMap(({ measures }) => Object.values(measures).map(({ remaining }) => remaining));

/** Whether a reply says that nothing is left of some limit: cheap, because every reply is asked. */
export function isSpent(headers: ResponseHeaders): boolean {
  for (const name of SPENT) if (headers[name] === '0') return true;
  return false;
}

function readMeasures(headers: ResponseHeaders, times: ReplyTimes): Allowance | undefined {
  for (const dialect of ALLOWANCE_DIALECTS) {
    let found: Partial<Record<AllowanceMeasureName, AllowanceMeasure>> | undefined;
    for (const name of ALLOWANCE_MEASURES) {
      const measure = readMeasure(headers, { dialect, names: dialect.measures[name] }, times);
      if (measure !== undefined) (found ??= {})[name] = measure;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

type Asked = { readonly dialect: AllowanceDialect; readonly names: MeasureHeaders | undefined };

function readMeasure(headers: ResponseHeaders, { dialect, names }: Asked, times: ReplyTimes): AllowanceMeasure | undefined {
  const remaining = names === undefined ? undefined : readCount(headers[names.remaining]);
  if (names === undefined || remaining === undefined) return undefined;
  const limit = names.limit === undefined ? undefined : readCount(headers[names.limit]);
  const reset = names.reset === undefined ? undefined : readText(headers[names.reset]);
  return {
    // Some write a limit of 0 for what has none.
    limit: limit === undefined || limit === 0 ? null : limit,
    remaining,
    resetAtMs: reset === undefined ? null : dialect.readReset(reset, times),
    refill: dialect.refill,
  };
}

/** `retry-after-ms` is exact; `retry-after` is in seconds or a date. */
function readRetryAt(headers: ResponseHeaders, { nowMs, theirNowMs }: ReplyTimes): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms']);
  if (milliseconds !== undefined) return after(milliseconds, nowMs);
  const text = readText(headers['retry-after']);
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return after(seconds * 1000, nowMs);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : after(date - theirNowMs, nowMs);
}

function after(milliseconds: number, nowMs: number): number | undefined {
  return milliseconds < 0 ? undefined : nowMs + Math.min(RETRY_MS_MAX, milliseconds);
}

function readDate(headers: ResponseHeaders, nowMs: number): number {
  const date = Date.parse(readText(headers['date']) ?? '');
  return Number.isNaN(date) ? nowMs : date;
}

/** Azure writes -1 for what it does not count. */
function readCount(value: string | string[] | undefined): number | undefined {
  const count = readNumber(value);
  return count === undefined || count < 0 ? undefined : count;
}

function readNumber(value: string | string[] | undefined): number | undefined {
  const text = readText(value);
  const number = text === undefined ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function readText(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return typeof text !== 'string' || text.trim() === '' ? undefined : text.trim();
}
