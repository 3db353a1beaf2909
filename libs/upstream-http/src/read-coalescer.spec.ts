import { createReadCoalescer } from './read-coalescer';

describe('createReadCoalescer', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const makeBody = () => ({ pause: jest.fn(), resume: jest.fn() });
  const endTick = () => jest.advanceTimersByTime(0);

  it('pauses a body after the tick in which data came, and resumes each after its own delay', () => {
    const coalesce = createReadCoalescer(250);
    const [first, second] = [makeBody(), makeBody()];
    coalesce(first);
    coalesce(first);
    expect(first.pause).not.toHaveBeenCalled();
    endTick();
    expect(first.pause).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(100);
    coalesce(second);
    jest.advanceTimersByTime(140);
    expect(first.resume).not.toHaveBeenCalled();
    jest.advanceTimersByTime(30);
    expect([first.resume.mock.calls.length, second.resume.mock.calls.length]).toEqual([1, 0]);
    jest.advanceTimersByTime(100);
    expect([first.resume.mock.calls.length, second.resume.mock.calls.length]).toEqual([1, 1]);
  });

  it('keeps no timer running once all bodies flow, and starts it again', () => {
    const coalesce = createReadCoalescer(250);
    coalesce(makeBody());
    jest.advanceTimersByTime(300);
    expect(jest.getTimerCount()).toBe(0);
    const body = makeBody();
    coalesce(body);
    jest.advanceTimersByTime(300);
    expect(body.resume).toHaveBeenCalledTimes(1);
  });
});
