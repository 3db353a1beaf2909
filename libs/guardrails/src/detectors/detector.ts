import type { DigitRuns } from './digit-runs';

export type Report = (start: number, end: number) => void;

/** A text that is looked through, from a place on. */
export type Reading = {
  readonly text: string;
  readonly from: number;
  /** Runs of digits that begin at `from` or later; worked out once, for all detectors. */
  digitRuns(): DigitRuns;
  readonly checks: Checks;
};

/**
 * How many costly checks are left for the texts of one request, or of its reply. Without any, what has the right form is
 * taken for a match, so that no one can keep a process busy with texts that nearly match.
 */
export type Checks = { left: number };
export const CHECKS_MAX = 5_000;

/**
 * Finds one kind of thing in text. Whether something at a place is a match follows from the text around that place alone
 * (up to `CONTEXT` characters before it), so that a text may be looked at in any pieces with the same result.
 */
export type Detector = {
  readonly name: string;
  /** Reports every match that begins at `from` or later; matches may overlap. */
  find(reading: Reading, report: Report): void;
  /**
   * Where the first match may begin that more text could still make, lengthen or undo; the text's length when there is
   * none. Never before `from`.
   */
  pendingFrom(text: string, from: number): number;
};

/** How many characters before a match a detector looks at. */
export const CONTEXT = 96;
/** Longer matches are cut here: no one's key is as long, and a stream is held back no further. */
export const MATCH_MAX = 16 * 1024;
