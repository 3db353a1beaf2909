import type { Principal } from '@weir/access';
import { COUNTING_ENDPOINTS, type Attempt, type AttemptBounds, type EndpointRow, type PassportHold } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';
import {
  CLAMPED_TOKENS_MIN,
  HoldsUnavailableError,
  createLimitPlanner,
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
import type { LeaseBook } from './lease-book';
import { previewLimits, type LimitPreview } from './preview-limits';
import { refuseLimit } from './refuse-limit';

/** What became of requests that a limit applies to. */
export type HoldOutcome = 'held' | 'clamped' | 'refused' | 'lease' | 'deny' | 'allow';

type Circuit = <Result>(call: () => Promise<Result>) => Promise<Result>;
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
  /** UTC epoch milliseconds; decides the month. */
  readonly admittedAtMs: number;
  /** Of the reply. */
  readonly setHeader: (name: string, value: string) => void;
};

export type HeldRequest = {
  readonly hold: PassportHold;
  /** The body with a lower limit of output, when the answer had to be shortened to fit. */
  readonly clampedBody: ParsedBody | null;
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

/** A hold must be begun while it cannot have expired yet, whatever clocks differ by. */
const BEGIN_SHARE = 2 / 3;
const SEED_TRIES = 3;
const LOG_EVERY_MS = 10_000;

export function createRequestHolds(parts: RequestHoldsParts): RequestHolds {
  const reserve = createReserve(parts);
  const decideWithout = createPolicy(parts);
  const planLimits = createLimitPlanner(parts.policy);
  /** None for an endpoint or models that cost nothing. */
  const plan = ({ principal, endpoint, attempts, admittedAtMs }: HoldAsk): LimitPlan => {
    if (COUNTING_ENDPOINTS.has(endpoint.id) || attempts.every(isFree)) return NO_LIMITS;
    return planLimits(principal.key, { atMs: admittedAtMs, isBilled: !attempts.every(isByok) });
  };
  const settleWith = (held: HoldRequest, answer: ReserveAnswer, ask: HoldAsk): HeldRequest => {
    const { request, scopes, bounded } = held;
    if (answer.kind === 'held') return toHeld({ request, scopes, bounded, amountPico: answer.amountPico }, ask, parts);
    parts.count('refused');
    throw refuse(answer, request.limits, bounded);
  };
  /** For a store that may be away, or has to be seeded first. */
  const reserveAway = async (held: HoldRequest, ask: HoldAsk): Promise<HeldRequest> => {
    const { request, scopes, bounded } = held;
    const { organizationId, apiKeyId } = ask.principal.key;
    const lease = { organizationId, apiKeyId, limits: request.limits };
    let answer: ReserveAnswer;
    try {
      answer = await reserve(request);
      const isNeeded = answer.kind === 'refused' && parts.leases !== null && (await parts.leases.release(lease).catch(() => false));
      if (isNeeded) answer = await reserve(request);
    } catch (error) {
      decideWithout(error, ask, () => parts.leases?.spend(lease, bounded.worstPico) === true);
      return { hold: stamp({ request, scopes, bounds: bounded.bounds, isLeased: true }, parts), clampedBody: null };
    }
    if (answer.kind === 'held') parts.leases?.take(lease);
    return settleWith(held, answer, ask);
  };
  const setAside = (ask: HoldAsk, { limits, scopes }: LimitPlan): HeldRequest | null | Promise<HeldRequest | null> => {
    const bounded = boundAsk(ask, parts.catalog);
    if (bounded.worstPico === 0n) return null;
    const request = {
      organizationId: ask.principal.key.organizationId,
      holdId: ask.requestId,
      amountPico: bounded.worstPico,
      leastPico: isClampable(ask) ? bounded.leastPico : bounded.worstPico,
      ttlMs: parts.holdTtlMs,
      limits,
    };
    const held = { request, scopes, bounded };
    // A store in this process cannot be away. What it has to be seeded for took nothing, and is asked again.
    const answer = parts.circuit === null ? parts.store.reserve(request) : undefined;
    return answer === undefined || answer instanceof Promise || answer.kind === 'unseeded'
      ? reserveAway(held, ask)
      : settleWith(held, answer, ask);
  };
  return {
    hold: (ask) => {
      const limited = plan(ask);
      return limited.limits.length === 0 ? null : setAside(ask, limited);
    },
    preview: (ask, bounded) => {
      const { organizationId } = ask.principal.key;
      const { limits } = bounded.worstPico === 0n ? NO_LIMITS : plan(ask);
      return (parts.circuit ?? runAtOnce)(() =>
        previewLimits({ organizationId, limits, bounded, isClampable: isClampable(ask) }, parts),
      ).catch((cause: unknown) => {
        throw new GatewayError('dependency_down', 'Limits cannot be read at the moment. Try again shortly.', {
          cause,
          retryAfterSeconds: 5,
        });
      });
    },
    decideWithout: (error, ask) => decideWithout(error, ask, () => false),
    giveBack: async (organizationId, { id, scopes }) =>
      parts.store.settle({ organizationId, holdId: id, scopes, spentPico: scopes.map(() => 0n) }),
  };
}

const NO_LIMITS: LimitPlan = { limits: [], scopes: [] };
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
      const answer = await circuit(ask).catch((error: unknown) => {
        if (error instanceof HoldsUnavailableError) throw error;
        // It may have been done all the same: what was set aside is given back behind it, on the same connection.
        if (isAsked) store.settle(nothingSpent(request))?.catch(() => undefined);
        throw new HoldsUnavailableError('the counters did not answer', { cause: error });
      });
      if (answer.kind !== 'unseeded') return answer;
      if (tries === SEED_TRIES) throw new HoldsUnavailableError('the counters do not keep what is written to them');
      const bases = await truth.readBases(request.organizationId, answer.scopes).catch((cause: unknown) => {
        throw new HoldsUnavailableError('what was spent cannot be read', { cause });
      });
      await circuit(() => store.seed(request.organizationId, bases));
    }
  };
}

