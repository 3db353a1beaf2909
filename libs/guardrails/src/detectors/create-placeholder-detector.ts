import type { Detector } from './detector';

/** Finds placeholders that stand for something, so that a reply can say the thing itself again. */
export function createPlaceholderDetector(placeholders: readonly string[]): Detector {
  const known = new Set(placeholders);
  const longest = Math.max(0, ...placeholders.map((placeholder) => placeholder.length));
  return {
    name: 'placeholder',
    find: ({ text, from }, report) => {
      for (let start = text.indexOf('[', from); start !== -1; start = text.indexOf('[', start + 1)) {
        const end = text.indexOf(']', start) + 1;
        if (end === 0) return;
        if (known.has(text.slice(start, end))) report(start, end);
      }
    },
    pendingFrom: (text, from) => {
      const start = text.lastIndexOf('[');
      const isOpen = start >= Math.max(from, text.length - longest) && !text.includes(']', start);
      return isOpen ? start : text.length;
    },
  };
}
