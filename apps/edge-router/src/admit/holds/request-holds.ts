import type { Principal } from '@weir/access';
import { COUNTING_ENDPOINTS, type Attempt, type AttemptBounds, type EndpointRow, type PassportHold } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';
import {
  HoldsUnavailableError,
  amountFor,
  createLimitPlanner,
  leastFor,
  planRules,
  type BoundRule,
  type BoundedRequest,
  type HoldStore,
  type HoldTruth,
  type LimitPlan,
  type LimitPolicy,
  type PlannedLimit,
  type ReserveAnswer,
  type ReserveRequest,
  type SettledHold,
} from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';
import type { Logger } from '@weir/telemetry';
import { boundPlan, type MediaFiles } from './bound-plan';
import { clampBody, thinkingBudget } from './clamp-body';
import { fitGranted } from './fit-granted';
import { joinPlans, type HoldPlan } from './hold-plan';
import type { LeaseBook } from './lease-book';
import type { LimitRefusal } from './limit-refusal';
import { previewLimits, type LimitPreview } from './preview-limits';
import { refuseLimit } from './refuse-limit';
import { toShownLimit, type ShownLimit } from './show-limits';
import { timeToBegin } from './time-to-begin';

/** What became of requests that a limit applies to. `fallback`: it is tried for another model, and counted again. */
export type HoldOutcome = 'held' | 'clamped' | 'refused' | 'fallback' | 'lease' | 'deny' | 'allow';

/** `about`: the organization. */
type Circuit = <Result>(call: () => Promise<Result>, about?: string) => Promise<Result>;
const runAtOnce: Circuit = (call) => call();

export type RequestHoldsParts = {
  readonly store: HoldStore;
  readonly truth: HoldTruth;
  readonly catalog: ModelCatalog;
  readonly policy: LimitPolicy;
  /** Runs one call to the store: rejects soon when the store is away. Null where it is in this process and cannot be. */
  readonly circuit: Circuit | null;
  /** Null where counters cannot be away. */
  readonly leases: LeaseBook | null;
  readonly holdTtlMs: number;
  readonly count: (outcome: HoldOutcome) => void;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
};

export type HoldAsk = {
  readonly principal: Principal;
  readonly requestId: string;
  readonly endpoint: EndpointRow;
  readonly attempts: readonly Attempt[];
  readonly parsed: ParsedBody;
  readonly bodyBytes: number;
  /** What came as files; absent: nothing did. */
  readonly media?: MediaFiles | undefined;
  /** Those of the table of limits that can bind it; absent: none. */
  readonly bound?: readonly BoundRule[];
  readonly endUserId?: string | null;
  /** A limit that has sent the request to another model: it only counts now. */
  readonly exempt?: string | undefined;
  /** UTC epoch milliseconds; decides the windows it counts in. */
  readonly admittedAtMs: number;
  /** Of the reply. */
  readonly setHeader: (name: string, value: string) => void;
};

export type HeldRequest = {
  readonly hold: PassportHold;
  /** The body with a lower limit of output, when the answer had to be shortened to fit. */
  readonly clampedBody: ParsedBody | null;
  /** What is left of limits that headers of the reply show; absent where none does. */
  readonly shownLimits?: readonly ShownLimit[];
};

export type RequestHolds = {
  /** Sets aside the most that a request can cost, at once where the counters are in this process; null when nothing limits it. Throws the refusal, or rejects with it. */
  hold(ask: HoldAsk): HeldRequest | null | Promise<HeldRequest | null>;
  /** What would happen to a request now; sets nothing aside. Throws `dependency_down` when that cannot be known. */
  preview(ask: HoldAsk, bounded: BoundedRequest): Promise<LimitPreview>;
  /** For what else cannot be counted: lets the request go on where the organization wants that, throws the refusal otherwise. */
  decideWithout(error: unknown, ask: Pick<HoldAsk, 'principal' | 'setHeader'>): void;
  /** Of a request that certainly reached no worker. */
  giveBack(organizationId: string, hold: PassportHold): Promise<void>;
};

const SEED_TRIES = 3;
const LOG_EVERY_MS = 10_000;

