import { checkPermission, readCredential, type Authenticator, type ModelGuard, type Principal } from '@weir/access';
import type { EndpointRow, Passport } from '@weir/contracts';
import { GatewayError, toGatewayError } from '@weir/errors';
import { checkPricedMembers, type RateLimiter } from '@weir/limits';
import type { RequestScope } from '@weir/http-server';
import { redactSecrets } from '@weir/telemetry';
import type { IncomingMessage } from 'node:http';
import { Admission } from './admission';
import { checkCallerLoad, checkPlanLoad } from './check-load';
import { checkMediaType } from './check-media-type';
import { checkRates } from './check-rates';
import { claimTurn } from './claim-turn';
import { explainFallback, findFallback, refuseFallback } from './fallback-model';
import { createReplayAsk } from './create-replay-ask';
import type { ContentKeeper } from '../contents/create-content-keeper';
import type { Replays } from '../replay/replays';
import type { HeldRequest, HoldAsk, RequestHolds } from './holds/request-holds';
import { showLimits, showRefused } from './holds/show-limits';
import type { PreparedCall, PreparedCalls } from './prepared-calls';
import { receiveRequest, translateRequest, type ReceivedRequest, type ReceiveParts } from './receive-request';
import { asksForSearch, listSearchModels } from './list-search-models';
import { readAutoCache } from './read-auto-cache';
import { recordContents } from './record-contents';
import { readExtension, readRequestMetadata } from '../request/read-request-metadata';
import type { RoutedRequest } from './routed-request';
import type { RulingParts } from './rule-request';
import { takeFreeSlot, type FreeSlotParts } from './take-free-slot';
import { wishBeta } from './wish-beta';
import type { InboundRequest } from '../request/inbound-request';

export type AdmissionParts = FreeSlotParts &
  ReceiveParts &
  RulingParts & {
    readonly authenticator: Authenticator;
    readonly guard: ModelGuard;
    readonly calls: PreparedCalls;
    readonly replays: Replays;
    readonly contents: Pick<ContentKeeper, 'keep'>;
    readonly rates: RateLimiter;
    readonly holds: RequestHolds;
    /** Throws where another process may count limits in place of this one; absent: none can. */
    readonly checkCounters?: (() => void) | undefined;
    readonly defaultChatModel: string;
    /** Signs addresses of kept files. */
    readonly fileLinkSecret: string;
    /** How long a worker may take for a request in all. */
    readonly deadlineMs: number;
  };

/** What goes on with an admitted request; what waits returns a promise. */
type UseAdmission = (admission: Admission) => Promise<void> | undefined;

/** A request whose caller is known. */
type CallerRequest = { readonly inbound: InboundRequest; readonly principal: Principal; readonly parts: AdmissionParts };

/**
 * Decides everything about a request once: who calls, what for and where it may go, and stamps the passport that
 * workers obey. Passes it on to `use`, unless a stored response was sent. Throws, rejects or calls `fail` with the refusal that the
 * caller should get; it returns nothing where the last of these is to be expected.
 * What can be known without waiting is not waited for, and each step calls the next: most requests wait for their body alone.
 */
export function admitRequest(inbound: InboundRequest, parts: AdmissionParts, use: UseAdmission): Promise<void> | undefined {
  const found = authenticate(inbound.request, inbound.scope.endpoint, parts);
  const admit = (principal: Principal): Promise<void> | undefined => admitCaller({ inbound, principal, parts }, use);
  return found instanceof Promise ? found.then(admit) : admit(found);
}

function admitCaller(caller: CallerRequest, use: UseAdmission): Promise<void> | undefined {
  const { inbound, principal, parts } = caller;
  const { response, scope } = inbound;
  noteCaller(scope, principal);
  checkCallerLoad(scope, principal);
  checkPermission(principal, scope.endpoint.permission);
  const rated = checkRates(principal, response, parts.rates, scope.endpoint.dialect);
  return rated === undefined ? receive(caller, use) : rated.then(() => receive(caller, use));
}

function receive(caller: CallerRequest, use: UseAdmission): Promise<void> | undefined {
  const { inbound, parts } = caller;
  checkMediaType(inbound.request.headers, inbound.scope.endpoint.body);
  return receiveRequest(inbound, parts, (received) => routeReceived(caller, received, use));
}

