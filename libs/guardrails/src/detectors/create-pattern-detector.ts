import { measurePattern } from '@weir/contracts';
import { RE2JS } from 're2js';
import type { Detector, Report } from './detector';

/** In a stream, how much of a match is waited for whose length nothing bounds. */
const UNBOUNDED_REACH = 256;

/** Says why the engine cannot run a pattern; undefined when it can. */
export function findEngineProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return undefined;
  } catch {
    return 'uses something that the linear-time engine does not have';
  }
}

/** A pattern of the organization's own, run by an engine that takes time linear in the text whatever the pattern. */
export function createPatternDetector(name: string, pattern: string): Detector {
  const engine = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const { longest, prefix } = measurePattern(pattern);
  const reach = Number.isFinite(longest) ? longest + 1 : UNBOUNDED_REACH;
  return {
    name,
    find: ({ text, from }, report) => {
      const first = prefix === '' ? from : text.indexOf(prefix, from);
      if (first === -1 || (prefix === '' && from === 0 && !engine.test(text))) return;
      reportAll(engine, { text, from: first, report });
    },
    pendingFrom: (text, from) => {
      const least = Math.max(from, text.length - reach);
      return prefix === '' ? least : findOpenPrefix(text, least, prefix);
    },
  };
}

function reportAll(engine: RE2JS, { text, from, report }: { text: string; from: number; report: Report }): void {
  const matcher = engine.matcher(text);
  let position = from;
  while (position <= text.length && matcher.find(position)) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start) report(start, end);
    position = Math.max(end, start + 1);
  }
}

function findOpenPrefix(text: string, from: number, prefix: string): number {
  const whole = text.indexOf(prefix, from);
  if (whole !== -1) return whole;
  for (let start = Math.max(from, text.length - prefix.length + 1); start < text.length; start += 1) {
    if (prefix.startsWith(text.slice(start))) return start;
  }
  return text.length;
}
