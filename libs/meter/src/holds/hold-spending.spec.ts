import { NO_USAGE, type Usage } from '@weir/canonical';
import {
  LIMIT_MEASURES,
  usageEvent,
  type Attempt,
  type Passport,
  type PassportHold,
  type PriceSheet,
  type UsageEvent,
} from '@weir/contracts';
import { BALANCE_SCOPE, monthlyScope, nameLimitScope, spendOfEvent, spentInScopes, type HoldStore, type SettledHold } from '@weir/limits';
import { createMeter, type ClosingFacts, type Meter } from '../meter';
import { HoldSpending } from './hold-spending';
import { registerHeldEnds } from './register-held-ends';

const CHAT: PriceSheet = {
  kind: 'chat',
  version: '2026-08',
  tiers: [
    { threshold: 0, input: '0.000001', output: '0.000002', cachedRead: '0.0000001', cacheWrite5m: '0.000003', cacheWrite1h: '0.000004' },
  ],
};
const IMAGES: PriceSheet = { kind: 'units', version: '2026-09', units: { image: '0.04', input_token: '0.000001' } };
const LIMIT_ID = '99999999-9999-4999-8999-999999999999';
const MONTH = monthlyScope('key', 'k', 0);
const OF_LIMITS = LIMIT_MEASURES.map(({ name, isConcurrent }) =>
  nameLimitScope({ limitId: LIMIT_ID, measure: name, partition: '-', window: isConcurrent ? null : 'total', startMs: null }),
);
const SCOPES = [MONTH, BALANCE_SCOPE, ...OF_LIMITS];
const MONEY = [MONTH, BALANCE_SCOPE];
const ATTEMPT: Attempt = {
  ...{ modelId: 'maker/model', providerId: 'maker', upstreamModel: 'model', region: null, prices: CHAT, isByok: false, isFree: false },
};

