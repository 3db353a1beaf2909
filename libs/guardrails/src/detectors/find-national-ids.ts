import { digitOr, digitsOf, isAlphanumeric, isDigit, isLetter } from './characters';
import type { Detector, Report } from './detector';
import { endOf, gapAfter, lengthOf, startOf, type DigitRuns } from './digit-runs';
import { findOpenRun, type Run } from './shape';

const CHECK_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const ODD_VALUES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

type IdShape = {
  /** How many digits its first run of digits may have. */
  readonly runs: readonly number[];
  /** How many characters may stand before it. */
  readonly leads: readonly number[];
  /** What may come right after that run; anything when it is left out. */
  readonly after?: RegExp;
  /** How many digits the next run has that begins one character later; any number, anywhere, when it is left out. */
  readonly next?: number;
  /** Sticky. */
  readonly pattern: RegExp;
  /** Takes it without separators, in capitals. */
  readonly isValid: (id: string) => boolean;
};

const SHAPES: readonly IdShape[] = [
  // United States: social security number
  { pattern: /(?<![\w.+-])\d{3}-\d{2}-\d{4}(?![\w-])/y, isValid: isAmerican, runs: [3], leads: [0], after: /-/, next: 2 },
  // United Kingdom: national insurance number
  { pattern: /(?<!\w)[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/y, isValid: isBritish, runs: [2, 4, 6], leads: [2, 3], after: /[ A-D]/ },
  // Spain: DNI and NIE
  { pattern: /(?<![\w-])\d{8}-?[A-Z](?![\w-])/y, isValid: isSpanish, runs: [8], leads: [0], after: /[-A-Z]/ },
  { pattern: /(?<![\w-])[XYZ]-?\d{7}-?[A-Z](?![\w-])/y, isValid: isSpanish, runs: [7], leads: [1, 2], after: /[-A-Z]/ },
  // Italy: codice fiscale
  {
    pattern: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/iy,
    isValid: isItalian,
    runs: [2],
    leads: [6],
    after: /[A-Z]/i,
    next: 2,
  },
  // France: numéro de sécurité sociale
  {
    pattern: /(?<![\w.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\w-])/y,
    isValid: isFrench,
    runs: [1, 3, 5, 6, 7, 10, 13],
    leads: [0],
    after: /[ AB]/,
  },
  { pattern: /(?<![\w.-])[12]\d{2}(?:0[1-9]|1[0-2])\d{10}(?![\w-])/y, isValid: isFrench, runs: [15], leads: [0] },
  // Brazil: CPF
  { pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/y, isValid: isBrazilian, runs: [3], leads: [0], after: /\./, next: 3 },
  // India: Aadhaar
  { pattern: /(?<![\w.-])[2-9]\d{3} \d{4} \d{4}(?! ?\d|\w)/y, isValid: hasVerhoeffDigit, runs: [4], leads: [0], after: / /, next: 4 },
];
const RUN_MAX = 15;
const ASCII = 128;
/** Stands for everything that is not ASCII, and for the end of the text. */
const OTHER = ASCII - 1;

/** The shapes for each length of a first run of digits and each character after it. */
const BY_RUN: readonly (readonly IdShape[])[] = Array.from({ length: (RUN_MAX + 1) * ASCII }, (_, place) => {
  const after = String.fromCharCode(place % ASCII);
  return SHAPES.filter((shape) => shape.runs.includes(Math.floor(place / ASCII)) && (shape.after?.test(after) ?? true));
});

const DIGITS: Run = { isPart: digitOr(' .-'), isStart: isDigit, reach: 28 };
const CODE: Run = { isPart: (code) => isAlphanumeric(code) || code === 0x2d, isStart: isAlphanumeric, reach: 20 };
const CODE_WITH_GAPS = /(?<!\w)[A-Z]{2}(?: ?\d{2}){0,3} ?$/;
const FRENCH_WITH_LETTER = /(?<!\w)[12] ?\d{2} ?\d{2} ?2[AB] ?\d{0,3} ?\d{0,3} ?\d{0,2}$/;

/** Numbers that states give to people, where their form and check digits identify them. */
export const nationalIds: Detector = {
  name: 'national_id',
  find: ({ text, from, digitRuns }, report) => {
    const runs = digitRuns();
    for (let index = 0; index < runs.count; index += 1) {
      for (const shape of findShapes(text, runs, index)) {
        if (isNextRight(runs, index, shape)) findAround(text, { from, first: startOf(runs, index), shape, report });
      }
    }
  },
  pendingFrom: (text, from) => {
    const before = Math.max(from, text.length - 28);
    const tail = text.slice(before);
    const open = [CODE_WITH_GAPS, FRENCH_WITH_LETTER].map((pattern) => pattern.exec(tail)).filter((found) => found !== null);
    const starts = open.map(({ index }) => before + index);
    return Math.min(findOpenRun(text, from, DIGITS), findOpenRun(text, from, CODE), ...starts);
  },
};

function findShapes(text: string, runs: DigitRuns, index: number): readonly IdShape[] {
  const length = lengthOf(runs, index);
  if (length > RUN_MAX) return [];
  const after = text.charCodeAt(endOf(runs, index));
  return BY_RUN[length * ASCII + (after < ASCII ? after : OTHER)] ?? [];
}

function isNextRight(runs: DigitRuns, index: number, { next }: IdShape): boolean {
  return next === undefined || (gapAfter(runs, index) === 1 && lengthOf(runs, index + 1) === next);
}

type Around = { readonly from: number; readonly first: number; readonly shape: IdShape; readonly report: Report };

function findAround(text: string, { from, first, shape, report }: Around): void {
  const { pattern, isValid, leads } = shape;
  for (const lead of leads) {
    if (first - lead < from || (lead > 0 && !isLetter(text.charCodeAt(first - lead)))) continue;
    pattern.lastIndex = first - lead;
    const id = pattern.exec(text)?.[0];
    if (id !== undefined && isValid(id.replace(/[ .-]/g, '').toUpperCase())) report(first - lead, first - lead + id.length);
  }
}

function isAmerican(id: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(id);
}

function isBritish(id: string): boolean {
  return !/^(?:BG|GB|KN|NK|NT|TN|ZZ|[DFIQUV]|.[DFIOQUV])/.test(id);
}

function isSpanish(id: string): boolean {
  const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))));
  return CHECK_LETTERS[number % 23] === id.at(-1);
}

function isItalian(id: string): boolean {
  const sum = [...id.slice(0, 15)].reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 0x41;
    return total + (index % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(0x41 + (sum % 26)) === id.at(-1);
}

function isFrench(id: string): boolean {
  const digits = id.replace('2A', '19').replace('2B', '18');
  return 97n - (BigInt(digits.slice(0, 13)) % 97n) === BigInt(digits.slice(13));
}

function isBrazilian(id: string): boolean {
  const digits = [...digitsOf(id)].map(Number);
  if (new Set(digits).size === 1) return false;
  const check = (count: number): number => {
    const sum = digits.slice(0, count).reduce((total, digit, index) => total + digit * (count + 1 - index), 0);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === digits[9] && check(10) === digits[10];
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function hasVerhoeffDigit(id: string): boolean {
  let check = 0;
  [...id].reverse().forEach((character, index) => {
    let digit = Number(character);
    for (let turn = 0; turn < index % 8; turn += 1) digit = PERMUTATION[digit] ?? 0;
    check = multiplyInDihedralGroup(check, digit);
  });
  return check === 0;
}

/** The group of a pentagon's turns (0 to 4) and reflections (5 to 9). */
function multiplyInDihedralGroup(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5;
}
