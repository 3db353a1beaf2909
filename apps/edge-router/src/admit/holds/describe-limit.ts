import type { LimitMeasure, LimitScope, LimitWindow } from '@weir/contracts';
import { invariant } from '@weir/errors';
import type { LimitKind, PlannedLimit, PlannedRule } from '@weir/limits';
import { formatUsd } from '@weir/pricing';

/** What a limit is, in the words of the tables of limits. */
export type DescribedLimit = {
  /** Null for limits that are settings of a key, a group, a member or the organization. */
  readonly id: string | null;
  readonly name: string;
  readonly scope: LimitScope;
  readonly about: string;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  readonly freesAtMs: number | null;
};

type BuiltIn = Pick<DescribedLimit, 'name' | 'scope' | 'about'>;

/** Limits that are settings, as rows of the table. */
export const BUILT_IN_LIMITS = {
  key: { name: 'monthly limit of the key', scope: 'key', about: 'this API key' },
  group_member: { name: 'monthly limit of the member', scope: 'member', about: 'this member of the group' },
  group: { name: 'monthly budget of the group', scope: 'group', about: 'the group of this API key' },
  balance: { name: 'balance', scope: 'organization', about: 'the organization' },
  member_rate: { name: 'requests a minute of the member', scope: 'member', about: 'this member, over all of their keys' },
  free_models: { name: 'requests to free models', scope: 'organization', about: 'the organization' },
} as const satisfies Record<string, BuiltIn>;

export function describeLimit(limit: PlannedLimit, atMs: number): DescribedLimit {
  if (limit.rule !== undefined) return describeRule(limit.rule);
  const setting = settingOf(limit.kind);
  const isMonth = setting !== 'balance';
  return {
    ...{ id: null, ...BUILT_IN_LIMITS[setting], measure: 'usd' },
    window: isMonth ? 'month' : 'total',
    freesAtMs: isMonth ? startOfNextMonth(atMs) : null,
  };
}

/** Those of the table have a rule. */
function settingOf(kind: LimitKind): Exclude<LimitKind, 'limit'> {
  invariant(kind !== 'limit', 'a limit of the table was planned with its rule');
  return kind;
}

function describeRule({ limitId, name, scope, about, measure, window, freesAtMs }: PlannedRule): DescribedLimit {
  return { id: limitId, name, scope, about, measure, window, freesAtMs };
}

/** In UTC, which settings go by. */
function startOfNextMonth(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

/** Exact, in the unit of its measure. */
export function formatAmount(measure: LimitMeasure, amount: bigint): string {
  return measure === 'usd' ? formatUsd(amount) : amount.toString();
}

/** Limits that are settings have had names of their own in plans and estimates since before there was a table. */
const SETTING_SCOPES = { key: 'api_key', group_member: 'group_member', group: 'group', balance: 'organization_balance' } as const;

type NamedLimit = { readonly id: string | null; readonly name: string | null; readonly scope: string } & Pick<
  DescribedLimit,
  'measure' | 'window'
>;

/** A limit, as plans and estimates name it. */
export function namePlannedLimit({ rule, kind }: PlannedLimit): NamedLimit {
  if (rule !== undefined) {
    const { limitId, name, scope, measure, window } = rule;
    return { id: limitId, name, scope, measure, window };
  }
  const setting = settingOf(kind);
  return { id: null, name: null, scope: SETTING_SCOPES[setting], measure: 'usd', window: setting === 'balance' ? 'total' : 'month' };
}

/** Also where it only counts. */
export function amountOfLimit({ rule, max }: PlannedLimit): bigint {
  return rule?.amount ?? max ?? 0n;
}
