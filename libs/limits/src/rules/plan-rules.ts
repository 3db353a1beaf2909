import { nameLimitScope } from '../holds/limit-scope';
import { findWindow, type WindowPlace } from '../windows/find-window';
import { bearerOfEndUser, type Bearer, type BoundRule } from './bind-rules';
import type { PlannedLimit } from './planned-limit';

export type LimitedRequest = {
  /** When it was admitted. */
  readonly atMs: number;
  readonly endUserId: string | null;
  readonly isStream: boolean;
  /** A limit that only counts this request: its fallback is what is planned. */
  readonly exempt?: string | undefined;
};

/** What was planned for one kind of request, for as long as no window ends. */
type Plan = Omit<LimitedRequest, 'atMs'> & { readonly fromMs: number; readonly untilMs: number; readonly limits: readonly PlannedLimit[] };

type Plans = {
  readonly byRequest: Map<string, Plan>;
  latest: Plan | undefined;
  readonly asksEndUser: boolean;
  readonly asksStream: boolean;
};

/** End users of one prepared call whose plans are remembered. */
const PLANS_MAX = 64;
const NO_LIMITS: readonly PlannedLimit[] = [];
const known = new WeakMap<readonly BoundRule[], Plans>();

/** The limits that bind a request. The same list while windows, end user and whether it streams are the same, so that stores may remember it. */
export function planRules(bound: readonly BoundRule[], request: LimitedRequest): readonly PlannedLimit[] {
  if (bound.length === 0) return NO_LIMITS;
  let plans = known.get(bound);
  if (plans === undefined) known.set(bound, (plans = openPlans(bound)));
  const asked = narrow(request, plans);
  if (plans.latest === undefined || !isFor(plans.latest, asked)) plans.latest = findPlan(bound, plans, asked);
  return plans.latest.limits;
}

/** What of a request makes a difference. */
function narrow({ atMs, endUserId, isStream, exempt }: LimitedRequest, { asksEndUser, asksStream }: Plans): LimitedRequest {
  return { atMs, endUserId: asksEndUser && endUserId !== '' ? endUserId : null, isStream: asksStream && isStream, exempt };
}

/** The ones that were not asked for the longest are forgotten first. */
function findPlan(bound: readonly BoundRule[], { byRequest }: Plans, asked: LimitedRequest): Plan {
  const name = JSON.stringify([asked.endUserId, asked.isStream, asked.exempt]);
  const remembered = byRequest.get(name);
  const plan = remembered !== undefined && isFor(remembered, asked) ? remembered : makePlan(bound, asked);
  byRequest.delete(name);
  byRequest.set(name, plan);
  if (byRequest.size > PLANS_MAX) {
    for (const oldest of byRequest.keys()) {
      byRequest.delete(oldest);
      break;
    }
  }
  return plan;
}

function isFor(plan: Plan, { atMs, endUserId, isStream, exempt }: LimitedRequest): boolean {
  const isSame = plan.endUserId === endUserId && plan.isStream === isStream && plan.exempt === exempt;
  return isSame && atMs >= plan.fromMs && atMs < plan.untilMs;
}

function openPlans(bound: readonly BoundRule[]): Plans {
  return {
    byRequest: new Map(),
    latest: undefined,
    asksEndUser: bound.some(({ bearer }) => bearer === null),
    asksStream: bound.some(({ rule }) => rule.document.measure === 'concurrent_streams'),
  };
}

function makePlan(bound: readonly BoundRule[], { atMs, ...asked }: LimitedRequest): Plan {
  const limits: PlannedLimit[] = [];
  let fromMs = -Infinity;
  let untilMs = Infinity;
  for (const each of bound) {
    const { document, timeZone } = each.rule;
    if (document.measure === 'concurrent_streams' && !asked.isStream) continue;
    const bearer = each.bearer ?? (asked.endUserId === null ? undefined : bearerOfEndUser(each.rule, asked.endUserId));
    if (bearer === undefined) continue;
    const place = document.window === undefined ? null : findWindow(document.window, atMs, timeZone);
    limits.push(planRule(each, { bearer, place, isExempt: each.rule.limitId === asked.exempt }));
    if (place === null) continue;
    fromMs = Math.max(fromMs, place.startMs);
    untilMs = Math.min(untilMs, place.endMs);
  }
  return { ...asked, fromMs, untilMs, limits: limits.length === 0 ? NO_LIMITS : limits };
}

type RulePlace = { readonly bearer: Bearer; readonly place: WindowPlace | null; readonly isExempt: boolean };

function planRule({ rule, counted }: BoundRule, { bearer: { partition, about }, place, isExempt }: RulePlace): PlannedLimit {
  const { limitId, name, amount, createdAtMs, document } = rule;
  const { scope, measure, window = null, action, fallback_model: fallbackModel = null } = document;
  const nameAt = (startMs: number | null): string => nameLimitScope({ limitId, measure, partition, window, startMs });
  const past = pastSteps(place, createdAtMs).map(nameAt);
  return {
    scope: nameAt(place?.startMs ?? null),
    max: action === 'alert' || isExempt ? null : amount,
    ...(past.length === 0 ? {} : { past }),
    kind: 'limit',
    rule: { limitId, name, scope, measure, window, about, amount, freesAtMs: place?.endMs ?? null, action, fallbackModel, counted },
  };
}

/** Nothing was counted before the limit was made. */
function pastSteps(place: WindowPlace | null, createdAtMs: number): readonly number[] {
  if (place === null) return [];
  const stepMs = place.endMs - place.startMs;
  return place.pastStartsMs.filter((startMs) => startMs + stepMs > createdAtMs);
}
