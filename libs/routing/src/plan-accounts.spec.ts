import { makeAttempt } from './__fixtures__/make-attempt';
import { seededRandom } from './__fixtures__/seeded-random';
import { routeOf } from './health/route-key';
import type { AttemptPlan } from './plan-attempts';
import type { RoutedAccount } from './accounts/account-map';
import { planAccounts } from './plan-accounts';

const account = (id: string, weight = 1, more: Partial<RoutedAccount> = {}): RoutedAccount => ({
  ...{ id, weight, region: null, modalities: ['chat'], serves: () => true },
  ...more,
});

type Facts = Parameters<typeof planAccounts>[1];

function planOf(models: readonly string[]): AttemptPlan {
  const [first, ...rest] = models.map((model) => makeAttempt(model));
  if (first === undefined) throw new Error('a plan has an attempt');
  return {
    ...{ requested: first.modelId, beta: null, skipped: [], isSteady: true },
    record: { id: first.modelId, provider: first.providerId } as AttemptPlan['record'],
    attempts: [first, ...rest],
  };
}

function factsOf(accounts: Record<string, RoutedAccount[]>, more: Partial<Facts> = {}, ejected: readonly string[] = []): Facts {
  const health = { isEjected: (route: string) => ejected.includes(route), latencyOf: () => ({ meanMs: 0, samples: 0 }) };
  const catalog = { find: (id: string) => ({ id }) as AttemptPlan['record'] };
  const map = { catalog, health, accounts: { of: (id: string) => accounts[id] ?? [], version: () => accounts } };
  return { map, modality: 'chat', mayUse: () => true, random: seededRandom(7), ...more };
}

const idsOf = (plan: AttemptPlan): (string | undefined)[] => plan.attempts.map(({ accountId }) => accountId);

it('leaves plans alone where there is one key, or one account', () => {
  const plan = planOf(['a/m', 'b/m']);
  expect(planAccounts(plan, factsOf({}))).toBe(plan);
  expect(planAccounts(plan, factsOf({ a: [account('only')] }))).toBe(plan);
});

it('keeps weights over many draws, tries at most three, and says why', () => {
  const facts = factsOf({ a: [account('one', 5), account('two', 3), account('three', 2), account('spare', 0)] });
  const first: Record<string, number> = {};
  const draws = 10_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const plan = planAccounts(planOf(['a/m']), facts);
    expect(plan.attempts).toHaveLength(3);
    const [id = ''] = idsOf(plan);
    first[id] = (first[id] ?? 0) + 1;
  }
  expect(first['spare']).toBeUndefined();
  expect(Math.abs((first['one'] ?? 0) / draws - 0.5)).toBeLessThan(0.02);
  expect(Math.abs((first['two'] ?? 0) / draws - 0.3)).toBeLessThan(0.02);
  const plan = planAccounts(planOf(['a/m']), facts);
  expect([plan.isSteady, plan.attempts[0].why]).toEqual([false, `account ${plan.attempts[0].accountId} of a`]);
});

it('puts those without weight after the others, and ejected ones last', () => {
  const route = routeOf({ ...makeAttempt('a/m'), accountId: 'best' });
  const facts = factsOf({ a: [account('best', 1_000), account('spare', 0), account('other')] }, {}, [route]);
  expect(idsOf(planAccounts(planOf(['a/m']), facts))).toEqual(['other', 'spare', 'best']);
});

it('sends nothing by an account that may not have the data, or does not serve the model', () => {
  const accounts = { a: [account('eu', 1, { region: 'eu' }), account('us', 1, { region: 'us' })] };
  const inEurope = { mayUse: (_: unknown, region: string | null) => region === 'eu' };
  expect(idsOf(planAccounts(planOf(['a/m']), factsOf(accounts, inEurope)))).toEqual(['eu']);
  expect(() => planAccounts(planOf(['a/m']), factsOf(accounts, { mayUse: () => false }))).toThrow('may have the data');
  const others = { a: [account('x', 1, { serves: () => false }), account('y', 1, { modalities: ['embedding'] })] };
  expect(() => planAccounts(planOf(['a/m']), factsOf(others))).toThrow('serves the model');
  expect(idsOf(planAccounts(planOf(['a/m', 'b/m']), factsOf(others)))).toEqual([undefined]);
});

it('stays within ten attempts, keeps each place, tries again at the first account, and leaves organizations’ keys', () => {
  const models = Array.from({ length: 9 }, (_, index) => `a/m${index}`);
  const many = planAccounts(planOf(models), factsOf({ a: [account('x'), account('y'), account('z')] }));
  expect(many.attempts).toHaveLength(10);
  expect(new Set(many.attempts.map(({ modelId }) => modelId)).size).toBe(9);

  const again = planAccounts(planOf(['a/m', 'a/m']), factsOf({ a: [account('x'), account('y')] }));
  expect(idsOf(again)[2]).toBe(idsOf(again)[0]);

  const plan = planOf(['a/m']);
  const own = { ...plan, attempts: [{ ...plan.attempts[0], isByok: true }] } as AttemptPlan;
  expect(planAccounts(own, factsOf({ a: [account('x'), account('y')] }))).toBe(own);
});
