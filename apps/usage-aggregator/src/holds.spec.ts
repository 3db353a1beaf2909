import { createMemoryHoldStore, monthlyScope, type HoldStore, type HoldTruth, type ScopeBase } from '@weir/limits';
import type { HeldUsage } from '@weir/usage';
import { createConfirmHolds } from './confirm-holds';
import { startHoldReconciler } from './reconcile-holds';

const ORGANIZATION = 'org';
const SCOPE = monthlyScope('key', 'k', Date.now());
const log = { info: jest.fn(), warn: jest.fn() };

describe('what is reported to the counters of limits', () => {
  let store: HoldStore;
  let bases: ScopeBase[];
  let committed: Set<string>;
  const truth: HoldTruth = {
    readBases: (_organization, scopes) => Promise.resolve(bases.filter(({ scope }) => scopes.includes(scope))),
    findCommitted: (_organization, ids) => Promise.resolve(new Set(ids.filter((id) => committed.has(id)))),
  };
  const held = (holdId: string, isLast = true): HeldUsage => ({ organizationId: ORGANIZATION, holdId, scopes: [SCOPE], isLast });
  const read = async () => {
    const { base, settledSum, openSum } = await store.readScope(ORGANIZATION, SCOPE);
    return { base, settled: settledSum, open: openSum };
  };
  const reserve = (holdId: string, ttlMs = 60_000) =>
    store.reserve({
      organizationId: ORGANIZATION,
      holdId,
      amounts: [10n],
      leasts: [10n],
      ttlMs,
      limits: [{ scope: SCOPE, max: 1_000n }],
    });

  beforeEach(async () => {
    store = createMemoryHoldStore({ now: Date.now });
    bases = [{ scope: SCOPE, base: 7n, version: 1n }];
    committed = new Set();
    await store.seed(ORGANIZATION, [{ scope: SCOPE, base: 0n, version: 0n }]);
  });

  it('is the base and the holds of a batch; an attempt that was followed by another leaves the hold open', async () => {
    for (const id of ['done', 'failed-over', 'other']) await reserve(id);
    const confirm = createConfirmHolds({ store, truth }, log);
    expect(await confirm([held('done'), held('failed-over', false)])).toBe(true);
    expect(await read()).toEqual({ base: 7n, settled: 0n, open: 20n });
  });

  it('stays with the batch that is reporting it: another one neither vouches for it nor drops it', async () => {
    for (const id of ['slow', 'quick']) await reserve(id);
    let fail = (_error: Error): void => undefined;
    const replies = [new Promise<void>((_resolve, reject) => (fail = reject))];
    const slow: HoldStore = { ...store, confirm: (...reported) => replies.shift() ?? store.confirm(...reported) };
    const confirm = createConfirmHolds({ store: slow, truth }, log);
    const first = confirm([held('slow')]);
    while (replies.length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await confirm([held('quick')])).toBe(true);
    expect((await read()).open).toBe(10n);
    fail(new Error('away'));
    expect(await first).toBe(false);
    expect(await confirm([])).toBe(true);
    expect((await read()).open).toBe(0n);
  });

  it('is not reported as done while what was left of an earlier batch is still under way', async () => {
    for (const id of ['left', 'slow', 'quick']) await reserve(id);
    let finish = (): void => undefined;
    const replies = [Promise.reject(new Error('away')), new Promise<void>((resolve) => (finish = resolve))];
    const slow: HoldStore = { ...store, confirm: (...reported) => replies.shift() ?? store.confirm(...reported) };
    const confirm = createConfirmHolds({ store: slow, truth }, log);
    expect(await confirm([held('left')])).toBe(false);
    const second = confirm([held('slow')]);
    // The watermark of the first batch goes with whatever batch comes next: its holds are with the second one.
    expect(await confirm([held('quick')])).toBe(false);
    finish();
    expect([await second, await confirm([])]).toEqual([true, true]);
  });

  it('is reported again after a while when no other batch comes', async () => {
    await reserve('done');
    const replies = [Promise.reject(new Error('away'))];
    const away: HoldStore = { ...store, confirm: (...reported) => replies.shift() ?? store.confirm(...reported) };
    const confirm = createConfirmHolds({ store: away, truth }, log);
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick'] });
    try {
      expect(await confirm([held('done')])).toBe(false);
      await jest.advanceTimersByTimeAsync(5_000);
    } finally {
      jest.useRealTimers();
    }
    expect(await read()).toEqual({ base: 7n, settled: 0n, open: 0n });
  });

  it('is reported again with the next batch when the counters were away', async () => {
    await reserve('done');
    let isAway = true;
    const away: HoldStore = {
      ...store,
      confirm: (...reported) => (isAway ? Promise.reject(new Error('away')) : store.confirm(...reported)),
    };
    const confirm = createConfirmHolds({ store: away, truth }, log);
    expect(await confirm([held('done')])).toBe(false);
    expect(await confirm([])).toBe(false);
    isAway = false;
    expect(await confirm([])).toBe(true);
    expect(await read()).toEqual({ base: 7n, settled: 0n, open: 0n });
  });

  it('is corrected in a scope that no request has asked for yet: what a dead process spent was registered after it was confirmed', async () => {
    const unused = monthlyScope('group', 'g', Date.now());
    bases = [{ scope: unused, base: 7n, version: 1n }];
    committed = new Set(['recovered']);
    await store.register({ organizationId: ORGANIZATION, holdId: 'recovered', scopes: [unused], spent: [7n] });
    const reconciler = startHoldReconciler({ store, truth }, log, 60_000);
    expect(await reconciler.run()).toBe(1);
    reconciler.stop();
    expect(await store.readScope(ORGANIZATION, unused)).toMatchObject({ isSeeded: false, base: 7n, settledSum: 0n });
  });

  it('is corrected once a minute: lost confirmations of what settled and of what expired, and a base that is behind', async () => {
    for (const id of ['settled', 'uncommitted', 'running']) await reserve(id);
    await reserve('expired', -1_000);
    for (const holdId of ['settled', 'uncommitted']) {
      await store.settle({ organizationId: ORGANIZATION, holdId, scopes: [SCOPE], spent: [3n] });
    }
    committed = new Set(['settled', 'expired', 'running']);
    const reconciler = startHoldReconciler({ store, truth }, log, 60_000);
    expect(await reconciler.run()).toBe(1);
    expect(await read()).toEqual({ base: 7n, settled: 3n, open: 10n });
    expect(await reconciler.run()).toBe(0);
    reconciler.stop();
  });
});
