import fc from 'fast-check';
import { InBandError } from './express-tap';
import { FrameSplitter } from './frame-splitter';
import { NULL_USAGE } from './null-usage';
import { FramePasser, type FrameRules } from './pass-frames';
import { splitFrames } from './split-frames';

const rules = (): FrameRules => ({
  varying: ['content', 'obfuscation'],
  leavesOutNullUsage: true,
  concerns: (frame) => frame.includes('"usage":{') || frame.includes('"error"'),
  edit: (frame) => (frame.includes('"error"') ? new InBandError(frame) : frame.replace('"usage":{', '"usage":{"é":1,')),
});

/** What comes out, and how many frames went in, passed in pieces of these sizes. */
function pass(text: string, sizes: readonly number[]): { readonly out: string; readonly frames: number } {
  const splitter = new FrameSplitter();
  const passer = new FramePasser(rules());
  const bytes = Buffer.from(text);
  let out = '';
  for (let at = 0, place = 0; at < bytes.length; place += 1) {
    const size = Math.max(1, sizes[place % sizes.length] ?? 1);
    const whole = splitter.push(bytes.subarray(at, at + size));
    at += size;
    if (whole === null) continue;
    try {
      out += passer.pass(whole).toString();
    } catch (error) {
      return { out: `${out}${(error as InBandError).before}!`, frames: passer.frames };
    }
  }
  return { out, frames: passer.frames };
}

/** The same, frame by frame, by the plainest means. */
function passPlainly(text: string): { readonly out: string; readonly frames: number } {
  let out = '';
  let frames = 0;
  for (const frame of splitFrames(text)) {
    if (frame.includes('"error"')) return { out: `${out}!`, frames };
    out += frame.includes('"usage":{') ? frame.replace('"usage":{', '"usage":{"é":1,') : frame.replaceAll(NULL_USAGE, '');
    frames += 1;
  }
  return { out, frames };
}

const chunk = (content: string, more = ''): string =>
  `data: {"id":"c","choices":[{"delta":{"content":${JSON.stringify(content)}}}]${more}}\n\n`;

const word = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constantFrom(',"usage":null', '"usage":{', '\n\n', '\\', '"error":1', 'é', '😀', '\ud83d'),
);
const frame = fc.oneof(
  { weight: 6, arbitrary: word.map((content) => chunk(content)) },
  { weight: 6, arbitrary: word.map((content) => chunk(content, NULL_USAGE)) },
  { weight: 2, arbitrary: word.map((content) => chunk(content, `${NULL_USAGE},"obfuscation":${JSON.stringify(content)}`)) },
  { weight: 1, arbitrary: word.map((content) => chunk(content).replace('"id"', `"x":1${NULL_USAGE},"id"`)) },
  { weight: 1, arbitrary: word.map((content) => chunk(content, `${NULL_USAGE}${NULL_USAGE}`)) },
  { weight: 1, arbitrary: word.map((content) => chunk(content).replaceAll('\n', '\r\n')) },
  fc.constantFrom(': ping\n\n', 'event: x\ndata:\n\n', chunk('', ',"usage":{"n":1}'), 'data: {"error":1}\n\n', 'data: [DONE]\n\n'),
);

describe('FramePasser', () => {
  it('passes what does not concern it as the very same bytes', () => {
    const passer = new FramePasser(rules());
    for (const text of [chunk('a'), chunk('b') + chunk('é'), 'data: [DONE]\n\n']) {
      const bytes = Buffer.from(text);
      expect(passer.pass(bytes)).toBe(bytes);
    }
    expect(passer.frames).toBe(4);
  });

  it('leaves what came as it is, for others may still read it', () => {
    const passer = new FramePasser(rules());
    for (const content of ['a', 'b']) {
      const bytes = Buffer.from(chunk(content, NULL_USAGE));
      expect(passer.pass(bytes).toString()).toBe(chunk(content));
      expect(bytes.toString()).toBe(chunk(content, NULL_USAGE));
    }
  });

  it('looks at no frame that is like the one before', () => {
    const looked: string[] = [];
    const passer = new FramePasser({ ...rules(), concerns: (text) => (looked.push(text), false) });
    passer.pass(Buffer.from(chunk('a') + chunk('b') + chunk('c')));
    passer.pass(Buffer.from(chunk('"d"')));
    passer.pass(Buffer.from(chunk('e', ',"n":1')));
    expect(looked).toEqual([chunk('a'), chunk('e', ',"n":1')]);
  });

  it('keeps bytes that are no UTF-8', () => {
    const passer = new FramePasser(rules());
    const bytes = Buffer.from(chunk('\xff\xfe', NULL_USAGE) + chunk('\xe9', NULL_USAGE), 'latin1');
    expect(passer.pass(bytes).toString('latin1')).toBe(chunk('\xff\xfe') + chunk('\xe9'));
  });

  it('sends what a plain reading frame by frame sends, however the bytes are cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 25 }), sizes, (frames, cuts) => {
        const text = Buffer.from(frames.join('')).toString();
        expect(pass(text, cuts)).toEqual(passPlainly(text));
        expect(pass(text, [text.length * 4 + 1])).toEqual(passPlainly(text));
      }),
      { numRuns: 400 },
    );
  });
});
