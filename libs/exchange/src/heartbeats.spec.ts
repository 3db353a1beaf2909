import { findHeartbeats } from './heartbeats';

describe('the heartbeats of a process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const open = () => ({ hasWritten: false, silentSinceMs: performance.now(), beat: jest.fn() });

  it('come after a silence, and again after the next; never sooner after something was written', () => {
    const heartbeats = findHeartbeats(1000);
    const stream = open();
    const stop = heartbeats.start(stream);
    jest.advanceTimersByTime(900);
    stream.hasWritten = true;
    jest.advanceTimersByTime(900);
    expect(stream.beat).not.toHaveBeenCalled();
    jest.advanceTimersByTime(250);
    expect(stream.beat).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1000);
    expect(stream.beat).toHaveBeenCalledTimes(2);
    stop();
  });

  it('need one timer for all streams, and none without a stream', () => {
    const [first, second] = [open(), open()];
    const stopFirst = findHeartbeats(500).start(first);
    jest.advanceTimersByTime(300);
    second.silentSinceMs = performance.now();
    const stopSecond = findHeartbeats(500).start(second);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(300);
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 0]);
    stopFirst();
    jest.advanceTimersByTime(300);
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 1]);
    stopSecond();
    expect(jest.getTimerCount()).toBe(0);
  });
});
