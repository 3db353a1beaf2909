import { CHECKS_MAX, CONTEXT, MATCH_MAX, type Checks, type Detector, type Reading } from '../detectors/detector';
import { createDigitRunFinder, type DigitRuns } from '../detectors/digit-runs';

/** What becomes of what a detector finds. */
type Role = 'restore' | 'flag' | 'mask' | 'block';
export type Watch = { readonly detector: Detector; readonly role: Role };

/** A place in the text, from its very beginning, and everything that was found there. */
export type Finding = { readonly start: number; readonly end: number; readonly watches: readonly Watch[] };

/**
 * Scans a text that comes in pieces. A place is settled when no text to come can change what was found there: the
 * findings below `settled()` are the same however the text was cut.
 */
export type TextWindow = {
  push(text: string): void;
  /** Nothing comes any more: everything is settled. */
  end(): void;
  settled(): number;
  /** Findings that were settled since the last call, in order; what changes the text overlaps nothing else that does. */
  takeFindings(): Finding[];
  /** Text that was not settled when it was last asked for; for what is to be masked. */
  read(start: number, end: number): string;
};

type Match = { readonly start: number; readonly end: number; readonly watch: Watch };

/** `checks` are shared by all texts of a request, or of its reply. */
export function createTextWindow(watches: readonly Watch[], checks: Checks = { left: CHECKS_MAX }): TextWindow {
  /** Settled text that detectors look back at, then the rest; begins at `base`. */
  let text = '';
  let base = 0;
  let settled = 0;
  let ready: Finding[] = [];

  const settle = (isEnd: boolean): void => {
    const from = settled - base;
    const matches = findMatches(watches, createReading(text, from, checks));
    const upTo = isEnd ? text.length : findSettled(watches, { text, from, matches });
    const done = matches.filter(({ end }) => end <= upTo).map((match) => shift(match, base));
    ready = ready.concat(joinMatches(done));
    settled = base + upTo;
  };

  return {
    push: (piece) => {
      // What was settled before this piece has been read by now.
      const keptFrom = Math.max(0, settled - base - CONTEXT);
      text = text.slice(keptFrom) + piece;
      base += keptFrom;
      settle(false);
    },
    end: () => settle(true),
    settled: () => settled,
    takeFindings: () => {
      const taken = ready;
      ready = [];
      return taken;
    },
    read: (start, end) => text.slice(Math.max(0, start - base), Math.max(0, end - base)),
  };
}

/** What is found in a text that is there as a whole. */
export function findInWhole(text: string, watches: readonly Watch[], checks: Checks): Finding[] {
  return joinMatches(findMatches(watches, createReading(text, 0, checks)));
}

/** Its result is used up before the next text is looked at, so all windows share it. */
const findDigitRuns = createDigitRunFinder();

function createReading(text: string, from: number, checks: Checks): Reading {
  let runs: DigitRuns | undefined;
  return { text, from, checks, digitRuns: () => (runs ??= findDigitRuns(text, from)) };
}

function findMatches(watches: readonly Watch[], reading: Reading): Match[] {
  const matches: Match[] = [];
  for (const watch of watches) watch.detector.find(reading, (start, end) => matches.push({ start, end, watch }));
  return matches.sort((one, other) => one.start - other.start || one.end - other.end);
}

type Scan = { readonly text: string; readonly from: number; readonly matches: readonly Match[] };

/** Up to where nothing can change: before what is open, and never inside a match. */
function findSettled(watches: readonly Watch[], { text, from, matches }: Scan): number {
  let upTo = text.length;
  for (const { detector } of watches) upTo = Math.min(upTo, detector.pendingFrom(text, from));
  for (const { start, end } of matches) {
    if (end === text.length && end - start < MATCH_MAX) upTo = Math.min(upTo, start);
  }
  for (let index = matches.length - 1; index >= 0; index -= 1) {
    const { start, end } = matches[index] as Match;
    // What was passed over on the way back begins after this place, so it cannot reach across it.
    if (start < upTo && end > upTo) upTo = start;
  }
  return Math.max(from, upTo);
}

function shift({ start, end, watch }: Match, by: number): Match {
  return { start: start + by, end: end + by, watch };
}

/** Joins overlapping matches that change the text into one finding, so that no part of either is left over. */
function joinMatches(matches: readonly Match[]): Finding[] {
  const findings: Finding[] = [];
  let last: { start: number; end: number; watches: Watch[] } | undefined;
  for (const { start, end, watch } of matches) {
    if (watch.role === 'flag' || watch.role === 'block') {
      findings.push({ start, end, watches: [watch] });
    } else if (last !== undefined && start < last.end) {
      last.end = Math.max(last.end, end);
      last.watches.push(watch);
    } else {
      last = { start, end, watches: [watch] };
      findings.push(last);
    }
  }
  return findings;
}
