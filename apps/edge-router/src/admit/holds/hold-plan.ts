import type { LimitPlan, PlannedLimit } from '@weir/limits';
import { isShowable } from './show-limits';

/** All limits of one request: those that are settings of its key, and before others; then those of the table. */
export type HoldPlan = LimitPlan & {
  /** Absent where only settings limit it. */
  readonly table?: TablePart;
};

type TablePart = {
  /** Those that are settings: leases are taken of them. */
  readonly settings: LimitPlan;
  /** See PassportHold. */
  readonly uncounted: number[][] | undefined;
  /** None of the table refuses anything. */
  readonly isOnlyCounted: boolean;
  /** Headers of the reply show some of them. */
  readonly isShown: boolean;
};

/** Per list of the table's limits, by the plan of the settings: neither is ever changed, and both are the same for many requests. */
const joined = new WeakMap<readonly PlannedLimit[], WeakMap<LimitPlan, HoldPlan>>();

/** One list for the same two, so that stores may remember what they made of it. */
export function joinPlans(settings: LimitPlan, rules: readonly PlannedLimit[]): HoldPlan {
  if (rules.length === 0) return settings;
  let plans = joined.get(rules);
  if (plans === undefined) joined.set(rules, (plans = new WeakMap()));
  let plan = plans.get(settings);
  if (plan === undefined) plans.set(settings, (plan = join(settings, rules)));
  return plan;
}

function join(settings: LimitPlan, rules: readonly PlannedLimit[]): HoldPlan {
  const limits = [...settings.limits, ...rules];
  return {
    limits,
    scopes: limits.map(({ scope }) => scope),
    table: {
      settings,
      uncounted: listUncounted(limits),
      isOnlyCounted: rules.every(({ max }) => max === null),
      isShown: rules.some(isShowable),
    },
  };
}

/** Per attempt the places of limits that are about other models or providers; undefined where there are none. */
function listUncounted(limits: readonly PlannedLimit[]): number[][] | undefined {
  const attempts = Math.max(0, ...limits.map(({ rule }) => rule?.counted?.length ?? 0));
  const uncounted = Array.from({ length: attempts }, (_, attempt) =>
    limits.flatMap(({ rule }, place) => (rule?.counted?.[attempt] === false ? [place] : [])),
  );
  return uncounted.some((places) => places.length > 0) ? uncounted : undefined;
}
