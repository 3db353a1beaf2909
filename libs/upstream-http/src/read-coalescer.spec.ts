import { createReadCoalescer } from './read-coalescer';

describe('bodies that rest', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const makeBody = () => ({ pause: jest.fn(), resume: jest.fn() });
  const endTurn = () => jest.advanceTimersByTime(0);

  it('tell all that came in the turn, then are paused, and flow again after a while, each after its own', () => {
    const rest = createReadCoalescer(250);
    const [first, second] = [makeBody(), makeBody()];
    rest(first);
    rest(first);
    expect(first.pause).not.toHaveBeenCalled();
    endTurn();
    expect(first.pause).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(100);
    rest(second);
    jest.advanceTimersByTime(140);
    expect(first.resume).not.toHaveBeenCalled();
    jest.advanceTimersByTime(30);
    expect([first.resume.mock.calls.length, second.resume.mock.calls.length]).toEqual([1, 0]);
    jest.advanceTimersByTime(100);
    expect([first.resume.mock.calls.length, second.resume.mock.calls.length]).toEqual([1, 1]);
  });

  it('keep no clock running once all flow, and start it again', () => {
    const rest = createReadCoalescer(250);
    rest(makeBody());
    jest.advanceTimersByTime(300);
    expect(jest.getTimerCount()).toBe(0);
    const body = makeBody();
    rest(body);
    jest.advanceTimersByTime(300);
    expect(body.resume).toHaveBeenCalledTimes(1);
  });
});
