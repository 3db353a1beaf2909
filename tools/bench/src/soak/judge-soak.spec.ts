import { judgeSoak } from './judge-soak';
import type { SoakResult } from './run-soak';
import type { Sample } from './take-sample';

const CALM = { rssMb: 300, heapMb: 100, externalMb: 10, descriptors: 30, sockets: 10, journalMb: 1, loopDelayMs: 5, inFlight: 3 };

function sampleAt(seconds: number, more: Partial<Sample> = {}): Sample {
  return { ...CALM, seconds, requests: seconds, unexpected: 0, ...more };
}

/** Half an hour without anything to complain about, but what is given: its heap fills and is collected every three minutes. */
function makeResult({ atRest = {}, tally = {}, spend = {}, leakMbPerHour = 0 } = {}): SoakResult {
  return {
    atStart: sampleAt(0, { inFlight: 1 }),
    samples: Array.from({ length: 180 }, (_, index) =>
      sampleAt(index * 10, { heapMb: 100 + (index * 10 * leakMbPerHour) / 3600 + (index % 18) * 5 }),
    ),
    atRest: { ...sampleAt(1810), inFlight: 1, ...atRest },
    tally: {
      ...{ requests: 5400, running: 0, skipped: 0, shed: 0, byKind: new Map([['whole', 5400]]), unexpected: 0, examples: [] },
      ...{ seen: { plain: '0.1', guarded: '0.02', leaving: '0' }, ...tally },
    },
    spend: { ofKey: { plain: '0.1', guarded: '0.02', leaving: '0.003' }, unexplainedUsd: '0', ...spend },
  };
}

describe('judgeSoak', () => {
  it('has nothing to say against an even run', () => {
    const { lines, faults } = judgeSoak(makeResult({ tally: { shed: 50 } }));

    expect(faults).toEqual([]);
    expect(lines).toContain('replies said $0.12 in all, usage says $0.12; of those who left usage says $0.003');
    expect(lines).toContain('  heap after collection: 100 MB in the first half, 100 MB in the second');
  });

  it.each([
    ['memory that grows', { leakMbPerHour: 200 }, 'left of the heap after collection grew from'],
    ['sockets that stay open', { atRest: { descriptors: 90 } }, '90 descriptors are open at rest'],
    [
      'a sum that is off by a pico-dollar',
      { tally: { seen: { plain: '0.100000000001', guarded: '0.02', leaving: '0' } } },
      'different sums',
    ],
    ['books that differ', { spend: { unexplainedUsd: '-0.01' } }, 'the books differ'],
    ['replies that do not match their requests', { tally: { unexpected: 2 } }, '2 replies'],
    ['requests that were not sent', { tally: { skipped: 1 } }, 'did not keep up'],
    ['many requests refused for load', { tally: { shed: 60 } }, 'did not keep up'],
    ['requests that hang', { atRest: { inFlight: 4 } }, '4 requests never ended'],
  ])('finds %s', (_, what, fault) => {
    const { faults } = judgeSoak(makeResult(what));

    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it('draws no conclusion from a few minutes', () => {
    const result = makeResult({ leakMbPerHour: 1000 });

    expect(judgeSoak({ ...result, samples: result.samples.slice(0, 60) }).faults).toEqual([]);
  });
});