function nothingSpent({ organizationId, holdId, limits }: ReserveRequest): SettledHold {
  return { organizationId, holdId, scopes: limits.map(({ scope }) => scope), spentPico: limits.map(() => 0n) };
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

/** A request for money, with what it was made from. */
type HoldRequest = {
  readonly request: ReserveRequest & { readonly limits: readonly PlannedLimit[] };
  readonly scopes: readonly string[];
  readonly bounded: BoundedRequest;
};

type Answered = Exclude<ReserveAnswer, { kind: 'held' }>;

function refuse(answer: Answered, limits: readonly PlannedLimit[], { worstPico }: BoundedRequest): GatewayError {
  const scope = answer.kind === 'refused' ? answer.scope : answer.scopes[0];
  const limit = limits.find((each) => each.scope === scope) ?? (limits[0] as PlannedLimit);
  return refuseLimit({ limit, worstPico, remainingPico: answer.kind === 'refused' ? answer.remainingPico : 0n });
}

type Granted = HoldRequest & { readonly amountPico: bigint };

function toHeld(
  { request, scopes, bounded, amountPico }: Granted,
  { endpoint, parsed, setHeader }: HoldAsk,
  parts: RequestHoldsParts,
): HeldRequest {
  const tokens = amountPico < bounded.worstPico ? Math.max(CLAMPED_TOKENS_MIN, bounded.fitOutput(amountPico)) : bounded.outputTokens;
  if (tokens >= bounded.outputTokens || endpoint.dialect === undefined) {
    parts.count('held');
    return { hold: stamp({ request, scopes, amountPico, bounds: bounded.bounds, isLeased: false }, parts), clampedBody: null };
  }
  parts.count('clamped');
  setHeader('x-weir-max-tokens-clamped', String(tokens));
  const bounds = bounded.boundsAt(tokens);
  return {
    hold: stamp({ request, scopes, amountPico, bounds, isLeased: false }, parts),
    clampedBody: clampBody(parsed, endpoint.dialect, tokens),
  };
}

type Stamping = {
  readonly request: ReserveRequest;
  readonly scopes: readonly string[];
  readonly bounds: readonly AttemptBounds[];
  readonly amountPico?: bigint;
  readonly isLeased: boolean;
};

function stamp(
  { request, scopes, bounds, amountPico = request.amountPico, isLeased }: Stamping,
  { holdTtlMs, now }: RequestHoldsParts,
): PassportHold {
  return {
    id: request.holdId,
    reservedPico: amountPico.toString(),
    // As they are: neither list is ever changed.
    scopes: scopes as string[],
    bounds: bounds as AttemptBounds[],
    beginByMs: Math.floor(now() + holdTtlMs * BEGIN_SHARE),
    isLeased,
  };
}
