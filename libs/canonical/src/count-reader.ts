import { asNumber } from './exact-json';
import { toCount } from './usage';

/** Reads the counts of one usage object that a provider reported. */
export type CountReader = {
  /** A count; 0 where none was reported. */
  count(value: unknown): number;
  /**
   * A count that every usage has, and that something is charged by. Where it is missing it is what `total` leaves beside the
   * `others`; where that is nothing either, it is in doubt, so that it is estimated and not free.
   */
  needed(value: unknown, total?: unknown, others?: number): number;
  /** A count that is contained in `whole`; 0 where a part larger than the whole was reported, because parts are often cheaper. */
  part(value: unknown, whole: number): number;
  /** Empty, or the mark that a needed count is missing or an impossible one was reported: negative, not a number, or a part larger than its whole. */
  doubt(): { readonly isDoubtful?: true };
};

const DIGITS = /^\d{1,15}$/;
const NO_DOUBT = {};
const DOUBT = { isDoubtful: true } as const;

export function createCountReader(): CountReader {
  let isDoubtful = false;
  const count = (value: unknown): number => {
    if (value === undefined || value === null) return 0;
    if (isPossible(value)) return toCount(asNumber(value) ?? Number(value));
    isDoubtful = true;
    return 0;
  };
  return {
    count,
    needed: (value, total, others = 0) => {
      if (value !== undefined && value !== null) return count(value);
      const left = isPossible(total) ? toCount(Number(total)) - others : 0;
      if (left > 0) return left;
      isDoubtful = true;
      return 0;
    },
    part: (value, whole) => {
      const reported = count(value);
      if (reported <= whole) return reported;
      isDoubtful = true;
      return 0;
    },
    doubt: () => (isDoubtful ? DOUBT : NO_DOUBT),
  };
}

/** Whether a value is a number, which some providers write as text. */
export function isNumeral(value: unknown): boolean {
  return asNumber(value) !== undefined || (typeof value === 'string' && DIGITS.test(value));
}

function isPossible(value: unknown): boolean {
  return isNumeral(value) && (asNumber(value) ?? Number(value)) >= 0;
}

/** The one count that a provider reports. Null where it reported none; an impossible one reads as the largest count, which is plausible nowhere. */
export function readReportedCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return toCount(isPossible(value) ? (asNumber(value) ?? Number(value)) : Infinity);
}
