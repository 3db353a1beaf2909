import { BUILT_IN_DETECTORS, type BuiltInDetector } from '@weir/contracts';
import { createDice } from './__fixtures__/dice';
import { NEGATIVES } from './__fixtures__/negatives';
import { POSITIVES } from './__fixtures__/positives';
import { BUILT_IN } from './detectors/built-in-detectors';
import { createTextWindow } from './text/text-window';

const FRAMES = [
  '%s',
  'Please write to %s today.',
  'It was "%s", they say',
  'see (%s) or ask',
  'a line\n%s\nanother line',
  'Contact: %s; thanks',
];
const COUNT = 400;

function find(detector: BuiltInDetector, text: string): { start: number; end: number }[] {
  const window = createTextWindow([{ detector: BUILT_IN[detector], role: 'mask' }]);
  window.push(text);
  const early = window.takeFindings();
  window.end();
  return [...early, ...window.takeFindings()];
}

describe('built-in detectors on a generated corpus', () => {
  it.each(BUILT_IN_DETECTORS)('%s: every positive is found, whole and nothing more', (detector) => {
    const dice = createDice(20261121);
    const missed: string[] = [];
    for (let index = 0; index < COUNT; index += 1) {
      const { before = '', value } = POSITIVES[detector](dice);
      const [head = '', tail = ''] = dice.pick(FRAMES).split('%s');
      const start = head.length + before.length;
      const text = `${head}${before}${value}${before.endsWith('"') ? '"' : ''}${tail}`;
      const found = find(detector, text);
      if (!found.some((each) => each.start === start && each.end === start + value.length)) missed.push(`${text} ${JSON.stringify(found)}`);
    }
    expect(missed.slice(0, 5)).toEqual([]);
  });

  it.each(BUILT_IN_DETECTORS)('%s: nothing is found where there is nothing', (detector) => {
    const dice = createDice(4711);
    const alarms: string[] = [];
    for (let index = 0; index < COUNT * 5; index += 1) {
      const text = dice.pick(NEGATIVES)(dice);
      for (const { start, end } of find(detector, text)) alarms.push(`${text.slice(start, end)} in ${text}`);
    }
    expect(alarms.slice(0, 5)).toEqual([]);
  });
});
