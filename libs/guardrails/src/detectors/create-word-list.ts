import type { Detector } from './detector';

const WORD = /[\p{L}\p{N}_]/u;
const SYNTAX = /[.*+?^${}()|[\]\\/]/g;

/** Words that may not occur, as whole words; case does not matter. */
export function createWordList(name: string, words: readonly string[]): Detector {
  const folded = words.map(fold);
  const escaped = [...words].sort((a, b) => b.length - a.length).map((word) => word.replace(SYNTAX, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  const longest = Math.max(...words.map((word) => word.length));
  const isBeginning = (tail: string): boolean => folded.some((word) => word.startsWith(tail) || tail.startsWith(word));
  return {
    name,
    find: ({ text, from }, report) => {
      pattern.lastIndex = from;
      for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
        if (found.index >= from) report(found.index, found.index + found[0].length);
        // Inside a character of two units the pattern would step back to its beginning, for ever.
        pattern.lastIndex = found.index + ((text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1);
      }
    },
    pendingFrom: (text, from) => {
      const least = Math.max(from, text.length - longest - 1);
      for (let start = least; start < text.length; start += 1) {
        const isInside = start > 0 && WORD.test(text[start - 1] ?? '');
        if (!isInside && isBeginning(fold(text.slice(start)))) return start;
      }
      return text.length;
    },
  };
}

/** Letters that a pattern takes for the same become the same: also `ſ` and `s`, `ẞ` and `ß`, and `σ` wherever it stands in its word. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}
