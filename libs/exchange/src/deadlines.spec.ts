import { Deadlines } from './deadlines';

describe('deadlines of requests', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('end none early and none a step late, whatever order they came in', () => {
    const deadlines = new Deadlines();
    const ended: string[] = [];
    for (const ms of [1000, 300, 0, 250]) deadlines.add(ms, () => ended.push(`${ms} at ${performance.now() - startedAt}`));
    const startedAt = performance.now();
    jest.advanceTimersByTime(2000);

    expect(ended).toEqual(['0 at 100', '300 at 300', '250 at 300', '1000 at 1000']);
  });

  it('run no timer when none is left, and run it again for the next', () => {
    const deadlines = new Deadlines();
    const onTime = jest.fn();
    deadlines.cancel(deadlines.add(500, onTime));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1000);
    expect([onTime.mock.calls.length, jest.getTimerCount()]).toEqual([0, 0]);

    deadlines.add(100, onTime);
    jest.advanceTimersByTime(100);
    expect([onTime.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  });
});
