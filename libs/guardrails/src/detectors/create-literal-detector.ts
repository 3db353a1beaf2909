import type { Detector } from './detector';

/** Finds texts that somebody else pointed out, letter by letter. */
export function createLiteralDetector(name: string, values: readonly string[]): Detector {
  const longest = Math.max(0, ...values.map((value) => value.length));
  return {
    name,
    find: ({ text, from }, report) => {
      for (const value of values) {
        for (let start = text.indexOf(value, from); start !== -1; start = text.indexOf(value, start + 1))
          report(start, start + value.length);
      }
    },
    pendingFrom: (text, from) => {
      for (let start = Math.max(from, text.length - longest + 1); start < text.length; start += 1) {
        const tail = text.slice(start);
        if (values.some((value) => value.length > tail.length && value.startsWith(tail))) return start;
      }
      return text.length;
    },
  };
}