export function createRequestHolds(parts: RequestHoldsParts): RequestHolds {
  const reserve = createReserve(parts);
  const decideWithout = createPolicy(parts);
  const planLimits = createLimitPlanner(parts.policy);
  /** Limits that are settings, all of them in money: none for models that cost nothing. */
  const planSettings = ({ principal, attempts, admittedAtMs }: HoldAsk): LimitPlan => {
    if (attempts.every(isFree)) return NO_LIMITS;
    return planLimits(principal.key, { atMs: admittedAtMs, isBilled: !attempts.every(isByok) });
  };
  const settleWith = (held: HoldRequest, answer: ReserveAnswer, ask: HoldAsk): HeldRequest => {
    if (answer.kind === 'held') return toHeld(held, answer, ask, parts);
    const refusal = refuse(held, answer, { atMs: ask.admittedAtMs, nowMs: parts.now() });
    parts.count(refusal.refused.limit.rule?.action === 'fallback' ? 'fallback' : 'refused');
    throw refusal;
  };
  /** For a store that may be away, or has to be seeded first. */
  const reserveAway = async (held: HoldRequest, ask: HoldAsk): Promise<HeldRequest> => {
    const { request, plan, bounded } = held;
    const { organizationId, apiKeyId } = ask.principal.key;
    const lease = { organizationId, apiKeyId, limits: (plan.table?.settings ?? plan).limits };
    let answer: ReserveAnswer;
    try {
      answer = await reserve(request);
      const isNeeded = parts.leases !== null && isRefusedBySetting(answer, plan) && (await parts.leases.release(lease).catch(() => false));
      if (isNeeded) answer = await reserve(request);
    } catch (error) {
      if (!isUnlimited(plan)) decideWithout(error, ask, () => isLeasable(plan) && parts.leases?.spend(lease, bounded.worstPico) === true);
      // The store keeps nothing of it that could expire, and waiting for the store may have used up its time.
      const unkept = { ...held, beginByMs: timeToBegin(parts.now(), parts.holdTtlMs) };
      return { hold: stamp(unkept, { amounts: request.amounts, bounds: bounded.bounds, isLeased: true }), clampedBody: null };
    }
    if (answer.kind === 'held' && lease.limits.length > 0) parts.leases?.take(lease);
    return settleWith(held, answer, ask);
  };
  const setAside = (held: HoldRequest, ask: HoldAsk): HeldRequest | Promise<HeldRequest> => {
    // A store in this process cannot be away. What it has to be seeded for took nothing, and is asked again.
    const answer = parts.circuit === null ? parts.store.reserve(held.request) : undefined;
    return answer === undefined || answer instanceof Promise || answer.kind === 'unseeded'
      ? reserveAway(held, ask)
      : settleWith(held, answer, ask);
  };
  return {
    hold: (ask) => {
      if (COUNTING_ENDPOINTS.has(ask.endpoint.id)) return null;
      const settings = planSettings(ask);
      const rules = planTable(ask);
      if (settings.limits.length === 0 && rules.length === 0) return null;
      const bounded = boundAsk(ask, parts.catalog);
      const plan = joinPlans(bounded.worstPico === 0n ? NO_LIMITS : settings, rules);
      return plan.limits.length === 0 ? null : setAside(describeHold(ask, { plan, bounded }, parts), ask);
    },
    preview: (ask, bounded) => {
      const isCounting = COUNTING_ENDPOINTS.has(ask.endpoint.id);
      const settings = isCounting || bounded.worstPico === 0n ? NO_LIMITS : planSettings(ask);
      const plan = joinPlans(settings, isCounting ? NO_RULES : planTable(ask));
      const { request } = describeHold(ask, { plan, bounded }, parts);
      const at = { atMs: ask.admittedAtMs, nowMs: parts.now() };
      const preview = (): Promise<LimitPreview> => previewLimits({ request, bounded, ...at }, parts);
      return (parts.circuit ?? runAtOnce)(preview, request.organizationId).catch((cause: unknown) => {
        throw new GatewayError('dependency_down', 'Limits cannot be read at the moment. Try again shortly.', {
          cause,
          retryAfterSeconds: 5,
        });
      });
    },
    decideWithout: (error, ask) => decideWithout(error, ask, () => false),
    giveBack: async (organizationId, { id, scopes }) =>
      parts.store.settle({ organizationId, holdId: id, scopes, spent: scopes.map(() => 0n) }),
  };
}

const NO_RULES: readonly PlannedLimit[] = [];
const NO_LIMITS: LimitPlan = { limits: [], scopes: [] };

