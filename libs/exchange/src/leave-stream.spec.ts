import { EventEmitter } from 'node:events';
import { createDrainLimit, type DrainLimit } from './drain-limit';
import { leaveStream } from './leave-stream';
import type { StreamConsumer } from './pumped-exchange';

class Body extends EventEmitter {
  readableEnded = false;
  isDestroyed = false;
  pause = (): void => undefined;
  resume = (): void => undefined;
  destroy = (): void => {
    this.isDestroyed = true;
    this.emit('close');
  };
}

function leave(onCancel: 'abort' | 'drain', drains: DrainLimit, isComplete = false) {
  const body = new Body();
  const abandoned: boolean[] = [];
  let isOver = false;
  const consumer = { isComplete: () => isComplete, abandon: (isBilledWhole: boolean) => void abandoned.push(isBilledWhole) };
  const finish = (): void => {
    isOver = true;
  };
  const exchange = { lane: { provider: { onCancel } } };
  leaveStream({ exchange, consumer: consumer as unknown as StreamConsumer, body, isOver: () => isOver, finish }, drains);
  return { body, abandoned, isOver: () => isOver };
}

describe('a stream whose caller left', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('C1: is cut at once at a provider that stops billing then', () => {
    const { body, abandoned, isOver } = leave('abort', createDrainLimit());
    expect([body.isDestroyed, abandoned, isOver()]).toEqual([true, [false], true]);
  });

  it('C2: is read on at a provider that bills the whole answer, until that ends', () => {
    const drains = createDrainLimit({ drainsMax: 1 });
    const { body, abandoned } = leave('drain', drains);
    expect(body.isDestroyed).toBe(false);
    body.emit('data', Buffer.alloc(10));
    expect(drains.enter()).toBeUndefined();
    body.emit('close');
    expect(drains.enter()).toBeDefined();
    expect(abandoned).toEqual([]);
  });

  it('C2: is charged as the most it may come to when no further drain is allowed', () => {
    const { body, abandoned } = leave('drain', createDrainLimit({ drainsMax: 0 }));
    expect([body.isDestroyed, abandoned]).toEqual([true, [true]]);
  });

  it('C2: is charged as the most it may come to when it is longer than drains may be', () => {
    const { body, abandoned } = leave('drain', createDrainLimit({ bytesMax: 100 }));
    body.emit('data', Buffer.alloc(100));
    expect(abandoned).toEqual([]);
    body.emit('data', Buffer.alloc(1));
    expect([body.isDestroyed, abandoned]).toEqual([true, [true]]);
  });

  it('C2: is charged as the most it may come to after two minutes', () => {
    const { body, abandoned } = leave('drain', createDrainLimit());
    jest.advanceTimersByTime(119_999);
    expect(body.isDestroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect([body.isDestroyed, abandoned]).toEqual([true, [true]]);
  });

  it('C3: is simply over when its last event had been passed on', () => {
    const { abandoned } = leave('drain', createDrainLimit(), true);
    expect(abandoned).toEqual([false]);
  });
});
