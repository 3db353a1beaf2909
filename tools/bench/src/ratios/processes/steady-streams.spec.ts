import type { ServerResponse } from 'node:http';
import { startSteadyStreams } from './steady-streams';

type Written = { readonly response: ServerResponse; readonly frames: string[]; isDestroyed: boolean };

function createResponse(): Written {
  const written = { frames: [] as string[], isDestroyed: false };
  const take = (bytes: Buffer): void => void written.frames.push(bytes.toString());
  const response = { write: take, end: take, get destroyed() { return written.isDestroyed; } } as unknown as ServerResponse; // prettier-ignore
  return Object.assign(written, { response });
}

describe('startSteadyStreams', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('gives each stream a frame at once and then at its distance, and ends it', () => {
    const streams = startSteadyStreams(1_000, { frame: Buffer.from('frame'), ending: Buffer.from('end') });
    const all = Array.from({ length: 60 }, createResponse);
    for (const { response } of all) streams.add(response);

    jest.advanceTimersByTime(3_000);
    expect(all.map(({ frames }) => frames.length)).toEqual(all.map(() => 4));
    streams.end();
    jest.advanceTimersByTime(1_000);
    expect(all.map(({ frames }) => frames.slice(4))).toEqual(all.map(() => ['end']));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves those alone that callers have left, and ends at once what comes when it is over', () => {
    const streams = startSteadyStreams(100, { frame: Buffer.from('frame'), ending: Buffer.from('end') });
    const left = createResponse();
    streams.add(left.response);
    left.isDestroyed = true;
    jest.advanceTimersByTime(500);
    streams.end();
    const late = createResponse();
    streams.add(late.response);

    expect([left.frames, late.frames]).toEqual([['frame'], ['end']]);
  });
});