function routeReceived(caller: CallerRequest, received: ReceivedRequest, use: UseAdmission): Promise<void> | undefined {
  const { inbound, principal, parts } = caller;
  const { request, scope } = inbound;
  const { endpoint, notes } = scope;
  const modelId = readModelId(received.parsed.json, endpoint, parts.defaultChatModel);
  notes.model = nameForLog(modelId);
  checkPricedMembers(endpoint.id, received.parsed.json);
  const translated = translateRequest(received, endpoint);
  const { body, parsed } = translated;
  const prepared = parts.calls.find({ principal, endpoint, modelId, headers: request.headers, parsed, bodyBytes: body.length });
  const admit = (call: PreparedCall): Promise<void> | undefined => {
    const { plan } = call;
    if (plan.requested !== modelId) notes.model = nameForLog(plan.requested);
    if (plan.beta !== null) wishBeta(request.headers, plan.beta);
    checkPlanLoad(scope, principal, call.isFree);
    const asked: LimitedRequest = { routed: { inbound, principal, parsed, call }, received: translated, callersBody: received.body };
    const concerned = parts.replays.concern({ headers: request.headers, extension: readExtension(parsed.json) });
    return concerned ? replayOrAdmit(asked, parts, use) : admitLimited(asked, parts, use);
  };
  return prepared instanceof Promise ? prepared.then(admit) : admit(prepared);
}

async function replayOrAdmit(asked: LimitedRequest, parts: AdmissionParts, use: UseAdmission): Promise<void> {
  if (!(await parts.replays.answer(createReplayAsk(asked.routed, asked.received.form)))) return admitLimited(asked, parts, use);
  asked.routed.inbound.scope.notes.isReplayed = true;
}

/** Takes what the request needs of its limits and lets it go on; where that is refused, to the model that the limit names. */
function admitLimited(asked: LimitedRequest, parts: AdmissionParts, use: UseAdmission): Promise<void> | undefined {
  // After everything that waits: a process that was frozen meanwhile may have been taken over from.
  parts.checkCounters?.();
  const admission = openAdmission(asked, parts);
  const goOn = (admitted: Admitted): Promise<void> | undefined => {
    keepContents(admitted.call, asked, parts);
    return use(admitted.admission);
  };
  const admitted = { admission, call: asked.routed.call };
  let taken: undefined | Promise<void>;
  try {
    taken = takeLimits(admission, asked, parts);
  } catch (refusal) {
    return fallBack(refusal, asked, parts).then(goOn);
  }
  if (taken === undefined) return goOn(admitted);
  return taken.then(
    () => goOn(admitted),
    (refusal: unknown) => fallBack(refusal, asked, parts).then(goOn),
  );
}

function keepContents(call: PreparedCall, { routed, callersBody }: LimitedRequest, { contents }: AdmissionParts): void {
  if (call.keepsContents) recordContents({ ...routed, call }, callersBody, contents);
}

type LimitedRequest = {
  readonly routed: RoutedRequest;
  /** As it goes to a worker. */
  readonly received: ReceivedRequest;
  /** As it came. */
  readonly callersBody: Buffer;
  /** A limit that has sent it to another model. */
  readonly exempt?: string;
};

type Admitted = { readonly admission: Admission; readonly call: PreparedCall };

function openAdmission({ routed, received }: LimitedRequest, parts: AdmissionParts): Admission {
  const { inbound, principal, call } = routed;
  const passport = stampPassport(routed, parts.deadlineMs);
  if (asksForSearch(routed.parsed.json)) {
    passport.searchModels = listSearchModels(call.plan.record, { principal, ruling: call.ruling, guard: parts.guard });
  }
  const { body, parsed, form } = received;
  // Member by member: members behind a spread make a new shape of object for each request, and code that reads those is slow.
  return new Admission(inbound, { passport, body, parsed, form, priority: call.priority }, parts);
}

/** Takes what a request needs of its limits, and its slot; undefined where that needed no waiting. What was taken is given back where the rest is refused. */
function takeLimits(
  admission: Admission,
  { routed: { principal, parsed, call }, received: { media }, exempt }: LimitedRequest,
  parts: AdmissionParts,
): undefined | Promise<void> {
  const { passport, endpoint, body, response } = admission;
  const setHeader = (name: string, value: string): void => void response.setHeader(name, value);
  const { requestId, attempts, admittedAtMs, endUserId } = passport;
  const facts: HoldAsk = {
    principal,
    requestId,
    endpoint,
    attempts,
    parsed,
    media,
    bodyBytes: body.length,
    bound: call.limits,
    endUserId,
    exempt,
    admittedAtMs,
    setHeader,
  };
  const keep = (held: HeldRequest | null): undefined | Promise<void> => {
    if (held !== null) admission.keepHold(held);
    if (held?.shownLimits !== undefined) showLimits(response, held.shownLimits, { dialect: endpoint.dialect, nowMs: parts.now() });
    const slot = takeFreeSlot({ principal, passport, setHeader }, parts);
    return slot === undefined ? undefined : admission.keepSlot(slot);
  };
  const held = parts.holds.hold(facts);
  return held instanceof Promise ? held.then(keep) : keep(held);
}

