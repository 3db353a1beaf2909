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
    readonly defaultChatModel: string;
    /** Signs addresses of kept files. */
    readonly fileLinkSecret: string;
    /** How long a worker may take for a request in all. */
    readonly deadlineMs: number;
  };

/**
 * Decides everything about a request once: who calls, what for and where it may go, and stamps the passport that
 * workers obey. Throws the refusal that the caller should get; returns null when a stored response was sent.
 * What can be known without waiting is not waited for: most requests wait for their body alone.
 */
export async function admitRequest(inbound: InboundRequest, parts: AdmissionParts): Promise<Admission | null> {
  const { request, response, scope } = inbound;
  const { endpoint } = scope;
  const found = authenticate(request, endpoint, parts);
  const principal = found instanceof Promise ? await found : found;
  noteCaller(scope, principal);
  checkCallerLoad(scope, principal);
  checkPermission(principal, endpoint.permission);
  const rated = checkRates(principal, response, parts.rates, endpoint.dialect);
  if (rated !== undefined) await rated;
  checkMediaType(request.headers, endpoint.body);
  const received = await receiveRequest(inbound, parts);
  const modelId = readModelId(received.parsed.json, endpoint, parts.defaultChatModel);
  scope.notes.model = nameForLog(modelId);
  checkPricedMembers(endpoint.id, received.parsed.json);
  const translated = translateRequest(received, endpoint);
  const { body, parsed } = translated;
  const prepared = parts.calls.find({ principal, endpoint, modelId, headers: request.headers, parsed, bodyBytes: body.length });
  const call = prepared instanceof Promise ? await prepared : prepared;
  const { plan } = call;
  if (plan.requested !== modelId) scope.notes.model = nameForLog(plan.requested);
  if (plan.beta !== null) wishBeta(request.headers, plan.beta);
  checkPlanLoad(scope, call.isFree);
  const routed: RoutedRequest = { inbound, principal, parsed, call };
  if (parts.replays.concern({ headers: request.headers, extension: readExtension(parsed.json) })) {
    if (await parts.replays.answer(createReplayAsk(routed))) {
      scope.notes.isReplayed = true;
      return null;
    }
  }
  const asked: LimitedRequest = { routed, received: translated };
  let admission = openAdmission(asked, parts);
  let served = call;
  try {
    const taken = takeLimits(admission, asked, parts);
    if (taken !== undefined) await taken;
  } catch (refusal) {
    ({ admission, call: served } = await fallBack(refusal, asked, parts));
  }
  if (served.keepsContents) recordContents({ ...routed, call: served }, received.body, parts.contents);
  return admission;
}

type LimitedRequest = {
  readonly routed: RoutedRequest;
  /** As it goes to a worker. */
  readonly received: ReceivedRequest;
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
  return new Admission(inbound, { ...received, passport, priority: call.priority }, parts);
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
async function fallBack(refusal: unknown, { routed, received }: LimitedRequest, parts: AdmissionParts): Promise<Admitted> {
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
    checkPlanLoad(scope, planned.isFree);
    // What the caller asked for is what usage names.
    const plan = { ...planned.plan, requested: routed.call.plan.requested };
    const call = { ...planned, plan, attempts: explainFallback(planned.attempts, fallback) };
    const again: LimitedRequest = { routed: { ...routed, call }, received, exempt: fallback.rule.limitId };
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
  // Most requests have neither: nothing is copied for them.
  return Object.assign(passport, readAutoCache(parsed.json), ruling.guardrails, claimTurn(request.headers, principal.key));
}

/** A key in the wrong place is nothing to write down. */
function nameForLog(modelId: string): string {
  const name = modelId.slice(0, 200);
  return name.includes('weir_') ? redactSecrets(name) : name;
}
