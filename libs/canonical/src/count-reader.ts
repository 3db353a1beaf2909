import { toCount } from './usage';

/** Reads the counts of one usage object that a provider told. */
export type CountReader = {
  /** A count; 0 where none was told. */
  count(value: unknown): number;
  /** A count that is contained in `whole`; none of it where more was told than there is, because parts are often cheaper. */
  part(value: unknown, whole: number): number;
  /** Empty, or says that a count was told that cannot be: negative, no number, or a part above its whole. */
  doubt(): { readonly isDoubtful?: true };
};

const DIGITS = /^\d{1,15}$/;
const NO_DOUBT = {};
const DOUBT = { isDoubtful: true } as const;

export function createCountReader(): CountReader {
  let isDoubtful = false;
  const count = (value: unknown): number => {
    if (value === undefined || value === null) return 0;
    if (isPossible(value)) return toCount(Number(value));
    isDoubtful = true;
    return 0;
  };
  return {
    count,
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
  return typeof value === 'number' || (typeof value === 'string' && DIGITS.test(value));
}

function isPossible(value: unknown): boolean {
  return isNumeral(value) && Number(value) >= 0;
}

/** The one count that a provider tells. Null where it told none; the most that any count is where it cannot be, for no one believes that. */
export function readReportedCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return toCount(isPossible(value) ? Number(value) : Infinity);
}
