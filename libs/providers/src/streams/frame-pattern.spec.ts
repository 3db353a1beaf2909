import fc from 'fast-check';
import { FramePattern } from './frame-pattern';

const frame = (content: string, more = ''): string => `data: {"id":"c","choices":[{"delta":{"content":"${content}"}${more}}],"n":1}\n\n`;
const learned = (example: string): FramePattern => {
  const pattern = new FramePattern(['content', 'sequence_number']);
  expect(pattern.learn(example)).toBe(true);
  return pattern;
};

describe('FramePattern', () => {
  it('knows a frame that differs in a value, wherever it stands, and where the value is', () => {
    const text = `: ping\n\n${frame('more words')}${frame('')}`;
    const pattern = learned(frame('a'));
    expect(pattern.match(text, 0)).toBe(-1);
    const end = pattern.match(text, 8);
    expect([end, text.slice(pattern.begins[0], pattern.ends[0])]).toEqual([8 + frame('more words').length, 'more words']);
    expect(pattern.match(text, end)).toBe(text.length);
  });

  it('knows no frame that differs in anything else, or that is cut', () => {
    const pattern = learned(frame('a'));
    for (const other of [
      frame('a', ',"index":1'),
      frame('a","b":"'),
      frame('a\n'),
      frame('a').replace('"n":1', '"n":2'),
      frame('a').slice(0, -1),
    ])
      expect([other, pattern.match(other, 0)]).toEqual([other, -1]);
    expect(pattern.match(frame('a').trimEnd(), 0)).toBe(-1);
  });

  it('reports an escape in a value, which does not end it', () => {
    const pattern = learned(frame('a'));
    expect([pattern.match(frame('"b'.replace('"', '\\"')), 0), pattern.hasEscape]).toEqual([frame('\\"b').length, true]);
    expect([pattern.match(frame('c'), 0), pattern.hasEscape]).toEqual([frame('c').length, false]);
    expect(pattern.match(frame('a\\'), 0)).toBe(-1);
  });

  it('takes whole numbers for values, and nothing that only begins like one', () => {
    const numbered = (number: string): string => `data: {"sequence_number":${number},"content": "a"}\n\n`;
    const pattern = learned(numbered('7'));
    expect(pattern.match(numbered('0'), 0)).toBe(numbered('0').length);
    expect(pattern.match(numbered('1234'), 0)).toBe(numbered('1234').length);
    for (const number of ['-1', '01', '1.5', '1e3', 'null', '']) expect([number, pattern.match(numbered(number), 0)]).toEqual([number, -1]);
  });

  it('learns from no frame without a value, and from none whose value holds what looks like a member', () => {
    const pattern = new FramePattern(['content']);
    expect(pattern.learn('data: {"n":1}\n\n')).toBe(false);
    expect(pattern.match('data: {"n":1}\n\n', 0)).toBe(-1);
    expect(pattern.learn(frame('a\\"content": "b'))).toBe(false);
  });

  it('gives up where the frames are all different, and goes on where one of them fits now and then', () => {
    const pattern = new FramePattern(['content']);
    for (let time = 0; time < 8; time += 1) expect(pattern.learn(frame('a', `,"n":${time}`))).toBe(true);
    expect([pattern.learn(frame('a')), pattern.match(frame('a'), 0)]).toEqual([false, -1]);
    const lasting = new FramePattern(['content']);
    for (let time = 0; time < 30; time += 1) {
      expect(lasting.learn(frame('a', `,"n":${time}`))).toBe(true);
      expect(lasting.match(frame('b', `,"n":${time}`), 0)).toBeGreaterThan(0);
    }
  });

  it('fits exactly the frames that are the example with another value', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\\', '"', '\u2028', 'é', '😀'));
    fc.assert(
      fc.property(text, text, fc.constantFrom('', ',"i":1'), (first, second, more) => {
        const pattern = new FramePattern(['content']);
        const example = frame(JSON.stringify(first).slice(1, -1));
        if (!pattern.learn(example)) return;
        const other = frame(JSON.stringify(second).slice(1, -1), more);
        const fits = pattern.match(other, 0) === other.length;
        expect(fits).toBe(more === '');
        if (fits) expect(JSON.parse(`"${other.slice(pattern.begins[0], pattern.ends[0])}"`)).toBe(second);
      }),
    );
  });
});
