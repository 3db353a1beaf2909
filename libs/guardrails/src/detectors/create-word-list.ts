import type { Detector } from './detector';

const WORD = /[\p{L}\p{N}_]/u;

/** Words that may not occur, as whole words; case does not matter. */
export function createWordList(name: string, words: readonly string[]): Detector {
  const lower = words.map((word) => word.toLowerCase());
  const escaped = [...lower].sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  const longest = Math.max(...words.map((word) => word.length));
  const isBeginning = (tail: string): boolean => lower.some((word) => word.startsWith(tail) || tail.startsWith(word));
  return {
    name,
    find: (text, from, report) => {
      pattern.lastIndex = from;
      for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
        if (found.index >= from) report(found.index, found.index + found[0].length);
        pattern.lastIndex = found.index + 1;
      }
    },
    pendingFrom: (text, from) => {
      const least = Math.max(from, text.length - longest - 1);
      for (let start = least; start < text.length; start += 1) {
        const isInside = start > 0 && WORD.test(text[start - 1] ?? '');
        if (!isInside && isBeginning(text.slice(start).toLowerCase())) return start;
      }
      return text.length;
    },
  };
}
