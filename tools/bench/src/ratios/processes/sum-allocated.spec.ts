import { sumAllocated, type Collection } from './sum-allocated';

const collection = (before: number, after: number, gcType = 'Scavenge'): Collection => ({
  gcType,
  beforeGC: { heapStatistics: { usedHeapSize: before } },
  afterGC: { heapStatistics: { usedHeapSize: after } },
});

describe('sumAllocated', () => {
  it('is the growth without collections', () => {
    expect(sumAllocated(100, [], 150)).toBe(50);
  });

  it('counts what collections have freed again', () => {
    expect(sumAllocated(100, [collection(164, 110), collection(174, 90, 'MarkSweepCompact')], 100)).toBe(64 + 64 + 10);
  });

  it('counts nothing twice that was a step of a collection', () => {
    const steps = [collection(120, 120, 'IncrementalMarking'), collection(110, 108, 'ProcessWeakCallbacks')];

    expect(sumAllocated(100, [...steps, collection(130, 80, 'MarkSweepCompact')], 80)).toBe(30);
  });
});
