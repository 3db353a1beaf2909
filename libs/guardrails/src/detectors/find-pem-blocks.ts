import { MATCH_MAX, type Report } from './detector';

const BEGIN = '-----BEGIN ';
const HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const OPEN_HEAD = /^-----BEGIN [A-Z0-9 ]{0,60}-{0,5}$/;
const TAIL = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Private keys in PEM blocks; one whose end is missing reaches to the end of the text. */
export function findPemBlocks(text: string, from: number, report: Report): void {
  let start = text.indexOf(BEGIN, from);
  while (start !== -1) {
    const end = isHead(text, start) ? (findEnd(text, start) ?? Math.min(text.length, start + MATCH_MAX)) : start + 1;
    if (end > start + 1) report(start, end);
    start = text.indexOf(BEGIN, end);
  }
}

/** Where a block begins that is not complete yet; the text's length when there is none. */
export function findOpenPemBlock(text: string, from: number): number {
  const least = Math.max(from, text.length - MATCH_MAX);
  for (let start = text.indexOf(BEGIN, least); start !== -1; start = text.indexOf(BEGIN, start + 1)) {
    if (isHead(text, start) ? findEnd(text, start) === undefined : OPEN_HEAD.test(text.slice(start, start + 100))) return start;
  }
  for (let length = Math.min(BEGIN.length - 1, text.length - from); length > 0; length -= 1) {
    if (text.endsWith(BEGIN.slice(0, length))) return text.length - length;
  }
  return text.length;
}

function isHead(text: string, start: number): boolean {
  HEAD.lastIndex = start;
  return HEAD.test(text);
}

function findEnd(text: string, start: number): number | undefined {
  const block = text.slice(start, start + MATCH_MAX);
  TAIL.lastIndex = 0;
  return TAIL.test(block) ? start + TAIL.lastIndex : undefined;
}
