import { cleanFrames } from './clean-frames';

const withoutMarks = (data: string): string | null => (data === '"mark"' ? null : data.replace(',"mark":1', ''));

describe('cleanFrames', () => {
  it('returns the very same buffer when nothing has to be removed', () => {
    const frames = Buffer.from(': ping\n\ndata: {"a":1}\n\ndata: [DONE]\n\n');
    expect(cleanFrames(frames, withoutMarks)).toBe(frames);
  });

  it('leaves frames out that have nothing left, and keeps the other lines of the rest', () => {
    const frames = Buffer.from('data: "mark"\n\nevent: e\ndata: {"a":"é","mark":1}\n\n: ping\n\n');
    expect(cleanFrames(frames, withoutMarks).toString()).toBe('event: e\ndata: {"a":"é"}\n\n: ping\n\n');
    expect(cleanFrames(Buffer.from('data: "mark"\n\n'), withoutMarks)).toHaveLength(0);
  });
});
