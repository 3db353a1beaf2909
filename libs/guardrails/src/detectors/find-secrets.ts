import { alphanumericOr, isAlphanumeric } from './characters';
import { MATCH_MAX, type Detector, type Report } from './detector';
import { createOpening, findPlaces } from './find-openings';
import { findPemBlocks, findOpenPemBlock } from './find-pem-blocks';
import { isRandom } from './is-random';
import { SECRET_SHAPES } from './secret-shapes';

const OPENING = createOpening(
  SECRET_SHAPES.map(({ prefix }) => prefix),
  'g',
);
const SHAPES = SECRET_SHAPES.map(({ prefix, rest }) => ({ prefix, rest: new RegExp(rest, 'y') }));
const PREFIX_MAX = Math.max(...SECRET_SHAPES.map(({ prefix }) => prefix.length));

const isTokenPart = alphanumericOr('_-./+=~');
/** Passwords also hold marks that keys never have. */
const isValuePart = alphanumericOr('_-./+=~!@#$%^&*?');

/** What stands between a name and its value: marks that are soon looked for one by one, and words. */
const MARKS = ['=', ':'];
const WORDS = / is |earer /g;
const BEARER = 'earer ';
/** How names of secrets end: a cheap test that rules out most names. */
const NAME_ENDS: ReadonlySet<string> = new Set('key ret ken ord ort swd ase pwd ial eys ets ens rds als'.split(' '));
const AFTER_NAME = new Set([...'"\'`] '].map((mark) => mark.charCodeAt(0)));
const NAME_BEFORE =
  /(?:^|[^A-Za-z])(?:[A-Za-z0-9]{0,24}[_-])?(?:api[_ -]?key|access[_ -]?key|private[_ -]?key|secret[_ -]?key|client[_ -]?secret|secret|auth[_ -]?token|token|password|passwort|passwd|passphrase|pwd|credentials?|account[_ -]?key)s?["'\]`]{0,2}\s{0,2}$/i;
const PASSWORD_BEFORE = /pass|pwd/i;
const GAP = /(?:[=:>]|\s){0,3}["'`]{0,1}/y;
const LOOK_BACK = 56;
const OPEN_NAME = /[=:>"'`\s]{1,6}$/;
const VALUE_MAX = 512;

/** Keys, tokens and passwords: by the forms services give them, by private-key blocks, or by the name they are assigned to. */
export const secrets: Detector = {
  name: 'secret',
  find: ({ text, from }, report) => {
    findByPrefix(text, from, report);
    findByName(text, from, report);
    findPemBlocks(text, from, report);
  },
  pendingFrom: (text, from) => Math.min(findOpenToken(text, from), findOpenPemBlock(text, from)),
};

function findByPrefix(text: string, from: number, report: Report): void {
  let passed = from;
  const visit = (start: number): void => {
    if (start < passed) return;
    const found = SHAPES.find(({ prefix, rest }) => {
      if (!text.startsWith(prefix, start)) return false;
      rest.lastIndex = start + prefix.length;
      return rest.test(text);
    });
    if (found === undefined) return;
    passed = endOfRun(text, start, isTokenPart, MATCH_MAX);
    report(start, passed);
  };
  findPlaces(text, from, OPENING, visit);
}

function findByName(text: string, from: number, report: Report): void {
  const visit = (at: number, mark: string): void => {
    const start = findValue(text, at, mark);
    if (start !== undefined && start >= from) reportValue(text, start, isPasswordAt(text, at), report);
  };
  const first = Math.max(0, from - 8);
  for (const mark of MARKS) {
    for (let at = text.indexOf(mark, first); at !== -1; at = text.indexOf(mark, at + 1)) visit(at, mark);
  }
  findPlaces(text, first, WORDS, (at) => visit(at, text[at] === ' ' ? ' is ' : BEARER));
}

/** Where the value begins that a name before the mark makes a secret. */
function findValue(text: string, at: number, mark: string): number | undefined {
  if (mark !== BEARER && !isNamedBefore(text, at)) return undefined;
  GAP.lastIndex = at + mark.length;
  const gap = GAP.exec(text)?.[0] ?? '';
  return at + mark.length + gap.length;
}

function isNamedBefore(text: string, at: number): boolean {
  let end = at;
  while (end > at - 4 && AFTER_NAME.has(text.charCodeAt(end - 1))) end -= 1;
  if (!NAME_ENDS.has(text.slice(Math.max(0, end - 3), end).toLowerCase())) return false;
  return NAME_BEFORE.test(text.slice(Math.max(0, at - LOOK_BACK), at));
}

function isPasswordAt(text: string, at: number): boolean {
  return PASSWORD_BEFORE.test(text.slice(Math.max(0, at - 16), at));
}

function reportValue(text: string, start: number, isPassword: boolean, report: Report): void {
  let end = endOfRun(text, start, isPassword ? isValuePart : isTokenPart, VALUE_MAX);
  // A sentence ends here, not the value.
  while (end > start && text[end - 1] === '.') end -= 1;
  if (isRandom(text.slice(start, end), isPassword ? 8 : 16)) report(start, end);
}

function endOfRun(text: string, start: number, isPart: (code: number) => boolean, max: number): number {
  const most = Math.min(text.length, start + max);
  let end = start;
  while (end < most && isPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** Holds on to what may become a token: from its prefix, from the value of a name, or the few characters that may be a prefix. */
function findOpenToken(text: string, from: number): number {
  const { length } = text;
  const least = Math.max(from, length - MATCH_MAX);
  let run = length;
  while (run > least && isValuePart(text.charCodeAt(run - 1))) run -= 1;
  if (run === length) return length;
  const prefix = findPrefix(text, run);
  const value = length - run <= VALUE_MAX ? findOpenValue(text, run) : length;
  const start = Math.max(run, length - PREFIX_MAX);
  return Math.min(prefix, value, isAlphanumeric(text.charCodeAt(start)) || start > run ? start : length);
}

/** Where a prefix begins that stands in full. */
function findPrefix(text: string, run: number): number {
  let first = text.length;
  const visit = (start: number): void => {
    if (start < first && SHAPES.some(({ prefix }) => text.startsWith(prefix, start))) first = start;
  };
  findPlaces(text, run, OPENING, visit);
  return first;
}

/** Where in the open run the value of a name begins: at its beginning, or after a mark inside it. */
function findOpenValue(text: string, run: number): number {
  const gap = OPEN_NAME.exec(text.slice(Math.max(0, run - 6), run));
  if (gap !== null) {
    const at = run - gap[0].length;
    const name = text.slice(Math.max(0, at - LOOK_BACK), at).replace(/ is$/, '');
    if (NAME_BEFORE.test(name) || /earer$/.test(name)) return run;
  }
  const mark = text.indexOf('=', run);
  return mark !== -1 && NAME_BEFORE.test(text.slice(Math.max(0, mark - LOOK_BACK), mark)) ? mark + 1 : text.length;
}