function makePassport(attempts: Attempt[], hold: PassportHold): Passport {
  return {
    ...{ version: 1, requestId: 'req-1', endpointId: 'chat-completions', admittedAtMs: 900, deadlineMs: 99_000 },
    caller: { organizationId: 'org', apiKeyId: 'key', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    ...{ modelRequested: 'maker/model', stream: false, attempts, originTitle: null, endUserId: null, traceId: null, extra: {} },
    ...{ hold, isStrict: false },
  };
}

/** Numbers that follow from the seed alone. */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('what a hold has spent', () => {
  let ended: UsageEvent[];
  let meter: Meter;

  beforeEach(() => {
    ended = [];
    meter = createMeter({
      now: () => 1_000,
      journal: {
        begin: () => undefined,
        progress: () => undefined,
        end: (_id, rest, facts) => ({ sequence: BigInt(ended.push(usageEvent.parse(JSON.parse(`${facts?.text ?? ''}${rest}`))) - 1) }),
      },
    });
  });

  const usageOf = (dice: (below: number) => number): Usage => ({
    ...NO_USAGE,
    inputUncached: dice(5_000),
    cacheRead: dice(500),
    cacheWrite5m: dice(50),
    cacheWrite1h: dice(9),
    output: dice(900),
  });

  /** A request of some attempts, each of which ends in some way; the last one counts it. */
  function spend(seed: number, scopes: readonly string[]): bigint[] {
    const dice = createDice(seed);
    const attempts = [0, 1, 2].slice(dice(3)).map(() => ({ ...ATTEMPT, prices: dice(3) === 0 ? IMAGES : CHAT, isByok: dice(3) === 0 }));
    const uncounted = attempts.map(() => [...scopes.keys()].filter(() => dice(4) === 0));
    const hold = holdIn(scopes, uncounted);
    const passport = makePassport(attempts, hold);
    const spending = new HoldSpending(hold);
    for (const index of attempts.keys()) {
      const facts: ClosingFacts = {
        usage: dice(5) === 0 ? NO_USAGE : usageOf(dice),
        ...(dice(3) === 0 ? { measured: { image: 1 + dice(4) } } : {}),
        ...(dice(4) === 0 ? { doubted: { usage: usageOf(dice) } } : {}),
        ...(dice(3) === 0 ? { isUncharged: true } : {}),
        ...{ status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: index === attempts.length - 1 },
      };
      spending.add(meter.openAttempt(passport, index, 9).close(facts), facts.isLogical, index);
    }
    return spending.list();
  }

  const holdIn = (scopes: readonly string[], uncounted?: number[][]): PassportHold => ({
    ...{ id: 'h', reservedPico: '1', scopes: [...scopes], bounds: [], beginByMs: 1, isLeased: false },
    ...(uncounted === undefined || scopes === MONEY ? {} : { uncounted }),
  });

  const sum = (events: readonly UsageEvent[], scopes: readonly string[]): bigint[] =>
    events
      .map((event) => spentInScopes(scopes, spendOfEvent(event), event.hold_uncounted))
      .reduce((total, spent) => total.map((amount, at) => amount + (spent[at] ?? 0n)));

  async function register(events: readonly UsageEvent[]): Promise<SettledHold[]> {
    const registered: SettledHold[] = [];
    const store: Pick<HoldStore, 'register'> = { register: (hold) => void registered.push(hold) };
    await registerHeldEnds(
      store,
      (async function* () {
        yield* events;
        await Promise.resolve();
      })(),
    );
    return registered;
  }

  it.each([
    ['money alone', MONEY],
    ['limits of every measure', SCOPES],
  ])('is the sum of its events, whatever became of its attempts: %s', async (_name, scopes) => {
    const seen = new Set<bigint>();
    for (let seed = 0; seed < 500; seed += 1) {
      ended = [];
      const spent = spend(seed, scopes);
      expect(spent).toEqual(sum(ended, scopes));
      expect(await register(ended)).toEqual([{ organizationId: ended[0]?.org_id, holdId: 'h', scopes, spent }]);
      for (const amount of spent) seen.add(amount);
    }
    expect(seen.size).toBeGreaterThan(500);
  });

  it('counts one request where it was sent to a provider, tokens of caches too, and nothing of what runs at a moment', () => {
    const hold = holdIn(OF_LIMITS);
    const passport = makePassport([ATTEMPT], hold);
    const spending = new HoldSpending(hold);
    const usage = { ...NO_USAGE, inputUncached: 10, cacheRead: 200, cacheWrite5m: 3_000, cacheWrite1h: 40_000, output: 7 };
    const facts = { usage, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true } as const;
    spending.add(meter.openAttempt(passport, 0, 9).close(facts), true, 0);
    const byMeasure = Object.fromEntries(LIMIT_MEASURES.map(({ name }, at) => [name, spending.list()[at]]));
    expect(byMeasure).toMatchObject({ requests: 1n, input_tokens: 43_210n, output_tokens: 7n, tokens: 43_217n });
    expect(byMeasure).toMatchObject({ concurrent_requests: 0n, concurrent_streams: 0n });
  });

  it('is registered once the request has ended, and never for requests without a hold', async () => {
    spend(1, SCOPES);
    const [last] = ended.slice(-1);
    if (last === undefined) throw new Error('nothing ended');
    expect(
      await register([
        { ...last, logical: false },
        { ...last, hold_id: null },
      ]),
    ).toEqual([]);
  });

  it('is registered of all organizations but those that the store cannot be asked about; where there are no others, it soon gives up', async () => {
    spend(1, SCOPES);
    const [last] = ended.slice(-1);
    if (last === undefined) throw new Error('nothing ended');
    const asked: string[] = [];
    const report = (away: readonly string[]): Promise<void> =>
      registerHeldEnds(
        {
          register: ({ organizationId }) => {
            asked.push(organizationId);
            return away.includes(organizationId) ? Promise.reject(new Error('away')) : undefined;
          },
        },
        (async function* () {
          for (const org_id of ['a', 'b', 'a', 'c', 'd', 'e', 'c']) yield await Promise.resolve({ ...last, org_id });
        })(),
      );

    await expect(report(['a', 'd'])).rejects.toThrow(/2 organizations/);
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'c']);
    asked.length = 0;
    await expect(report(['a', 'b', 'c', 'd', 'e'])).rejects.toThrow();
    expect(asked).toEqual(['a', 'b', 'c']);
  });
});
