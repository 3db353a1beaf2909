import type { OrganizationRule } from '@weir/access';
import { LIMIT_ACTIONS, LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS, type LimitDocument, type LimitMeasure } from '@weir/contracts';
import { parseUsd } from '@weir/pricing';

/** Makes a predicate from patterns; the catalogue provides it, so that patterns mean the same as in access lists. */
type CreateMatcher = (patterns: readonly string[]) => (id: string) => boolean;

export type LimitRuleOptions = { readonly createMatcher: CreateMatcher; readonly timeZone: string };

/** One limit of an organization, ready to be compared with requests. */
export type LimitRule = {
  readonly limitId: string;
  readonly name: string;
  readonly document: LimitDocument;
  /** In the unit of its measure. */
  readonly amount: bigint;
  /** Null: any. */
  readonly matchesModel: ((modelId: string) => boolean) | null;
  readonly matchesProvider: ((providerId: string) => boolean) | null;
  readonly timeZone: string;
  /** It counts from then on. */
  readonly createdAtMs: number;
};

type Read = { readonly timeZone: string; readonly rules: readonly LimitRule[] };

/** Rules stay the same objects for as long as they stand; so does what is made of them. */
const known = new WeakMap<readonly OrganizationRule[], Read>();

/** The limits of an organization; made once for a list of rules. */
export function readLimitRules(rules: readonly OrganizationRule[], options: LimitRuleOptions): readonly LimitRule[] {
  if (rules.length === 0) return NO_RULES;
  let read = known.get(rules);
  if (read?.timeZone !== options.timeZone) {
    read = { timeZone: options.timeZone, rules: rules.filter(isUnderstood).map((rule) => readLimitRule(rule, options)) };
    known.set(rules, read);
  }
  return read.rules;
}

const NO_RULES: readonly LimitRule[] = [];

function readLimitRule(
  { id, name, document, createdAtMs = 0 }: OrganizationRule,
  { createMatcher, timeZone }: LimitRuleOptions,
): LimitRule {
  // What was written was checked then.
  const limit = document as LimitDocument;
  const matcherOf = (patterns: readonly string[] | undefined) => (patterns === undefined ? null : createMatcher(patterns));
  return {
    limitId: id,
    name,
    document: limit,
    amount: amountOf(limit.measure, limit.amount),
    matchesModel: matcherOf(limit.models),
    matchesProvider: matcherOf(limit.providers),
    timeZone,
    createdAtMs,
  };
}

/** The amount of a limit in the unit of its measure: pico-dollars, requests, tokens. */
export function amountOf(measure: LimitMeasure, amount: string): bigint {
  return measure === 'usd' ? parseUsd(amount) : BigInt(amount);
}

/** While gateways are replaced, a newer one may have written a limit of a kind that is not known here. Callers see by the number of rules that one was left out. */
function isUnderstood({ document }: OrganizationRule): boolean {
  const { scope, measure, window, action } = document as Partial<LimitDocument>;
  const isIn = (rows: readonly { readonly name: string }[], name: string | undefined): boolean => rows.some((row) => row.name === name);
  return (
    isIn(LIMIT_SCOPES, scope) &&
    isIn(LIMIT_MEASURES, measure) &&
    isIn(LIMIT_ACTIONS, action) &&
    (window === undefined || isIn(LIMIT_WINDOWS, window))
  );
}