/**
 * A full limit may name another model for what does not fit it: the request is planned and limited for that one, once. Throws the
 * refusal where no model is named, or where that one cannot take the request either.
 */
async function fallBack(refusal: unknown, { routed, received, callersBody }: LimitedRequest, parts: AdmissionParts): Promise<Admitted> {
  const { inbound, principal, parsed } = routed;
  const { request, response, scope } = inbound;
  const { endpoint } = scope;
  const shown = { dialect: endpoint.dialect, nowMs: parts.now() };
  const fallback = findFallback(refusal);
  if (fallback === undefined) throw showRefused(response, toGatewayError(refusal), shown);
  try {
    const ask = { principal, endpoint, modelId: fallback.model, headers: request.headers, parsed, bodyBytes: received.body.length };
    const planned = await parts.calls.find(ask);
    if (planned.plan.beta !== null) wishBeta(request.headers, planned.plan.beta);
    checkPlanLoad(scope, principal, planned.isFree);
    // What the caller asked for is what usage names.
    const plan = { ...planned.plan, requested: routed.call.plan.requested };
    const call = { ...planned, plan, attempts: explainFallback(planned.attempts, fallback) };
    const again: LimitedRequest = { routed: { ...routed, call }, received, callersBody, exempt: fallback.rule.limitId };
    const admission = openAdmission(again, parts);
    await takeLimits(admission, again, parts);
    response.setHeader('x-weir-fallback-model', planned.plan.requested);
    return { admission, call };
  } catch (thrown) {
    throw showRefused(response, refuseFallback(fallback, thrown), shown);
  }
}

function noteCaller({ notes }: RequestScope, { key }: Principal): void {
  notes.organizationId = key.organizationId;
  notes.apiKeyId = key.apiKeyId;
  notes.apiKeyName = key.name;
}

export function authenticate(
  request: IncomingMessage,
  endpoint: EndpointRow,
  parts: Pick<AdmissionParts, 'authenticator'>,
): Principal | Promise<Principal> {
  return parts.authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
}

export function readModelId(json: Record<string, unknown>, endpoint: EndpointRow, defaultChatModel: string): string {
  const model = json['model'];
  if ((model === undefined || model === null) && endpoint.dialect === 'chat-completions') return defaultChatModel;
  if (typeof model === 'string' && model !== '') return model;
  const problem = model === undefined || model === null ? 'model is required' : 'model must be a text that is not empty';
  throw new GatewayError('invalid_request', `${problem}: the id of a model, such as "sandbox/chat". GET /v1/models lists them.`, {
    field: 'model',
  });
}

function stampPassport({ inbound, principal, parsed, call }: RoutedRequest, deadlineMs: number): Passport {
  const { request, scope } = inbound;
  const { plan, ruling } = call;
  const metadata = readRequestMetadata(request.headers, parsed.json);
  const passport: Passport = {
    version: 1,
    requestId: scope.id,
    endpointId: scope.endpoint.id,
    admittedAtMs: scope.startedAtMs,
    deadlineMs: scope.startedAtMs + deadlineMs,
    caller: call.caller,
    modelRequested: plan.requested,
    stream: parsed.json['stream'] === true,
    attempts: call.attempts,
    originTitle: metadata.originTitle,
    endUserId: metadata.endUserId,
    traceId: metadata.traceId,
    extra: metadata.extra,
    hold: null,
    isStrict: request.headers['x-weir-strict'] === 'true',
  };
  if (principal.key.organization.chargesFailedAttempts === true) passport.chargesFailures = true;
  if (ruling.data.isZeroRetention) passport.isZeroRetention = true;
  const [autoCache, turn] = [readAutoCache(parsed.json), claimTurn(request.headers, principal.key)];
  // Most requests have none of these: nothing is copied for them.
  if (autoCache === undefined && turn === undefined && ruling.guardrails.guardrails === undefined) return passport;
  return Object.assign(passport, autoCache, ruling.guardrails, turn);
}

/** A key in the wrong place is nothing to write down. */
function nameForLog(modelId: string): string {
  const name = modelId.slice(0, 200);
  return name.includes('weir_') ? redactSecrets(name) : name;
}
