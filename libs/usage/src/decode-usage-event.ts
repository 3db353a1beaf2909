import { usageCorrection, usageEvent, type UsageEvent } from '@weir/contracts';
import { isPlainEvent, UNIT_NAMES } from './is-plain-event';
import { DAY_MS } from './period-key';

export type DeadLetterReason = 'unreadable' | 'unknown_version' | 'out_of_bounds' | 'too_late';

export type DecodedUsageEvent =
  | {
      readonly kind: 'event';
      readonly event: UsageEvent;
      /** The instant that decides its periods. */
      readonly admittedAtMs: number;
      /** The event said it came from the future; it counts in the hour it arrived. */
      readonly isTimeClamped: boolean;
      /** The event as JSON that Postgres can store. */
      readonly payload: string;
    }
  | { readonly kind: 'dead-letter'; readonly reason: DeadLetterReason };

const LATE_MAX_MS = 35 * DAY_MS;

/** Until when usage of a period may still arrive that is counted without an operator's doing. */
export function restatableUntil(periodEndMs: number): number {
  return periodEndMs + LATE_MAX_MS;
}

const AHEAD_MAX_MS = 5 * 60_000;
/** No attempt uses this many of anything; sums of thousands of them still fit 64 bits. */
const COUNT_MAX = 2 ** 41;
/** A thousand million dollars. */
const PICO_DIGITS_MAX = 21;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type DecodeOptions = {
  /** An operator decided that an event counts however late it is. */
  readonly acceptLate?: boolean;
  /** Of what was counted before: corrections stand beside events there, and nowhere else. */
  readonly isCounted?: boolean;
};

/** Reads one journalled event. Whatever cannot be counted is named, never thrown: one bad event must not stop the others. */
export function decodeUsageEvent(payload: string, nowMs: number, options: DecodeOptions = {}): DecodedUsageEvent {
  const { acceptLate = false, isCounted = false } = options;
  const parsed = parsePayload(payload);
  if (parsed === undefined) return deadLetter('unreadable');
  const event = readEvent(parsed.value, isCounted);
  if (event === undefined) return deadLetter(isOtherVersion(parsed.value) ? 'unknown_version' : 'unreadable');
  if (!isWithinBounds(event)) return deadLetter('out_of_bounds');
  if (!acceptLate && event.admitted_at < nowMs - LATE_MAX_MS) return deadLetter('too_late');
  const isTimeClamped = event.admitted_at > nowMs + AHEAD_MAX_MS;
  return { kind: 'event', event, admittedAtMs: isTimeClamped ? nowMs : event.admitted_at, isTimeClamped, payload: parsed.payload };
}

/** The schema decides; it is only not asked about what it would certainly take as it is. */
function readEvent(value: unknown, isCounted: boolean): UsageEvent | undefined {
  const event = namesCorrected(value) ? readCorrection(value, isCounted) : isPlainEvent(value) ? value : usageEvent.safeParse(value).data;
  if (event === undefined || hasUuids(event)) return event;
  const lowered = withLowerCaseIds(event);
  return hasUuids(lowered) ? lowered : undefined;
}

function namesCorrected(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'corrects' in value;
}

function readCorrection(value: unknown, isCounted: boolean): UsageEvent | undefined {
  return isCounted ? usageCorrection.safeParse(value).data : undefined;
}

function deadLetter(reason: DeadLetterReason): DecodedUsageEvent {
  return { kind: 'dead-letter', reason };
}

function parsePayload(payload: string): { value: unknown; payload: string } | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    if (!payload.includes('\\u')) return { value, payload };
    const storable = cleanJson(value);
    return { value: storable, payload: JSON.stringify(storable) };
  } catch {
    return undefined;
  }
}

/** Postgres text knows neither NUL nor half of a surrogate pair; both can only come in as `\u` escapes. */
function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}

function cleanText(text: string): string {
  return text.replace(/\0/g, '').replace(/\p{Surrogate}/gu, '\ufffd');
}

function isOtherVersion(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'v' in value && typeof value.v === 'number' && value.v !== 1;
}

/** Ids are compared as text here and as uuids in Postgres; case must not distinguish them. */
function withLowerCaseIds(event: UsageEvent): UsageEvent {
  const lowered: UsageEvent = { ...event, org_id: event.org_id.toLowerCase(), api_key_id: event.api_key_id.toLowerCase() };
  for (const field of ['user_id', 'group_id', 'key_label_set_id', 'group_label_set_id'] as const) {
    lowered[field] = event[field]?.toLowerCase() ?? null;
  }
  return lowered;
}

function hasUuids(event: UsageEvent): boolean {
  return (
    UUID.test(event.org_id) &&
    UUID.test(event.api_key_id) &&
    isUuidOrNull(event.user_id) &&
    isUuidOrNull(event.group_id) &&
    isUuidOrNull(event.key_label_set_id) &&
    isUuidOrNull(event.group_label_set_id)
  );
}

function isUuidOrNull(id: string | null): boolean {
  return id === null || UUID.test(id);
}

function isWithinBounds(event: UsageEvent): boolean {
  if (event.cost_p.length > PICO_DIGITS_MAX || event.billed_p.length > PICO_DIGITS_MAX) return false;
  if (event.dur_ms > COUNT_MAX || (event.ttft_ms ?? 0) > COUNT_MAX) return false;
  for (const name of UNIT_NAMES) if ((event.units[name] ?? 0) > COUNT_MAX) return false;
  return true;
}
