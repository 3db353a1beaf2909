import { stopWithParent } from './stop-with-parent';

describe('stopWithParent', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('stops once, when the parent is another one, and not before', () => {
    let parent = 17;
    const stop = jest.fn();
    stopWithParent(stop, () => parent);

    jest.advanceTimersByTime(5_000);
    expect(stop).not.toHaveBeenCalled();
    parent = 1;
    jest.advanceTimersByTime(5_000);
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
