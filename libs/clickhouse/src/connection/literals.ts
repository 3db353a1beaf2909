import { invariant } from '@weir/errors';
import type { Resolution } from '@weir/usage';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text as SQL. Its bytes are written as digits, so whatever a caller wrote stays a text. */
export function textLiteral(text: string): string {
  return `unhex('${Buffer.from(text).toString('hex')}')`;
}

export function uuidLiteral(id: string): string {
  invariant(UUID.test(id), 'ids of organizations, keys, members and groups are UUIDs');
  return `toUUID('${id.toLowerCase()}')`;
}

/** An instant with milliseconds. */
export function instantLiteral(atMs: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${Math.trunc(atMs)}), 'UTC')`;
}

/** What columns of periods hold: seconds of 32 bits, to the year 2106. */
const SECONDS_MAX = 2 ** 32 - 1;

/** The start of a period. What is beyond all periods is the nearest that can be written. */
export function periodLiteral(startMs: number): string {
  return `toDateTime(${Math.min(SECONDS_MAX, Math.max(0, Math.floor(startMs / 1000)))}, 'UTC')`;
}

/** As JSON, for columns with milliseconds and without. */
export function spellInstantJson(atMs: number): string {
  return new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');
}

export function spellPeriodJson(startMs: number): string {
  return spellInstantJson(startMs).slice(0, 19);
}

/** The start of the UTC period that an instant of a column falls into. */
export function periodOf(resolution: Resolution, column: string): string {
  if (resolution === 'hour') return `toStartOfHour(${column})`;
  if (resolution === 'day') return `toStartOfDay(${column})`;
  return `toDateTime(toStartOfMonth(${column}), 'UTC')`;
}
