import type { KeyRecord } from '@weir/access';
import { makeKeyRecord } from '@weir/testing';
import { createLimitPlanner, planLimits } from './plan-limits';
import { monthlyScope, parseScope, scopeExpiry } from '../holds/scope-name';

const AT = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const NO_LIMITS = {
  monthlyLimitPico: null,
  monthlyBudgetPico: null,
  budgetPerUserPico: null,
  memberLimitPico: null,
  memberBudgetPico: null,
};

const makeKey: typeof makeKeyRecord = (changes, settings) =>
  makeKeyRecord({ apiKeyId: 'k', organizationId: 'o', userId: 'u', groupId: 'g', groupLimits: NO_LIMITS, ...changes }, settings);

const plan = (key: KeyRecord, more: { isBilled?: boolean; isBalanceRequired?: boolean } = {}) =>
  planLimits(key, { atMs: AT, isBilled: more.isBilled ?? true }, { isBalanceRequired: more.isBalanceRequired ?? false }).map(
    ({ scope, max }) => `${scope} ${max}`,
  );

describe('the limits of a request', () => {
  it.each<[string, string[], KeyRecord]>([
    ['an unlimited key has none', [], makeKey()],
    ['a limit of zero is none', [], makeKey({ monthlyLimitPico: 0n })],
    ['of the key', ['key:k:2026-11 5'], makeKey({ monthlyLimitPico: 5n })],
    [
      'of the group, for each member in Global mode',
      ['group_member:g/u:2026-11 7'],
      makeKey({ groupLimits: { ...NO_LIMITS, monthlyLimitPico: 7n } }),
    ],
    [
      'of the member before that of the group',
      ['group_member:g/u:2026-11 3'],
      makeKey({ groupLimits: { ...NO_LIMITS, monthlyLimitPico: 7n, memberLimitPico: 3n, memberBudgetPico: 1n } }),
    ],
    ['not of budgets in Global mode', [], makeKey({ groupLimits: { ...NO_LIMITS, monthlyBudgetPico: 7n, budgetPerUserPico: 3n } })],
    [
      'of the group as a whole and per user in Group mode',
      ['group_member:g/u:2026-11 3', 'group:g:2026-11 7'],
      makeKey(
        { groupLimits: { ...NO_LIMITS, monthlyLimitPico: 1n, monthlyBudgetPico: 7n, budgetPerUserPico: 3n } },
        { budgetMode: 'group' },
      ),
    ],
    [
      'of the member’s own budget before the group’s per user',
      ['group_member:g/u:2026-11 4'],
      makeKey({ groupLimits: { ...NO_LIMITS, budgetPerUserPico: 3n, memberBudgetPico: 4n, memberLimitPico: 9n } }, { budgetMode: 'group' }),
    ],
    [
      'of a member’s old limit until a budget replaces it',
      ['group_member:g/u:2026-11 9'],
      makeKey({ groupLimits: { ...NO_LIMITS, budgetPerUserPico: 3n, memberLimitPico: 9n } }, { budgetMode: 'group' }),
    ],
    [
      'a key of no one in a group falls under the total only',
      ['group:g:2026-11 7'],
      makeKey({ userId: null, groupLimits: { ...NO_LIMITS, monthlyBudgetPico: 7n, budgetPerUserPico: 3n } }, { budgetMode: 'group' }),
    ],
    ['of what the organization was given', ['balance 11'], makeKey({}, { creditPico: 11n })],
    ['of a balance that was taken back', ['balance 0'], makeKey({}, { creditPico: 0n })],
  ])('%s', (_name, expected, key) => {
    expect(plan(key)).toEqual(expected);
  });

  it('a balance is asked for only where it must be, and never for the caller’s own provider keys', () => {
    expect(plan(makeKey(), { isBalanceRequired: true })).toEqual(['balance 0']);
    expect(plan(makeKey({ monthlyLimitPico: 5n }, { creditPico: 11n }), { isBilled: false, isBalanceRequired: true })).toEqual([
      'key:k:2026-11 5',
    ]);
  });

  it('belong to the month of admission, to its last millisecond', () => {
    expect(monthlyScope('key', 'k', AT)).toBe('key:k:2026-11');
    expect(monthlyScope('key', 'k', AT + 1)).toBe('key:k:2026-12');
    expect(parseScope('group_member:g/u:2026-11')).toEqual({ kind: 'group_member', id: 'g/u', monthStartMs: Date.UTC(2026, 10, 1) });
    expect(scopeExpiry('key:k:2026-12')).toBe(Date.UTC(2027, 1, 10));
    expect(scopeExpiry('balance')).toBeNull();
    expect(parseScope('lease:x')).toBeUndefined();
  });
});

describe('plans that are remembered', () => {
  const policy = { isBalanceRequired: false };

  it('are the same while key and month are, and apart for who pays', () => {
    const planOf = createLimitPlanner(policy);
    const key = makeKey({ monthlyLimitPico: 5n }, { creditPico: 9n });
    const first = planOf(key, { atMs: AT, isBilled: true });
    expect(first.limits).toEqual(planLimits(key, { atMs: AT, isBilled: true }, policy));
    expect(first.scopes).toEqual(['key:k:2026-11', 'balance']);
    expect(planOf(key, { atMs: AT - 1, isBilled: true })).toBe(first);
    expect(planOf(key, { atMs: AT, isBilled: false }).scopes).toEqual(['key:k:2026-11']);
    expect(planOf(key, { atMs: AT, isBilled: true }).limits).toBe(first.limits);
    expect(planOf(key, { atMs: AT + 1, isBilled: true }).scopes).toEqual(['key:k:2026-12', 'balance']);
    expect(planOf(key, { atMs: AT, isBilled: true }).scopes).toEqual(first.scopes);
    expect(planOf({ ...key, monthlyLimitPico: 6n }, { atMs: AT, isBilled: true }).limits[0]).toMatchObject({ max: 6n });
  });
});
