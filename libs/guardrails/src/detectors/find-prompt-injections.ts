import type { Detector, Report } from './detector';
import { createOpening, findPlaces } from './find-openings';

/** Phrases that try to replace a model's instructions, in steps that follow one another. Every repetition is bounded. */
const PHRASES: readonly (readonly string[])[] = [
  [
    '(?:ignore|disregard|forget|override|bypass|skip)',
    '(?:\\s{1,3}(?:all|any|every|each|the|of|your|my|these|those|previous|prior|above|earlier|preceding|system|safety|initial|original)){1,6}',
    '\\s{1,3}(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|context|restrictions?|programming)',
  ],
  [
    '(?:reveal|show|print|repeat|output|display|leak|give|tell)',
    '(?:\\s{1,3}(?:me|us|the|your|full|entire|exact|hidden|secret|initial|original|verbatim)){1,5}',
    '\\s{1,3}(?:system|initial|instructions)',
    '\\s{1,3}(?:prompts?|messages?|instructions?|above|verbatim)',
  ],
  [
    'you',
    '\\s{1,3}are',
    '\\s{1,3}now',
    '(?:\\s{1,3}(?:in|an?)){0,2}',
    '\\s{1,3}(?:dan|developer\\s{1,3}mode|jailbroken|unrestricted|unfiltered|uncensored)',
  ],
  ['(?:enable|enter|activate|switch)', '(?:\\s{1,3}to)?', '\\s{1,3}(?:developer|god|dan|jailbreak|unrestricted|debug)', '\\s{1,3}mode'],
  [
    '(?:act|behave|respond|answer|pretend)',
    '(?:\\s{1,3}(?:as|if|like|though|that|to|you|have|had|are|were)){1,5}',
    '\\s{1,3}(?:no|without|free\\s{1,3}of|freed\\s{1,3}from|not\\s{1,3}bound\\s{1,3}by)',
    '(?:\\s{1,3}(?:any|your|all)){0,2}',
    '\\s{1,3}(?:restrictions?|rules?|filters?|limits?|limitations?|guidelines?|ethics)',
  ],
  ['do', '\\s{1,3}anything', '\\s{1,3}now'],
  ['(?:new|updated|real|actual)', '(?:\\s{1,3}system)?', '\\s{1,3}instructions?', '\\s{0,2}:'],
  ['<\\|(?:im_start|im_end|system|endoftext|start_header_id)\\|?>?'],
  ['\\[/?(?:INST|SYS)\\]'],
  ['<</?SYS>>'],
];
const INJECTION = new RegExp(`(?<![A-Za-z0-9])(?:${PHRASES.map((steps) => steps.join('')).join('|')})`, 'iy');
/** The first steps of a phrase, and at the end of the text perhaps the beginning of the next. */
const BEGUN = new RegExp(
  `(?<![A-Za-z0-9])(?:${PHRASES.filter((steps) => steps.length > 1)
    .map(beginning)
    .join('|')})`,
  'iy',
);
const OPENINGS =
  'ignore disregard forget override bypass skip reveal show print repeat output display leak give tell you enable enter activate switch act ' +
  'behave respond answer pretend do new updated real actual';
const WORDS = createOpening(OPENINGS.split(' '), 'gi');
/** More than the first word of a phrase never stands alone, except at the end of a text. */
const BEGINNINGS = createOpening(
  OPENINGS.split(' ').map((word) => `${word}\\s`),
  'gi',
);
/** Marks by which some models separate speakers. */
const MARKS = /<\||\[\/?[IS]|<<?\/?S/gi;
const OPEN_WORD = /(?<![A-Za-z0-9])(?:[A-Za-z]{1,10}|[<[][<|/A-Za-z_]{0,20})$/;
/** Invisible characters that spell ASCII: text a reader does not see. */
const HIDDEN = /(?:\udb40[\udc20-\udc7e]){4,64}/g;
const OPEN_HIDDEN = /(?:\udb40[\udc20-\udc7e]?){1,64}$/;
const REACH = 160;

/**
 * Attempts to make a model forget its instructions. A heuristic: it knows phrases, not intentions, so it misses what is
 * said in other words and finds what merely quotes such a phrase.
 */
export const promptInjections: Detector = {
  name: 'prompt_injection',
  find: ({ text, from }, report) => {
    const visit = (start: number): void => {
      INJECTION.lastIndex = start;
      const found = INJECTION.exec(text);
      if (found !== null) report(start, start + found[0].length);
    };
    findPlaces(text, from, BEGINNINGS, visit);
    findPlaces(text, from, MARKS, visit);
    findHidden(text, from, report);
  },
  pendingFrom: (text, from) => {
    const least = Math.max(from, text.length - REACH);
    let start = text.length;
    const visit = (place: number): void => {
      BEGUN.lastIndex = place;
      if (place < start && BEGUN.test(text)) start = place;
    };
    findPlaces(text, least, WORDS, visit);
    const tail = text.slice(least);
    const open = [OPEN_WORD, OPEN_HIDDEN].map((pattern) => pattern.exec(tail)?.index ?? tail.length);
    return Math.min(start, least + Math.min(...open));
  },
};

function beginning([step = '', ...rest]: readonly string[]): string {
  const open = '\\s{0,3}[A-Za-z]{0,20}$';
  return rest.length === 0 ? step : `${step}(?:${open}|${beginning(rest)})`;
}

function findHidden(text: string, from: number, report: Report): void {
  if (!text.includes('\udb40', from)) return;
  HIDDEN.lastIndex = from;
  for (let found = HIDDEN.exec(text); found !== null; found = HIDDEN.exec(text)) {
    report(found.index, found.index + found[0].length);
    HIDDEN.lastIndex = found.index + 1;
  }
}