/** Limits of the table, the same list for requests that they bind alike. */
function planTable({ bound, admittedAtMs, endUserId = null, parsed, exempt }: HoldAsk): readonly PlannedLimit[] {
  if (bound === undefined || bound.length === 0) return NO_RULES;
  const request = { atMs: admittedAtMs, endUserId, isStream: parsed.json['stream'] === true };
  return planRules(bound, exempt === undefined ? request : { ...request, exempt });
}

function describeHold(
  ask: HoldAsk,
  { plan, bounded }: Pick<HoldRequest, 'plan' | 'bounded'>,
  { holdTtlMs: ttlMs, now }: Pick<RequestHoldsParts, 'holdTtlMs' | 'now'>,
): HoldRequest {
  const { limits, table } = plan;
  const amounts = limits.map((limit) => (limit.rule === undefined ? bounded.worstPico : amountFor(limit, bounded)));
  const request = {
    organizationId: ask.principal.key.organizationId,
    holdId: ask.requestId,
    ttlMs,
    limits,
    amounts,
    leasts: isClampable(ask) ? limits.map((limit) => (limit.rule === undefined ? bounded.leastPico : leastFor(limit, bounded))) : amounts,
    isShown: table?.isShown === true,
  };
  return { request, plan, bounded, beginByMs: timeToBegin(now(), ttlMs) };
}

/** Nothing that binds it would have refused it. */
function isUnlimited({ table }: HoldPlan): boolean {
  return table?.isOnlyCounted === true && table.settings.limits.length === 0;
}

/** Leases are of money: they stand in for nothing else that could have refused the request. */
function isLeasable({ table }: HoldPlan): boolean {
  return table === undefined || table.isOnlyCounted;
}

function isRefusedBySetting(answer: ReserveAnswer, { limits }: HoldPlan): boolean {
  return answer.kind === 'refused' && limits.find(({ scope }) => scope === answer.scope)?.rule === undefined;
}

const isFree = (attempt: Attempt): boolean => attempt.isFree;
const isByok = (attempt: Attempt): boolean => attempt.isByok;

function boundAsk({ principal, endpoint, attempts, parsed, bodyBytes, media }: HoldAsk, catalog: ModelCatalog): BoundedRequest {
  const isEachCharged = principal.key.organization.chargesFailedAttempts === true;
  return boundPlan({ endpoint, attempts, json: parsed.json, bodyBytes, media, isEachCharged }, catalog);
}

function isClampable({ principal, endpoint, parsed }: HoldAsk): boolean {
  return principal.key.organization.isClampedToLimit && endpoint.dialect !== undefined && thinkingBudget(parsed.json) === 0;
}

/** Reserves, and gives the store what was spent in the scopes that it asks for. */
function createReserve({ store, truth, circuit: given }: RequestHoldsParts): (request: ReserveRequest) => Promise<ReserveAnswer> {
  const circuit = given ?? runAtOnce;
  return async (request) => {
    for (let tries = 1; ; tries += 1) {
      let isAsked = false;
      const ask = async (): Promise<ReserveAnswer> => {
        isAsked = true;
        return store.reserve(request);
      };
      const answer = await circuit(ask, request.organizationId).catch((error: unknown) => {
        if (error instanceof HoldsUnavailableError) throw error;
        // It may have been done all the same: what was set aside is given back behind it, on the same connection.
        if (isAsked) store.settle(nothingSpent(request))?.catch(() => undefined);
        throw new HoldsUnavailableError('the counters did not answer', { cause: error });
      });
      if (answer.kind !== 'unseeded') return answer;
      if (tries === SEED_TRIES) throw new HoldsUnavailableError('the counters do not keep what is written to them');
      const { scopes, generation } = answer;
      const bases = await truth.readBases(request.organizationId, scopes).catch((cause: unknown) => {
        throw new HoldsUnavailableError('what was spent cannot be read', { cause });
      });
      await circuit(() => store.seed(request.organizationId, bases, generation), request.organizationId);
    }
  };
}

function nothingSpent({ organizationId, holdId, limits }: ReserveRequest): SettledHold {
  return { organizationId, holdId, scopes: limits.map(({ scope }) => scope), spent: limits.map(() => 0n) };
}

