import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';

/** From its start on, up to its end and without it. UTC epoch milliseconds. */
export type WindowPeriod = { readonly startMs: number; readonly endMs: number };

export type CalendarWindow = 'minute' | 'hour' | 'day' | 'week' | 'month';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Whether a zone is one whose calendar can be followed: a name of the IANA data base. */
export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** The window of a time zone's calendar that an instant is in. Each instant is in exactly one, wherever clocks are set forward or back. */
export function findCalendarWindow(window: CalendarWindow, atMs: number, timeZone: string): WindowPeriod {
  if (window === 'minute') return periodOf(floorTo(atMs, MINUTE_MS), MINUTE_MS); // all zones differ by whole minutes
  const zone = zoneOf(timeZone);
  return window === 'hour' ? findHour(atMs, zone) : findDays(window, atMs, zone);
}

/** A zone that this process does not know counts as UTC: a limit has to hold all the same. */
function zoneOf(timeZone: string): Zone {
  return isTimeZone(timeZone) ? IANAZone.create(timeZone) : FixedOffsetZone.utcInstance;
}

/** An hour of the clock, or what is left of it where the clock is set forward or back inside it. */
function findHour(atMs: number, zone: Zone): WindowPeriod {
  const offsetMs = offsetAt(zone, atMs);
  const startMs = floorTo(atMs + offsetMs, HOUR_MS) - offsetMs;
  const lastMs = startMs + HOUR_MS - 1;
  return {
    startMs: offsetAt(zone, startMs) === offsetMs ? startMs : findChange(zone, startMs, atMs),
    endMs: offsetAt(zone, lastMs) === offsetMs ? lastMs + 1 : findChange(zone, atMs, lastMs),
  };
}

/** The first instant after `fromMs` that has the offset of `toMs`; zones change at whole minutes, and not twice in an hour. */
function findChange(zone: Zone, fromMs: number, toMs: number): number {
  const wanted = offsetAt(zone, toMs);
  let before = Math.floor(fromMs / MINUTE_MS);
  let after = Math.floor(toMs / MINUTE_MS);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === wanted) after = middle;
    else before = middle;
  }
  return after * MINUTE_MS;
}

function findDays(window: 'day' | 'week' | 'month', atMs: number, zone: Zone): WindowPeriod {
  const step = { [`${window}s`]: 1 };
  const first = DateTime.fromMillis(atMs, { zone }).startOf(window);
  let startMs = firstInstant(first);
  let next = first.plus(step);
  // Clocks that are set back over midnight show the end of a day a second time: that belongs to the day after.
  while (firstInstant(next) <= atMs) {
    startMs = firstInstant(next);
    next = next.plus(step);
  }
  return { startMs, endMs: firstInstant(next) };
}

/** A day begins once, also where its midnight is passed twice. */
function firstInstant(day: DateTime): number {
  return Math.min(
    ...day
      .startOf('day')
      .getPossibleOffsets()
      .map((each) => each.toMillis()),
  );
}

function offsetAt(zone: Zone, atMs: number): number {
  return zone.offset(atMs) * MINUTE_MS;
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function periodOf(startMs: number, lengthMs: number): WindowPeriod {
  return { startMs, endMs: startMs + lengthMs };
}
