import { BUILT_IN_DETECTORS } from '@weir/contracts';
import fc from 'fast-check';
import { createDice } from '../__fixtures__/dice';
import { NEGATIVES } from '../__fixtures__/negatives';
import { POSITIVES } from '../__fixtures__/positives';
import { compile } from '../__fixtures__/rules';
import { createTextWindow, type Finding } from './text-window';

const watches = compile({
  detectors: [
    ...BUILT_IN_DETECTORS,
    { name: 'staff', pattern: 'EMP-\\d{4,8}' },
    { name: 'project', words: ['Falcon', 'blue heron', 'фалкон'] },
    { name: 'ticket', pattern: '[A-Z]{2,5}-\\d{1,6}\\b' },
  ],
}).input.watches;

function describeAll(findings: readonly Finding[]): string[] {
  return findings.map(({ start, end, watches: seen }) => `${start}-${end} ${seen.map(({ detector }) => detector.name).join('+')}`);
}

function scan(pieces: readonly string[]): string[] {
  const window = createTextWindow(watches);
  const findings: Finding[] = [];
  for (const piece of pieces) {
    window.push(piece);
    findings.push(...window.takeFindings());
  }
  window.end();
  return describeAll([...findings, ...window.takeFindings()]);
}

function makeText(seed: number): string {
  const dice = createDice(seed);
  let text = '';
  while (text.length < 600) {
    const { before = '', value } = POSITIVES[dice.pick(BUILT_IN_DETECTORS)](dice);
    const own = dice.pick(['EMP-12345', 'a Blue Heron', 'falcons', 'ABC-12', 'фалкон']);
    text +=
      dice.pick([`${before}${value}`, NEGATIVES[dice.roll(NEGATIVES.length)]!(dice), own, 'und so weiter']) +
      dice.pick([' ', ', ', '\n', '']);
  }
  return text;
}

/** Cuts a text at places that follow from numbers between 0 and 1. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => Math.floor(place * text.length)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index]));
}

describe('createTextWindow', () => {
  it('finds the same however a text is cut', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }), (seed, places) => {
        const text = makeText(seed);
        expect(scan(cut(text, places))).toEqual(scan([text]));
      }),
      { numRuns: 25 },
    );
  });

  it('finds the same letter by letter', () => {
    for (let seed = 0; seed < 3; seed += 1) {
      const text = makeText(seed);
      expect(scan([...text])).toEqual(scan([text]));
    }
  });

  it('never lets go of a match before it is whole', () => {
    for (let seed = 100; seed < 102; seed += 1) {
      const text = makeText(seed);
      const whole = createTextWindow(watches);
      whole.push(text);
      whole.end();
      const findings = whole.takeFindings();
      const window = createTextWindow(watches);
      for (let index = 0; index < text.length; index += 1) {
        window.push(text[index] ?? '');
        const settled = window.settled();
        const cutThrough = findings.filter(({ start, end }) => start < settled && settled < end);
        expect(cutThrough).toEqual([]);
        for (const { end } of findings.filter(({ start }) => start < settled)) expect(end).toBeLessThanOrEqual(settled);
      }
    }
  });

  it('lets go of ordinary words soon, and of everything at the end', () => {
    const window = createTextWindow(watches);
    window.push('The quick brown fox jumps over the lazy dog, and then it ');
    expect(window.settled()).toBeGreaterThan(40);
    window.push('sleeps');
    window.end();
    expect(window.settled()).toBe(63);
  });

  it('holds back no more than a bound of text that could become anything', () => {
    const window = createTextWindow(watches);
    for (let index = 0; index < 200; index += 1) window.push('a1'.repeat(500));
    expect(200_000 - window.settled()).toBeLessThanOrEqual(16 * 1024);
  });
});
