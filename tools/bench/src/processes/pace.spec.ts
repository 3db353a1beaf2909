import { countDue, startPace } from './pace';

describe('countDue', () => {
  it('counts what a rate has come to', () => {
    expect([0, 1, 1.9, 2, 1_000].map((ms) => countDue(1_000, ms))).toEqual([0, 1, 1, 2, 1_000]);
    expect(countDue(500, 3)).toBe(1);
  });
});

describe('startPace', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends at once without a rate', () => {
    const send = jest.fn();
    startPace(undefined).whenDue(send);

    expect(send).toHaveBeenCalledTimes(1);
  });

  it('sends in turn as the rate allows', () => {
    const sent: string[] = [];
    const pace = startPace(100);
    for (const name of ['a', 'b', 'c']) pace.whenDue(() => void sent.push(name));

    jest.advanceTimersByTime(9);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(11);
    expect(sent).toEqual(['a', 'b']);
    pace.stop();
  });

  it('holds no one when it is over', () => {
    const sent: string[] = [];
    const pace = startPace(1);
    pace.whenDue(() => void sent.push('waiting'));
    pace.stop();
    pace.whenDue(() => void sent.push('late'));

    expect(sent).toEqual(['waiting', 'late']);
  });
});
