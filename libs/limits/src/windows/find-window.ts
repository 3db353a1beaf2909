import { LIMIT_WINDOWS, type LimitWindow } from '@weir/contracts';
import { findCalendarWindow, type WindowPeriod } from './calendar-window';

/** Where a window is at a moment: the period that is counted in now, and earlier steps that count as well. */
export type WindowPlace = WindowPeriod & {
  /** Starts of the earlier steps of a rolling window, the latest first. */
  readonly pastStartsMs: readonly number[];
};

const ROWS = new Map(LIMIT_WINDOWS.map((row) => [row.name, row]));
/** By zone and window: requests come in order, so that few need any arithmetic with dates. */
const current = new Map<string, Map<LimitWindow, WindowPlace>>();
/** More than there are names of zones. */
const ZONES_MAX = 1_000;

/** The place of a window at a moment; null for `total`, which is one period for ever. The same object while the period lasts. */
export function findWindow(window: LimitWindow, atMs: number, timeZone: string): WindowPlace | null {
  if (window === 'total') return null;
  let places = current.get(timeZone);
  if (places === undefined) {
    if (current.size >= ZONES_MAX) current.clear();
    current.set(timeZone, (places = new Map()));
  }
  let place = places.get(window);
  if (place === undefined || atMs < place.startMs || atMs >= place.endMs) {
    place = placeWindow(window, atMs, timeZone);
    if (place !== undefined) places.set(window, place);
  }
  return place ?? null;
}

const NO_STEPS: readonly number[] = [];

function placeWindow(window: LimitWindow, atMs: number, timeZone: string): WindowPlace | undefined {
  const { calendar = null, rolling = null } = ROWS.get(window) ?? {};
  if (calendar !== null) return { ...findCalendarWindow(calendar, atMs, timeZone), pastStartsMs: NO_STEPS };
  if (rolling === null) return undefined;
  const { ms, stepMs } = rolling;
  const startMs = Math.floor(atMs / stepMs) * stepMs;
  return {
    startMs,
    endMs: startMs + stepMs,
    pastStartsMs: Array.from({ length: ms / stepMs }, (_, index) => startMs - (index + 1) * stepMs),
  };
}