/** Decides by the organization's policy what happens while counters are out of reach, and never leaves in doubt which acted. */
function createPolicy({ count, log, now }: RequestHoldsParts) {
  let loggedAtMs = -Infinity;
  return (error: unknown, { principal, setHeader }: Pick<HoldAsk, 'principal' | 'setHeader'>, spendLease: () => boolean): void => {
    const { limitsUnavailable: policy } = principal.key.organization;
    const isLet = policy === 'allow' || (policy === 'lease' && spendLease());
    const outcome = isLet ? policy : 'deny';
    count(outcome);
    setHeader('x-weir-limits-unavailable', outcome);
    if (now() - loggedAtMs >= LOG_EVERY_MS) {
      loggedAtMs = now();
      log.warn({ error, organizationId: principal.key.organizationId, policy, outcome }, 'the counters of limits are out of reach');
    }
    if (isLet) return;
    throw new GatewayError(
      'dependency_down',
      'Limits cannot be checked at the moment, so limited requests are not served. Try again shortly.',
      {
        cause: error,
        retryAfterSeconds: 5,
      },
    );
  };
}

/** A request for what is set aside, with what it was made from. */
type HoldRequest = {
  readonly request: ReserveRequest & { readonly limits: readonly PlannedLimit[] };
  readonly plan: HoldPlan;
  readonly bounded: BoundedRequest;
  /** Of the moment before the store is asked: however late its reply is read, the hold has not begun to expire earlier. */
  readonly beginByMs: number;
};

type Answered = Exclude<ReserveAnswer, { kind: 'held' }>;
type Granted = Extract<ReserveAnswer, { kind: 'held' }>;
type Moment = { readonly atMs: number; readonly nowMs: number };

function refuse({ request: { limits, amounts } }: HoldRequest, answer: Answered, moment: Moment): LimitRefusal {
  const scope = answer.kind === 'refused' ? answer.scope : answer.scopes[0];
  const place = Math.max(
    0,
    limits.findIndex((each) => each.scope === scope),
  );
  const remaining = answer.kind === 'refused' ? answer.remaining : 0n;
  return refuseLimit({ limit: limits[place] as PlannedLimit, remaining, asked: amounts[place] ?? 0n, ...moment });
}

function toHeld(held: HoldRequest, answer: Granted, { endpoint, parsed, setHeader }: HoldAsk, parts: RequestHoldsParts): HeldRequest {
  const { request, bounded } = held;
  const { amounts } = answer;
  const tokens = amounts === request.amounts ? bounded.outputTokens : fitGranted(request, amounts, bounded);
  const shown = answer.remaining === undefined ? undefined : { shownLimits: listShownLimits(request.limits, answer.remaining) };
  if (tokens >= bounded.outputTokens || endpoint.dialect === undefined) {
    parts.count('held');
    return { hold: stamp(held, { amounts, bounds: bounded.bounds, isLeased: false }), clampedBody: null, ...shown };
  }
  parts.count('clamped');
  setHeader('x-weir-max-tokens-clamped', String(tokens));
  return {
    hold: stamp(held, { amounts, bounds: bounded.boundsAt(tokens), isLeased: false }),
    clampedBody: clampBody(parsed, endpoint.dialect, tokens),
    ...shown,
  };
}

function listShownLimits(limits: readonly PlannedLimit[], remaining: readonly (bigint | null)[]): ShownLimit[] {
  return limits.flatMap((limit, place) => toShownLimit(limit, remaining[place] ?? null) ?? []);
}

type Stamping = { readonly amounts: readonly bigint[]; readonly bounds: readonly AttemptBounds[]; readonly isLeased: boolean };

function stamp(
  { request, plan: { scopes, table }, bounded, beginByMs }: HoldRequest,
  { amounts, bounds, isLeased }: Stamping,
): PassportHold {
  // Settings are first, and all of them are in money.
  const isMoneyHeld = table === undefined || table.settings.limits.length > 0;
  const hold: PassportHold = {
    id: request.holdId,
    reservedPico: ((isMoneyHeld ? amounts[0] : undefined) ?? bounded.worstPico).toString(),
    // As they are: neither list is ever changed.
    scopes: scopes as string[],
    bounds: bounds as AttemptBounds[],
    beginByMs,
    isLeased,
  };
  if (table === undefined) return hold;
  hold.amounts = amounts.map(String);
  if (table.uncounted !== undefined) hold.uncounted = table.uncounted;
  return hold;
}
