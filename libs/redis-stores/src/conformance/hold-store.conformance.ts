import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { monthlyScope, type HoldStore, type ReserveAnswer, type ReserveRequest } from '@weir/limits';

const TTL_MS = 60_000;
const NOW = Date.now();

export type HoldStoreUnderTest = {
  readonly store: HoldStore;
  /** Another process's view of the same store. */
  readonly other: HoldStore;
};

/** Amounts are whole nano-dollars, so that adapters that count in those return the same. */
const usd = (milli: number): bigint => BigInt(milli) * 1_000_000_000n;

/** What every hold store promises. `open` returns a store that is ready for use. */
export function describeHoldStore(name: string, open: () => HoldStoreUnderTest): void {
  describe(`${name} as a hold store`, () => {
    let store: HoldStore;
    let other: HoldStore;
    let organizationId: string;
    const key = monthlyScope('key', 'k', NOW);
    const member = monthlyScope('group_member', 'g/u', NOW);

    beforeEach(() => {
      ({ store, other } = open());
      organizationId = randomUUID();
    });

    const request = (more: Partial<ReserveRequest> = {}): ReserveRequest => ({
      organizationId,
      holdId: randomUUID(),
      amountPico: usd(100),
      leastPico: more.amountPico ?? usd(100),
      ttlMs: TTL_MS,
      limits: [{ scope: key, limitPico: usd(1000) }],
      ...more,
    });
    const seed = (scope = key, basePico = 0n, version = 0n) => store.seed(organizationId, [{ scope, basePico, version }]);
    const read = async (scope = key) => {
      const { basePico, settledPico, openPico } = await store.readScope(organizationId, scope);
      return { base: basePico, settled: settledPico, open: openPico };
    };
    const hold = (holdId: string, scopes = [key]) => ({ organizationId, holdId, scopes });

    it('returns unseeded until it knows what was spent, and sets nothing aside before', async () => {
      const limits = [key, member].map((scope) => ({ scope, limitPico: usd(1000) }));
      expect(await store.reserve(request({ limits }))).toEqual({ kind: 'unseeded', scopes: [key, member] });
      await seed();
      expect(await other.reserve(request({ limits }))).toEqual({ kind: 'unseeded', scopes: [member] });
      expect(await read()).toEqual({ base: 0n, settled: 0n, open: 0n });
    });

    it('lets no one past a limit, up to exactly which it fills', async () => {
      await seed(key, usd(400), 7n);
      const results = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? store : other).reserve(request({ amountPico: usd(60) }))),
      );
      expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(10);
      expect(results.find(({ kind }) => kind === 'refused')).toEqual({ kind: 'refused', scope: key, remainingPico: 0n });
      expect(await store.readTaken(organizationId, [key])).toEqual(new Map([[key, usd(1000)]]));
    });

    it('holds in all scopes or in none, and names the one that has the least left', async () => {
      const group = monthlyScope('group', 'g', NOW);
      const limits = [
        { scope: key, limitPico: usd(500) },
        { scope: member, limitPico: usd(150) },
        { scope: group, limitPico: usd(300) },
      ];
      for (const { scope } of limits) await seed(scope);
      expect(await store.reserve(request({ limits }))).toMatchObject({ kind: 'held' });
      expect(await store.reserve(request({ limits }))).toEqual({ kind: 'refused', scope: member, remainingPico: usd(50) });
      for (const { scope } of limits) expect(await read(scope)).toMatchObject({ open: usd(100) });
    });

    it('reports how far below zero a scope is of which more was used than its limit', async () => {
      await seed(key, usd(1430), 1n);
      expect(await store.reserve(request())).toEqual({ kind: 'refused', scope: key, remainingPico: usd(-430) });
    });

    it('sets aside what is left where that is still of use', async () => {
      await seed(key, usd(940), 1n);
      expect(await store.reserve(request({ leastPico: usd(61) }))).toEqual({ kind: 'refused', scope: key, remainingPico: usd(60) });
      expect(await store.reserve(request({ leastPico: usd(60) }))).toEqual({ kind: 'held', amountPico: usd(60) });
      expect(await read()).toMatchObject({ open: usd(60) });
    });

    it('counts a hold once, however often it is asked for', async () => {
      await seed();
      const again = request();
      const results: ReserveAnswer[] = [await store.reserve(again), await other.reserve(again)];
      expect(results).toEqual([
        { kind: 'held', amountPico: usd(100) },
        { kind: 'held', amountPico: usd(100) },
      ]);
      expect(await read()).toMatchObject({ open: usd(100) });
    });

    it('settles once for what was spent in each scope; nothing spent gives everything back', async () => {
      await seed();
      await seed(member);
      const scopes = [key, member];
      const limits = scopes.map((scope) => ({ scope, limitPico: usd(1000) }));
      await store.reserve(request({ holdId: 'a', limits }));
      await store.reserve(request({ holdId: 'b', limits }));
      await other.settle({ ...hold('a', scopes), spentPico: [usd(30), 0n] });
      await store.settle({ ...hold('a', scopes), spentPico: [usd(99), usd(99)] });
      await store.settle({ ...hold('b', scopes), spentPico: [0n, 0n] });
      await store.settle({ ...hold('unknown', scopes), spentPico: [usd(1), usd(1)] });
      expect(await read()).toEqual({ base: 0n, settled: usd(30), open: 0n });
      expect(await read(member)).toEqual({ base: 0n, settled: 0n, open: 0n });
    });

    it('confirms in any order: before the settling, after it, twice, and with an old version', async () => {
      await seed();
      for (const holdId of ['a', 'b', 'c']) await store.reserve(request({ holdId }));
      await store.settle({ ...hold('a'), spentPico: [usd(30)] });
      const confirm = (basePico: bigint, version: bigint, holdIds: string[]) =>
        store.confirm(organizationId, [{ scope: key, basePico, version, holdIds }]);
      await confirm(usd(50), 2n, ['b']);
      await store.settle({ ...hold('b'), spentPico: [usd(20)] });
      await confirm(usd(30), 1n, ['a']);
      await confirm(usd(30), 1n, ['a']);
      expect(await read()).toEqual({ base: usd(50), settled: 0n, open: usd(100) });
    });

    it('keeps the base with the newest version, whichever is seeded last; versions may be too large for a double', async () => {
      await seed(key, usd(10), 2n ** 53n + 1n);
      await seed(key, usd(5), 2n ** 53n);
      await seed(key, usd(6), 9n);
      expect(await read()).toMatchObject({ base: usd(10) });
      await seed(key, usd(20), 10n ** 20n);
      expect(await read()).toMatchObject({ base: usd(20) });
      await seed(key, usd(4), 10n ** 20n + 1n);
      expect(await read()).toMatchObject({ base: usd(4) });
    });

    it('enters what it has lost: an open hold by its renewal, a settled one when it is registered; once', async () => {
      await seed();
      const lost = { ...hold('lost'), amountPico: usd(70) };
      await store.renew(lost, TTL_MS);
      await other.renew(lost, TTL_MS);
      expect(await read()).toMatchObject({ open: usd(70), settled: 0n });
      for (const spentPico of [[usd(40)], [usd(50)]]) await store.register({ ...hold('lost'), spentPico });
      await store.register({ ...hold('other'), spentPico: [usd(5)] });
      await store.renew(lost, TTL_MS);
      expect(await read()).toMatchObject({ open: 0n, settled: usd(45) });
    });

    it('counts an expired hold until every writer has reported, then gives it back; a renewed one stays', async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await store.enrolWriter(one);
      await other.enrolWriter(two);
      await seed();
      await store.reserve(request({ holdId: 'orphan', amountPico: usd(600), ttlMs: 1 }));
      await store.reserve(request({ holdId: 'running', amountPico: usd(300), ttlMs: 1 }));
      const isHeld = async (): Promise<boolean> => (await store.reserve(request({ holdId: 'next', amountPico: usd(500) }))).kind === 'held';
      await pause(5);
      await store.reportWriter(one);
      expect(await isHeld()).toBe(false);
      await store.renew({ ...hold('running'), amountPico: usd(300) }, TTL_MS);
      await store.reportWriter(two);
      const deadline = Date.now() + 5_000;
      while (!(await isHeld())) {
        if (Date.now() > deadline) throw new Error('the orphan is still counted');
        await pause(20);
      }
      const { open } = await store.readScope(organizationId, key);
      expect(open.map(({ holdId }) => holdId).sort()).toEqual(['next', 'running']);
      for (const writer of [one, two]) await store.retireWriter(writer);
    });

    it('returns what is open, what is settled, and which scopes there are', async () => {
      await seed(key, usd(1), 3n);
      await store.reserve(request({ holdId: 'late', ttlMs: 1 }));
      await store.reserve(request({ holdId: 'done' }));
      await store.settle({ ...hold('done'), spentPico: [usd(2)] });
      await pause(5);
      expect(await readWhenExpired()).toEqual({
        isSeeded: true,
        basePico: usd(1),
        version: 3n,
        settledPico: usd(2),
        openPico: usd(100),
        settled: [{ holdId: 'done', amountPico: usd(2) }],
        open: [{ holdId: 'late', amountPico: usd(100), isExpired: true }],
      });
      expect(await store.listScopes()).toContainEqual({ organizationId, scope: key });
      expect(await store.readTaken(organizationId, [key, member])).toEqual(new Map([[key, usd(103)]]));
    });

    /** A server's clock may be in whole seconds. */
    async function readWhenExpired() {
      for (let tries = 0; ; tries += 1) {
        const state = await store.readScope(organizationId, key);
        if (state.open[0]?.isExpired === true || tries === 100) return state;
        await pause(20);
      }
    }
  });
}
