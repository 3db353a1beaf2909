/** Which terms of passports the processes of workers have. A guess: a worker that does not know them asks for them. */
export type KnownTerms = {
  has(process: string, digest: string): boolean;
  /** The process has read them just now. */
  add(process: string, digest: string): void;
  remove(process: string, digest: string): void;
};

const PROCESSES_MAX = 256;
const TERMS_MAX = 2_048;
/** Workers keep terms for five minutes after they came. */
const KEPT_MS = 4 * 60_000;

type KnownTermsOptions = { readonly now: () => number; readonly processesMax?: number; readonly termsMax?: number };

/** The processes, and the terms of each, that were heard of first are forgotten first when there are too many. */
export function createKnownTerms({ now, processesMax = PROCESSES_MAX, termsMax = TERMS_MAX }: KnownTermsOptions): KnownTerms {
  const processes = new Map<string, Map<string, number>>();
  return {
    has: (process, digest) => (processes.get(process)?.get(digest) ?? 0) > now(),
    add: (process, digest) => {
      let terms = processes.get(process);
      if (terms === undefined) {
        dropFirst(processes, processesMax - 1);
        terms = new Map();
        processes.set(process, terms);
      }
      terms.delete(digest);
      dropFirst(terms, termsMax - 1);
      terms.set(digest, now() + KEPT_MS);
    },
    remove: (process, digest) => void processes.get(process)?.delete(digest),
  };
}

function dropFirst(map: Map<string, unknown>, sizeMax: number): void {
  for (const first of map.keys()) {
    if (map.size <= sizeMax) return;
    map.delete(first);
  }
}
