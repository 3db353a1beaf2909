import type { KeyRecord } from '@weir/access';
import { getEndpoint, type Attempt } from '@weir/contracts';
import { bindRules, createMemoryHoldStore, HoldsUnavailableError, monthlyScope, readLimitRules, type HoldStore } from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';
import type { LeaseBook } from './lease-book';
import { createRequestHolds, type HoldAsk, type HoldOutcome, type RequestHolds, type RequestHoldsParts } from './request-holds';

const AT = Date.now();
const KEY_SCOPE = monthlyScope('key', 'k', AT);
const ATTEMPT: Attempt = {
  modelId: 'm/m',
  providerId: 'm',
  upstreamModel: 'm',
  region: null,
  isByok: false,
  isFree: false,
  prices: {
    kind: 'chat',
    version: 'v',
    tiers: [{ threshold: 0, input: '0', output: '0.000001', cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' }],
  },
};
const TOKEN = 1_000_000n;
type LeaseAsk = Parameters<LeaseBook['take']>[0];

describe('holds of requests', () => {
  let store: HoldStore;
  let holds: RequestHolds;
  let outcomes: HoldOutcome[];
  let headers: Record<string, string>;
  let bases: bigint;
  let isAway: boolean;
  const settled: string[] = [];

  const open = (more: Partial<RequestHoldsParts> = {}): void => {
    store = createMemoryHoldStore({ now: Date.now });
    const guarded: HoldStore = {
      ...store,
      reserve: (request) => (isAway ? Promise.reject(new HoldsUnavailableError('away')) : store.reserve(request)),
      readTaken: (...asked) => (isAway ? Promise.reject(new HoldsUnavailableError('away')) : store.readTaken(...asked)),
      settle: (hold) => {
        settled.push(hold.holdId);
        return store.settle(hold);
      },
    };
    holds = createRequestHolds({
      store: guarded,
      truth: {
        readBases: (_organization, scopes) => Promise.resolve(scopes.map((scope) => ({ scope, base: bases, version: 1n }))),
        findCommitted: () => Promise.resolve(new Set()),
      },
      catalog: { find: () => undefined } as unknown as ModelCatalog,
      policy: { isBalanceRequired: false },
      circuit: (call) => call(),
      leases: null,
      holdTtlMs: 90_000,
      count: (outcome) => outcomes.push(outcome),
      now: () => AT,
      log: { warn: () => undefined },
      ...more,
    });
  };
  beforeEach(() => {
    [outcomes, headers, bases, isAway] = [[], {}, 0n, false];
    settled.length = 0;
    open();
  });

  function ask(
    json: Record<string, unknown>,
    key: Partial<KeyRecord> = {},
    organization: Partial<KeyRecord['organization']> = {},
  ): HoldAsk {
    const record = {
      apiKeyId: 'k',
      organizationId: 'o',
      userId: null,
      groupId: null,
      groupLimits: null,
      monthlyLimitPico: 1_000n * TOKEN,
      ...key,
      organization: { budgetMode: 'global', limitsUnavailable: 'lease', isClampedToLimit: false, creditPico: null, ...organization },
    } as unknown as KeyRecord;
    const text = JSON.stringify(json);
    return {
      principal: { key: record },
      requestId: `r${Math.random()}`,
      endpoint: getEndpoint('chat-completions'),
      attempts: [ATTEMPT],
      parsed: { text, json },
      bodyBytes: text.length,
      admittedAtMs: AT,
      setHeader: (name, value) => void (headers[name] = value),
    };
  }
  const refusal = (code: string) => expect.objectContaining({ code }) as Error;

  it('sets the worst case aside in every scope, starting from what was spent before', async () => {
    bases = 300n * TOKEN;
    const held = await holds.hold(ask({ max_tokens: 500 }, {}, { creditPico: 2_000n * TOKEN }));
    expect(held?.hold).toMatchObject({
      reservedPico: String(500n * TOKEN),
      scopes: [KEY_SCOPE, 'balance'],
      isLeased: false,
      beginByMs: AT + 60_000,
    });
    expect(held?.hold.bounds).toEqual([{ promptTokens: '{"max_tokens":500}'.length + 256, outputTokens: 500 }]);
    expect(await store.readTaken('o', [KEY_SCOPE, 'balance'])).toEqual(
      new Map([KEY_SCOPE, 'balance'].map((scope) => [scope, 800n * TOKEN])),
    );
    expect(outcomes).toEqual(['held']);
  });

  it('seeds the counters that asked for it, and none that were begun since', async () => {
    const seeded: unknown[] = [];
    open({
      store: {
        ...store,
        reserve: async (request) => {
          const answer = await store.reserve(request);
          return answer.kind === 'unseeded' ? { ...answer, generation: 'first' } : answer;
        },
        seed: (id, found, generation) => (seeded.push(generation), store.seed(id, found)),
      },
    });
    await holds.hold(ask({ max_tokens: 5 }));
    expect(seeded).toEqual(['first']);
  });

  it('asks nothing of a request that nothing limits, or that costs nothing', async () => {
    expect(await holds.hold(ask({ max_tokens: 5 }, { monthlyLimitPico: null }))).toBeNull();
    expect(await holds.hold({ ...ask({ max_tokens: 5 }), attempts: [{ ...ATTEMPT, isFree: true }] })).toBeNull();
    expect(await holds.hold({ ...ask({ max_tokens: 5 }), endpoint: getEndpoint('count-tokens') })).toBeNull();
    expect(await holds.hold({ ...ask({ max_tokens: 5 }), endpoint: getEndpoint('count-input-tokens') })).toBeNull();
    expect(outcomes).toEqual([]);
  });

  it('refuses with the scope that has least left: 412 for a month, 402 for the balance', async () => {
    bases = 900n * TOKEN;
    await expect(holds.hold(ask({ max_tokens: 101 }))).rejects.toThrow(refusal('monthly_limit_reached'));
    await expect(holds.hold(ask({ max_tokens: 101 }))).rejects.toThrow(/this API key \(0\.001 USD\).*0\.0001 USD is left.*0\.000101 USD/);
    await expect(holds.hold(ask({ max_tokens: 90 }, {}, { creditPico: 950n * TOKEN }))).rejects.toThrow(refusal('balance_exhausted'));
    expect(await holds.hold(ask({ max_tokens: 100 }))).not.toBeNull();
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'held']);
  });

  it('shortens the answer where the organization wants that, byte for byte elsewhere the caller’s own body', async () => {
    bases = 900n * TOKEN;
    const clamp = { isClampedToLimit: true };
    const held = await holds.hold(ask({ model: 'x', max_tokens: 500, max_completion_tokens: 400, n: 2, z: 1.0 }, {}, clamp));
    expect(held?.clampedBody?.text).toBe('{"model":"x","max_tokens":50,"max_completion_tokens":50,"n":2,"z":1}');
    expect(held?.clampedBody?.json).toMatchObject({ max_tokens: 50, max_completion_tokens: 50 });
    expect(held?.hold.bounds[0]?.outputTokens).toBe(100);
    expect([headers['x-weir-max-tokens-clamped'], outcomes]).toEqual(['50', ['clamped']]);
    await expect(holds.hold(ask({ max_tokens: 500 }, {}, clamp))).rejects.toThrow(refusal('monthly_limit_reached'));
  });

  it('does not shorten a reply below the thinking that was asked for', async () => {
    bases = 900n * TOKEN;
    const thinking = { type: 'enabled', budget_tokens: 200 };
    await expect(holds.hold(ask({ max_tokens: 500, thinking }, {}, { isClampedToLimit: true }))).rejects.toThrow(
      refusal('monthly_limit_reached'),
    );
  });

  it.each([
    ['deny', false, 'deny'],
    ['lease', true, 'lease'],
    ['lease', false, 'deny'],
    ['allow', false, 'allow'],
  ] as const)(
    'obeys %s while the counters are away (lease covers: %s), and says that %s acted',
    async (limitsUnavailable, covers, acted) => {
      open({
        leases: { take: () => undefined, spend: () => covers, release: () => Promise.resolve(false), close: () => Promise.resolve() },
      });
      isAway = true;
      const answer = holds.hold(ask({ max_tokens: 5 }, {}, { limitsUnavailable }));
      if (acted === 'deny') await expect(answer).rejects.toMatchObject({ code: 'dependency_down', details: { retryAfterSeconds: 5 } });
      else expect((await answer)?.hold.isLeased).toBe(true);
      expect([headers['x-weir-limits-unavailable'], outcomes]).toEqual([acted, [acted]]);
    },
  );

  it('counts the time to begin a hold from before it was asked for, however late the reply is read', async () => {
    let nowMs = AT;
    const readLate: RequestHoldsParts['circuit'] = async (call) => call().finally(() => (nowMs += 80_000));
    open({ now: () => nowMs, circuit: readLate });
    expect((await holds.hold(ask({ max_tokens: 5 })))?.hold.beginByMs).toBe(AT + 60_000);
  });

  it('counts it from when the lease is used, where that was long waited for in vain', async () => {
    let nowMs = AT;
    const waitInVain: RequestHoldsParts['circuit'] = () => ((nowMs += 80_000), Promise.reject(new HoldsUnavailableError('away')));
    const leases = { take: () => undefined, spend: () => true, release: () => Promise.resolve(false), close: () => Promise.resolve() };
    open({ now: () => nowMs, circuit: waitInVain, leases });
    const held = await holds.hold(ask({ max_tokens: 5 }, {}, { limitsUnavailable: 'lease' }));
    expect(held?.hold).toMatchObject({ isLeased: true, beginByMs: AT + 80_000 + 60_000 });
  });

  it('gives back what was set aside by an answer that came too late', async () => {
    open({ circuit: async (call) => call().then(() => Promise.reject(new Error('too late'))) });
    await store.seed('o', [{ scope: KEY_SCOPE, base: 0n, version: 0n }]);
    await expect(holds.hold(ask({ max_tokens: 5 }))).rejects.toThrow(refusal('dependency_down'));
    expect(settled).toHaveLength(1);
    expect(await store.readTaken('o', [KEY_SCOPE])).toEqual(new Map([[KEY_SCOPE, 0n]]));
  });

  it('uses the lease when the limit is nearly used up', async () => {
    let released = 0;
    open({
      leases: {
        take: () => undefined,
        spend: () => false,
        release: () => Promise.resolve((released += 1) > 0),
        close: () => Promise.resolve(),
      },
    });
    bases = 1_000n * TOKEN;
    await expect(holds.hold(ask({ max_tokens: 5 }))).rejects.toThrow(refusal('monthly_limit_reached'));
    expect(released).toBe(1);
  });

  it.each([
    ['alert', true],
    ['refuse', false],
  ] as const)('takes leases of settings alone, which stand in for a limit of the table that would %s: %s', async (action, stands) => {
    const document = { scope: 'organization', measure: 'requests', window: 'total', amount: '9', action };
    const rules = [{ id: '00000000-0000-4000-8000-000000000001', name: 'r', version: 1, document, createdAtMs: 0 }];
    const options = { createMatcher: () => () => true, timeZone: 'UTC' };
    const scopesOf = ({ limits }: LeaseAsk) => limits.map(({ scope }) => scope);
    const [taken, spent]: string[][][] = [[], []];
    open({
      leases: {
        take: (lease) => void taken?.push(scopesOf(lease)),
        spend: (lease) => Boolean(spent?.push(scopesOf(lease))),
        release: () => Promise.resolve(false),
        close: () => Promise.resolve(),
      },
    });
    const asked = ask({ max_tokens: 5 });
    const { key } = asked.principal;
    const bound = bindRules(readLimitRules(rules, options), { key, modality: 'chat', attempts: [ATTEMPT] });
    await holds.hold({ ...asked, bound });
    isAway = true;
    const answer = holds.hold({ ...asked, bound, requestId: 'away' });
    if (stands) expect((await answer)?.hold).toMatchObject({ isLeased: true, amounts: [String(16n * TOKEN), '1'] });
    else await expect(answer).rejects.toThrow(refusal('dependency_down'));
    expect([taken, spent]).toEqual([[[KEY_SCOPE]], stands ? [[KEY_SCOPE]] : []]);
  });
});
