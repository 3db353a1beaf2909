import { BUILT_IN_DETECTORS } from '@weir/contracts';
import { createDice } from './__fixtures__/dice';
import { compile } from './__fixtures__/rules';
import { createTextWindow } from './text/text-window';

const { watches } = compile({ detectors: [...BUILT_IN_DETECTORS] }).input;

/** Milliseconds that a text takes, the best of some rounds. */
function time(text: string, rounds: number): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const window = createTextWindow(watches);
    window.push(text);
    window.end();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

describe('the time that scanning takes', () => {
  it('is short for a megabyte of ordinary text', () => {
    const dice = createDice(5);
    const words =
      'the quick brown fox jumps over a lazy dog and then it was said that people had seen many things, e.g. a page is good:'.split(' ');
    let text = '';
    while (text.length < 1_000_000) text += `${dice.pick(words)} `;
    // Alone on a core it is less than 20 ms; scanning that goes over the text again and again takes many seconds.
    expect(time(text, 12)).toBeLessThan(500);
  });

  it('is short for a megabyte of numbers', () => {
    const dice = createDice(6);
    let text = '';
    while (text.length < 1_000_000) text += `${dice.digits(1 + dice.roll(10))}${dice.pick([' ', ', ', '.', '\n', '-', ';'])}`;
    // Alone on a core it is less than 20 ms, too.
    expect(time(text, 12)).toBeLessThan(500);
  });

  it('is bounded for numbers that have to be looked up: beyond so many, the form alone counts', () => {
    const dice = createDice(7);
    const checks = { left: 200 };
    const window = createTextWindow(watches, checks);
    const lines = Array.from({ length: 1_000 }, () => `+1 000 ${dice.digits(7)}, 00 1 00 1 00 1\n`);
    window.push(lines.join(''));
    window.end();
    const found = window.takeFindings();
    expect(checks.left).toBe(0);
    expect(found[0]?.start).toBeGreaterThan((lines[0]?.length ?? 0) * 10);
    expect(found.length).toBeGreaterThan(900);
  });

  it.each([
    '@',
    'a@b.',
    'a@b.co ',
    'sk-',
    'sk-abcdefghijklmnopqrstuvwxyz012345 ',
    'key=',
    'password: ',
    'eyJ.',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '1 ',
    '4111 1111 1111 1111 ',
    '1',
    '+1 2 3 4 5 6 7 8 ',
    'tel 1',
    '00',
    '(212) ',
    'DE89',
    ':',
    'a:',
    '1.1.1.',
    'ignore all ',
    'AB 12 ',
    '\u{e0041}',
  ])('grows with the text alone, for “%s” over and over', (piece) => {
    const make = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
    time(make(20_000), 2);
    expect(time(make(200_000), 1)).toBeLessThan(2_000);
  });
});
