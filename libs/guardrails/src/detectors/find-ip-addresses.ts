import { digitOr, isAlphanumeric, isDigit } from './characters';
import type { Detector, Report } from './detector';
import { endOf, gapAfter, lengthOf, startOf, type DigitRuns } from './digit-runs';
import { findOpenRun, findShapeAt, type Run } from './shape';

const V4 = /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/y;
const V6 = /(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])/y;
const V6_MAX = 48;
const DOT = 0x2e;
const VERSION_BEFORE = /(?:version|release|ver\.?|v\.?)\s?$/i;
const isV6Part = (code: number): boolean => isAlphanumeric(code) || code === 0x3a || code === 0x2e;

/** Addresses of machines, both versions; not those that mean no one (0.0.0.0, ::, loopback). */
export const ipAddresses: Detector = {
  name: 'ip_address',
  find: ({ text, from, digitRuns }, report) => {
    const runs = digitRuns();
    for (let index = 0; index < runs.count; index += 1) {
      if (canBeginV4(text, runs, index)) findShapeAt(text, startOf(runs, index), { pattern: V4, verify: verifyV4, report });
    }
    findV6(text, from, report);
  },
  pendingFrom: (text, from) => Math.min(findOpenRun(text, from, OPEN_V4), findOpenRun(text, from, OPEN_V6)),
};

const OPEN_V4: Run = { isPart: digitOr('.-'), isStart: isDigit, reach: 20 };
const OPEN_V6: Run = { isPart: isV6Part, isStart: (code) => isAlphanumeric(code) || code === 0x3a, reach: V6_MAX };

/** Two colons are close to one another in every address, and hardly anywhere else. */
function findV6(text: string, from: number, report: Report): void {
  let last = -1;
  for (let colon = text.indexOf(':', from); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const next = text.indexOf(':', colon + 1);
    if (next === -1) return;
    if (next - colon > 5) continue;
    let start = colon;
    while (start > from && start > colon - 5 && isV6Part(text.charCodeAt(start - 1))) start -= 1;
    V6.lastIndex = start;
    const found = start === last ? null : V6.exec(text);
    last = start;
    if (found !== null && isV6(found[0])) report(start, start + found[0].length);
  }
}

/** Four short runs, one character apart; the first of these characters is a dot. */
function canBeginV4(text: string, runs: DigitRuns, index: number): boolean {
  if (lengthOf(runs, index) > 3 || text.charCodeAt(endOf(runs, index)) !== DOT) return false;
  return isShortNext(runs, index) && isShortNext(runs, index + 1) && isShortNext(runs, index + 2);
}

function isShortNext(runs: DigitRuns, index: number): boolean {
  return gapAfter(runs, index) === 1 && lengthOf(runs, index + 1) <= 3;
}

function verifyV4(text: string, start: number, end: number): number | undefined {
  return isV4(text, start, end) ? end : undefined;
}

function isV4(text: string, start: number, end: number): boolean {
  const octets = text.slice(start, end).split('.');
  if (octets.some((octet) => Number(octet) > 255 || (octet.length > 1 && octet.startsWith('0')))) return false;
  if (octets[0] === '0' || octets[0] === '127') return false;
  return !VERSION_BEFORE.test(text.slice(Math.max(0, start - 10), start));
}

function isV6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = address.split(':').filter((group) => group !== '');
  if (halves.length === 1) return groups.length === 8;
  // `a::b` is code more often than an address.
  return groups.length >= 2 && groups.length <= 7 && groups.some((group) => group.length === 4) && /\d/.test(address);
}
