import type { PassportTerms } from '@weir/contracts';

/** Terms of passports that a worker has read, by their digest. */
export type TermsCache = {
  find(digest: string): PassportTerms | undefined;
  /** `size`: of the header that brought them. */
  keep(digest: string, terms: PassportTerms, size: number): void;
};

type Kept = { readonly terms: PassportTerms; readonly size: number; readonly untilMs: number };

const TERMS_MAX = 4_096;
const SIZE_MAX = 8 * 1024 * 1024;
/** Sealed credentials of organizations are among them, and stay in no memory for longer. */
const KEPT_MS = 5 * 60_000;

type TermsCacheOptions = { readonly now: () => number; readonly termsMax?: number; readonly sizeMax?: number };

/** Those that were used last stay, until they are too many, too large together, or too old. */
export function createTermsCache({ now, termsMax = TERMS_MAX, sizeMax = SIZE_MAX }: TermsCacheOptions): TermsCache {
  const kept = new Map<string, Kept>();
  let size = 0;
  const drop = (digest: string, one: Kept): void => {
    kept.delete(digest);
    size -= one.size;
  };
  const put = (digest: string, one: Kept): Kept => {
    kept.set(digest, one);
    size += one.size;
    return one;
  };
  return {
    find: (digest) => {
      const found = kept.get(digest);
      if (found === undefined) return undefined;
      drop(digest, found);
      return found.untilMs > now() ? put(digest, found).terms : undefined;
    },
    keep: (digest, terms, itsSize) => {
      const before = kept.get(digest);
      if (before !== undefined) drop(digest, before);
      put(digest, { terms, size: itsSize, untilMs: now() + KEPT_MS });
      for (const [oldest, one] of kept) {
        if (kept.size <= termsMax && size <= sizeMax) return;
        drop(oldest, one);
      }
    },
  };
}
