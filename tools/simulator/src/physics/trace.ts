import { createHash } from 'node:crypto';

/** What happened in a world, in order. Two runs of a seed have the same digest. */
export type Trace = {
  note(who: string, what: string): void;
  /** The last lines of all. */
  tail(count: number): readonly string[];
  /** The last lines that name one of the words, and all faults. */
  about(words: readonly string[], count: number): readonly string[];
  digest(): string;
};

const KEPT_MAX = 60_000;

/** `now` shows the time since the world began. */
export function createTrace(now: () => number): Trace {
  const lines: string[] = [];
  const sum = createHash('sha256');
  return {
    note: (who, what) => {
      const line = `${now().toFixed(3).padStart(11)} ${who}: ${what}`;
      sum.update(line);
      lines.push(line);
      if (lines.length > KEPT_MAX) lines.splice(0, KEPT_MAX / 2);
    },
    tail: (count) => lines.slice(-count),
    about: (words, count) => lines.filter((line) => line.includes(': FAULT') || words.some((word) => line.includes(word))).slice(-count),
    digest: () => sum.copy().digest('hex'),
  };
}
