import { chooseFaults } from './choose-faults';
import { runWorld, type WorldReport } from './run-world';
import { shrinkWorld } from './shrink-world';
import { FAULT_KINDS, type FaultKind } from './physics/faults';
import { MUTATIONS, type Mutation } from './physics/mutations';
import type { WorldOptions } from './world/world';

jest.setTimeout(60_000);

const REQUESTS = 120;
const ATTEMPTS = 1_000;
/** Worlds in which a mutation has to be found. */
const SEEDS = 40;
/** Where it is looked for: what only shows where nothing else hides it, or in few worlds. */
const PLACES: Partial<Record<Mutation, { readonly from: number; readonly kinds: readonly FaultKind[] }>> = {
  'ship-before-fsync': { from: 1, kinds: ['power-cut', 'bus-away'] },
  'expire-too-early': { from: 60, kinds: ['kill'] },
  'forget-base': { from: 6, kinds: ['counters-lost'] },
};

const run = (seed: number, more: Partial<WorldOptions> = {}): Promise<WorldReport> =>
  runWorld({ seed, requests: REQUESTS, kinds: chooseFaults(seed), mutation: null, ...more });

it('is the same world whenever its seed is the same', async () => {
  const [one, other, again] = [await run(3), await run(4), await run(3)];
  expect(again.digest).toBe(one.digest);
  expect(other.digest).not.toBe(one.digest);
});

it('finds every promise kept, in a thousand attempts with faults of every kind', async () => {
  const happened = new Set<string>();
  let attempts = 0;
  for (let seed = 1; attempts < ATTEMPTS; seed += 1) {
    const report = await run(seed);
    expect({ seed, violations: report.violations }).toEqual({ seed, violations: [] });
    attempts += report.attempts;
    for (const kind of report.faults.keys()) happened.add(kind);
  }
  expect([...FAULT_KINDS].filter((kind) => !happened.has(kind))).toEqual([]);
});

describe('what breaks the money path is found', () => {
  it.each(Object.keys(MUTATIONS) as Mutation[])('%s', async (mutation) => {
    const violations: string[] = [];
    const { from = 1, kinds } = PLACES[mutation] ?? {};
    for (let seed = from; seed < from + SEEDS && violations.length === 0; seed += 1) {
      const report = await run(seed, { mutation, ...(kinds === undefined ? {} : { kinds: new Set(kinds) }) });
      violations.push(...report.violations);
    }
    expect(violations).not.toEqual([]);
  });
});

it('looks for a smaller world that breaks as well, and finds none where nothing breaks', async () => {
  const seed = 4;
  const options = { seed, requests: 80, kinds: chooseFaults(seed) };
  const shrunk = await shrinkWorld({ ...options, mutation: 'refund-on-timeout' });
  expect(shrunk?.options.requests).toBeLessThan(80);
  expect(shrunk?.report.violations).not.toEqual([]);
  expect(await shrinkWorld({ ...options, mutation: null })).toBeNull();
});
