import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LimitMeasure } from '@weir/contracts';
import {
  monthlyScope,
  nameLimitScope,
  type HoldStore,
  type LimitScopeParts,
  type ReserveAnswer,
  type ReserveLimit,
  type ReserveRequest,
} from '@weir/limits';

const TTL_MS = 60_000;
const NOW = Date.now();
const DAY_START = Math.floor(NOW / 86_400_000) * 86_400_000;
const LIMIT = '11111111-1111-4111-8111-111111111111';

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

    type Asked = Partial<ReserveRequest> & { readonly amount?: bigint; readonly least?: bigint };
    const request = ({ amount = usd(100), least = amount, ...more }: Asked = {}): ReserveRequest => {
      const limits = more.limits ?? [{ scope: key, max: usd(1000) }];
      const all = { amounts: limits.map(() => amount), leasts: limits.map(() => least) };
      return { organizationId, holdId: randomUUID(), ttlMs: TTL_MS, ...all, ...more, limits };
    };
    const seed = (scope = key, base = 0n, version = 0n) => store.seed(organizationId, [{ scope, base, version }]);
    const read = async (scope = key) => {
      const { base, settledSum, openSum } = await store.readScope(organizationId, scope);
      return { base, settled: settledSum, open: openSum };
    };
    const hold = (holdId: string, scopes = [key]) => ({ organizationId, holdId, scopes });
    const report = async (at: HoldStore, writer: string): Promise<void> => at.reportWriter(writer, await at.enrolWriter(writer));

    /** A reply but for the generation, which stores that can lose nothing do not have. */
    const askAny = async (at: HoldStore, asked: ReserveRequest): Promise<object> => ({
      ...(await at.reserve(asked)),
      generation: undefined,
    });

    it('returns unseeded until it knows what was spent, and sets nothing aside before', async () => {
      const limits = [key, member].map((scope) => ({ scope, max: usd(1000) }));
      expect(await askAny(store, request({ limits }))).toEqual({ kind: 'unseeded', scopes: [key, member] });
      await seed();
      expect(await askAny(other, request({ limits }))).toEqual({ kind: 'unseeded', scopes: [member] });
      expect(await read()).toEqual({ base: 0n, settled: 0n, open: 0n });
    });

    it('lets no one past a limit, up to exactly which it fills', async () => {
      await seed(key, usd(400), 7n);
      const results = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? store : other).reserve(request({ amount: usd(60) }))),
      );
      expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(10);
      expect(results.find(({ kind }) => kind === 'refused')).toEqual({ kind: 'refused', scope: key, remaining: 0n });
      expect(await store.readTaken(organizationId, [key])).toEqual(new Map([[key, usd(1000)]]));
    });

    it('holds in all scopes or in none, and names the one that has the least left', async () => {
      const group = monthlyScope('group', 'g', NOW);
      const limits = [
        { scope: key, max: usd(500) },
        { scope: member, max: usd(150) },
        { scope: group, max: usd(300) },
      ];
      for (const { scope } of limits) await seed(scope);
      expect(await store.reserve(request({ limits }))).toMatchObject({ kind: 'held' });
      expect(await store.reserve(request({ limits }))).toEqual({ kind: 'refused', scope: member, remaining: usd(50) });
      for (const { scope } of limits) expect(await read(scope)).toMatchObject({ open: usd(100) });
    });

    it('reports how far below zero a scope is of which more was used than its limit', async () => {
      await seed(key, usd(1430), 1n);
      expect(await store.reserve(request())).toEqual({ kind: 'refused', scope: key, remaining: usd(-430) });
    });

    it('sets aside what is left where that is still of use', async () => {
      await seed(key, usd(940), 1n);
      expect(await store.reserve(request({ least: usd(61) }))).toEqual({ kind: 'refused', scope: key, remaining: usd(60) });
      expect(await store.reserve(request({ least: usd(60) }))).toEqual({ kind: 'held', amounts: [usd(60)] });
      expect(await read()).toMatchObject({ open: usd(60) });
    });

    it('counts a hold once, however often it is asked for', async () => {
      await seed();
      const again = request();
      const results: ReserveAnswer[] = [await store.reserve(again), await other.reserve(again)];
      expect(results).toEqual([
        { kind: 'held', amounts: [usd(100)] },
        { kind: 'held', amounts: [usd(100)] },
      ]);
      expect(await read()).toMatchObject({ open: usd(100) });
    });

    it('settles once for what was spent in each scope; nothing spent gives everything back', async () => {
      await seed();
      await seed(member);
      const scopes = [key, member];
      const limits = scopes.map((scope) => ({ scope, max: usd(1000) }));
      await store.reserve(request({ holdId: 'a', limits }));
      await store.reserve(request({ holdId: 'b', limits }));
      await other.settle({ ...hold('a', scopes), spent: [usd(30), 0n] });
      await store.settle({ ...hold('a', scopes), spent: [usd(99), usd(99)] });
      await store.settle({ ...hold('b', scopes), spent: [0n, 0n] });
      await store.settle({ ...hold('unknown', scopes), spent: [usd(1), usd(1)] });
      expect(await read()).toEqual({ base: 0n, settled: usd(30), open: 0n });
      expect(await read(member)).toEqual({ base: 0n, settled: 0n, open: 0n });
    });

    it('confirms in any order: before the settling, after it, twice, and with an old version', async () => {
      await seed();
      for (const holdId of ['a', 'b', 'c']) await store.reserve(request({ holdId }));
      await store.settle({ ...hold('a'), spent: [usd(30)] });
      const confirm = (base: bigint, version: bigint, holdIds: string[]) =>
        store.confirm(organizationId, [{ scope: key, base, version, holdIds }]);
      await confirm(usd(50), 2n, ['b']);
      await store.settle({ ...hold('b'), spent: [usd(20)] });
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
      const lost = { ...hold('lost'), amounts: [usd(70)] };
      await store.renew(lost, TTL_MS);
      await other.renew(lost, TTL_MS);
      expect(await read()).toMatchObject({ open: usd(70), settled: 0n });
      for (const spent of [[usd(40)], [usd(50)]]) await store.register({ ...hold('lost'), spent });
      await store.register({ ...hold('other'), spent: [usd(5)] });
      await store.renew(lost, TTL_MS);
      expect(await read()).toMatchObject({ open: 0n, settled: usd(45) });
    });

    it('counts an expired hold until every writer has reported, then gives it back; a renewed one stays', async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await store.enrolWriter(one);
      await other.enrolWriter(two);
      await seed();
      await store.reserve(request({ holdId: 'orphan', amount: usd(600), ttlMs: 1 }));
      await store.reserve(request({ holdId: 'running', amount: usd(300), ttlMs: 1 }));
      const isHeld = async (): Promise<boolean> => (await store.reserve(request({ holdId: 'next', amount: usd(500) }))).kind === 'held';
      await pause(5);
      await report(store, one);
      expect(await isHeld()).toBe(false);
      await store.renew({ ...hold('running'), amounts: [usd(300)] }, TTL_MS);
      await report(store, two);
      const deadline = Date.now() + 5_000;
      while (!(await isHeld())) {
        if (Date.now() > deadline) throw new Error('the orphan is still counted');
        await pause(20);
        // Writers go on reporting; where clocks differ, what they have said counts as somewhat earlier.
        await Promise.all([report(store, one), report(other, two)]);
      }
      const { open } = await store.readScope(organizationId, key);
      expect(open.map(({ holdId }) => holdId).sort()).toEqual(['next', 'running']);
      for (const writer of [one, two]) await store.retireWriter(writer);
    });

    it('keeps what expired after a writer began its report, which may be long before it ends', async () => {
      const writer = randomUUID();
      const earlier = await store.enrolWriter(writer);
      await seed();
      await pause(2);
      await store.reserve(request({ holdId: 'running', amount: usd(600), ttlMs: 1 }));
      await pause(5);
      await store.reportWriter(writer, earlier);
      expect((await store.reserve(request({ holdId: 'next', amount: usd(500) }))).kind).toBe('refused');
      await store.retireWriter(writer);
    });

    it('returns what is open, what is settled, and which scopes there are', async () => {
      await seed(key, usd(1), 3n);
      await store.reserve(request({ holdId: 'late', ttlMs: 1 }));
      await store.reserve(request({ holdId: 'done' }));
      await store.settle({ ...hold('done'), spent: [usd(2)] });
      await pause(5);
      expect(await readWhenExpired()).toEqual({
        isSeeded: true,
        base: usd(1),
        version: 3n,
        settledSum: usd(2),
        openSum: usd(100),
        settled: [{ holdId: 'done', amount: usd(2) }],
        open: [{ holdId: 'late', amount: usd(100), isExpired: true }],
      });
      expect(await store.listScopes()).toContainEqual({ organizationId, scope: key });
      expect(await store.readTaken(organizationId, [key, member])).toEqual(new Map([[key, usd(103)]]));
    });

    it('lists a scope that no request has seeded yet but something was registered in', async () => {
      await store.register({ ...hold('recovered'), spent: [usd(5)] });
      expect(await store.readScope(organizationId, key)).toMatchObject({ isSeeded: false, settledSum: usd(5) });
      expect(await store.listScopes()).toContainEqual({ organizationId, scope: key });
    });

    describe('limits of every measure', () => {
      const rule = (measure: LimitMeasure, more: Partial<LimitScopeParts> = {}): string =>
        nameLimitScope({ limitId: LIMIT, measure, partition: '-', window: 'day', startMs: DAY_START, ...more });
      const ask = (
        limits: readonly (ReserveLimit & { readonly amount: bigint; readonly least?: bigint })[],
        more: Partial<ReserveRequest> = {},
      ) =>
        request({
          limits,
          amounts: limits.map(({ amount }) => amount),
          leasts: limits.map(({ amount, least = amount }) => least),
          ...more,
        });
      const seedAll = (scopes: readonly string[], base = 0n) =>
        store.seed(
          organizationId,
          scopes.map((scope) => ({ scope, base, version: 1n })),
        );
      const tokens = rule('tokens');
      const requests = rule('requests');
      const running = rule('concurrent_requests', { window: null, startMs: null });

      it('holds and settles an amount of its own in each', async () => {
        await seedAll([key, tokens, requests, running]);
        const limits = [
          { scope: key, max: usd(1000), amount: usd(100) },
          { scope: tokens, max: 5_000n, amount: 1_234n },
          { scope: requests, max: 2n, amount: 1n },
          { scope: running, max: 1n, amount: 1n },
        ];
        const asked = ask(limits, { isShown: true });
        expect(await store.reserve(asked)).toEqual({
          kind: 'held',
          amounts: [usd(100), 1_234n, 1n, 1n],
          remaining: [usd(900), 3_766n, 1n, 0n],
        });
        expect(await other.reserve(ask(limits))).toEqual({ kind: 'refused', scope: running, remaining: 0n });
        const scopes = limits.map(({ scope }) => scope);
        await other.settle({ organizationId, holdId: asked.holdId, scopes, spent: [usd(30), 1_000n, 1n, 0n] });
        expect(await store.readTaken(organizationId, scopes)).toEqual(
          new Map([
            [key, usd(30)],
            [tokens, 1_000n],
            [requests, 1n],
            [running, 0n],
          ]),
        );
      });

      it('holds nothing of what a request cannot use, and gives nothing back', async () => {
        await seedAll([tokens, requests]);
        const limits = [
          { scope: tokens, max: 10n, amount: 0n },
          { scope: requests, max: 10n, amount: 1n },
        ];
        const scopes = [tokens, requests];
        const [settled, confirmed] = [ask(limits), ask(limits)];
        for (const asked of [settled, confirmed]) expect(await store.reserve(asked)).toEqual({ kind: 'held', amounts: [0n, 1n] });
        await store.settle({ organizationId, holdId: settled.holdId, scopes, spent: [0n, 1n] });
        await store.confirm(organizationId, [{ scope: tokens, base: 0n, version: 2n, holdIds: [settled.holdId, confirmed.holdId] }]);
        expect(await store.readScope(organizationId, tokens)).toMatchObject({ openSum: 0n, settledSum: 0n, open: [], settled: [] });
      });

      it('only counts where there is no maximum, and cuts no amount for it', async () => {
        await seedAll([tokens, requests], 10n ** 15n);
        const counted = [{ scope: tokens, max: null, amount: 500n }];
        expect(await store.reserve(ask(counted, { isShown: true }))).toEqual({ kind: 'held', amounts: [500n], remaining: [null] });
        expect(await store.reserve(ask([...counted, { scope: requests, max: 1n, amount: 1n }]))).toMatchObject({
          kind: 'refused',
          scope: requests,
        });
        expect(await read(tokens)).toMatchObject({ open: 500n });
      });

      it('cuts all limits of one measure to the tightest of them, and none of another', async () => {
        const wide = rule('tokens', { partition: 'wide' });
        await seedAll([key, tokens, wide]);
        const limits = [
          { scope: key, max: usd(1000), amount: usd(100), least: usd(1) },
          { scope: tokens, max: 700n, amount: 1_000n, least: 50n },
          { scope: wide, max: 10_000n, amount: 1_000n, least: 800n },
        ];
        const asked = ask(limits, { isShown: true });
        expect(await store.reserve(asked)).toEqual({ kind: 'held', amounts: [usd(100), 700n, 800n], remaining: [usd(900), 0n, 9_200n] });
        expect(await other.reserve({ ...asked, isShown: false })).toEqual({ kind: 'held', amounts: [usd(100), 700n, 800n] });
        expect(await store.reserve(ask(limits))).toEqual({ kind: 'refused', scope: tokens, remaining: 0n });
      });

      it('counts the earlier steps of a rolling window, and holds nothing in them', async () => {
        const step = (hour: number): string => rule('tokens', { window: '24h', startMs: DAY_START + hour * 3_600_000 });
        const limits = (now: number, past: number[]) => [{ scope: step(now), max: 1_000n, past: past.map(step), amount: 300n }];
        expect(await askAny(store, ask(limits(2, [1, 0])))).toEqual({ kind: 'unseeded', scopes: [step(2), step(1), step(0)] });
        await seedAll([step(1), step(2)]);
        expect(await askAny(store, ask(limits(2, [1, 0])))).toEqual({ kind: 'unseeded', scopes: [step(0)] });
        await seedAll([step(0)], 150n);
        const early = ask(limits(1, [0]));
        expect(await store.reserve(early)).toMatchObject({ kind: 'held' });
        expect(await store.reserve(ask(limits(2, [1, 0]), { isShown: true }))).toEqual({
          kind: 'held',
          amounts: [300n],
          remaining: [250n],
        });
        expect(await store.reserve(ask(limits(2, [1, 0])))).toEqual({ kind: 'refused', scope: step(2), remaining: 250n });
        await other.settle({ organizationId, holdId: early.holdId, scopes: [step(1)], spent: [100n] });
        expect(await store.reserve(ask(limits(2, [1, 0]), { isShown: true }))).toMatchObject({ remaining: [150n] });
        // A step later the oldest has fallen out.
        await seedAll([step(3)]);
        expect(await store.reserve(ask(limits(3, [2, 1]), { isShown: true }))).toEqual({ kind: 'held', amounts: [300n], remaining: [0n] });
      });

      it('gives what runs at a moment back when it expires, whether or not writers report; a renewal keeps it or enters it again', async () => {
        const writer = randomUUID();
        await store.enrolWriter(writer);
        await seedAll([running]);
        const limits = [{ scope: running, max: 2n, amount: 1n }];
        await store.reserve(ask(limits, { holdId: 'dead', ttlMs: 1 }));
        await store.reserve(ask(limits, { holdId: 'alive', ttlMs: 1 }));
        for (let times = 0; times < 2; times += 1) await other.renew({ ...hold('alive', [running]), amounts: [1n] }, TTL_MS);
        await pause(5);
        expect(await store.reserve(ask(limits))).toMatchObject({ kind: 'held' });
        expect(await store.reserve(ask(limits))).toEqual({ kind: 'refused', scope: running, remaining: 0n });
        await store.renew({ ...hold('lost', [running]), amounts: [1n] }, TTL_MS);
        await store.settle({ ...hold('lost', [running]), spent: [0n] });
        await store.settle({ ...hold('alive', [running]), spent: [0n] });
        expect(await read(running)).toEqual({ base: 0n, settled: 0n, open: 1n });
        await store.retireWriter(writer);
      });

      it('leaves alone what is over, and lists only what commits are compared with', async () => {
        const past = rule('usd', { window: 'minute', startMs: DAY_START - 86_400_000 });
        await store.renew({ ...hold('a', [past]), amounts: [usd(1)] }, TTL_MS);
        await store.register({ ...hold('a', [past]), spent: [usd(1)] });
        await store.settle({ ...hold('a', [past]), spent: [usd(1)] });
        await store.confirm(organizationId, [{ scope: past, base: usd(7), version: 4n, holdIds: ['a'] }]);
        expect(await store.readScope(organizationId, past)).toMatchObject({ base: 0n, version: 0n, settled: [], open: [] });
        const total = rule('usd', { window: 'total', startMs: null });
        await seedAll([past, running, total, tokens]);
        const listed = (await store.listScopes()).filter((each) => each.organizationId === organizationId);
        expect(listed.map(({ scope }) => scope).sort()).toEqual([tokens, total].sort());
      });
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
