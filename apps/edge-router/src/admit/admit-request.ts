import { checkPermission, readCredential, type Authenticator, type ModelGuard, type Principal } from '@weir/access';
import type { EndpointRow, Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { checkPricedMembers, type FreeSlot, type RateLimiter } from '@weir/limits';
import type { ParsedBody, ReceivedForm, RequestPriority } from '@weir/http-server';
import { redactSecrets } from '@weir/telemetry';
import type { IncomingMessage } from 'node:http';
import { checkCallerLoad, checkPlanLoad, findPriority } from './check-load';
import { checkMediaType } from './check-media-type';
import { checkRates } from './check-rates';
import { chooseRoute } from './choose-route';
import { describeCaller } from './describe-caller';
import { createReplayAsk } from './create-replay-ask';
import type { Replays } from '../replay/replays';
import type { RequestHolds } from './holds/request-holds';
import { receiveRequest, translateRequest, type ReceiveParts } from './receive-request';
import { asksForSearch, listSearchModels } from './list-search-models';
import { readAutoCache } from './read-auto-cache';
import { readRequestMetadata } from '../request/read-request-metadata';
import type { RoutedRequest } from './routed-request';
import { ruleRequest, type RulingParts } from './rule-request';
import { takeFreeSlot, type FreeSlotParts } from './take-free-slot';
import { wishBeta } from './wish-beta';
import type { InboundRequest } from '../request/inbound-request';

export type AdmissionParts = FreeSlotParts &
  ReceiveParts &
  RulingParts & {
    readonly authenticator: Authenticator;
    readonly guard: ModelGuard;
    readonly replays: Replays;
    readonly rates: RateLimiter;
    readonly holds: RequestHolds;
    readonly defaultChatModel: string;
    /** Signs addresses of kept files. */
    readonly fileLinkSecret: string;
    /** How long a worker may take for a request in all. */
    readonly deadlineMs: number;
  };

export type Admission = {
  readonly passport: Passport;
  readonly body: Buffer;
  readonly parsed: ParsedBody;
  /** What the caller sent instead of JSON. */
  readonly form: ReceivedForm | undefined;
  /** Taken of the free-model day, to be given back should the request not get to a worker. */
  readonly freeSlot: FreeSlot | undefined;
  readonly priority: RequestPriority;
};

/**
 * Decides everything about a request once: who calls, what for and where it may go, and stamps the passport that
 * workers obey. Throws the refusal that the caller should get; returns null when a stored response was sent.
 */
export async function admitRequest(inbound: InboundRequest, parts: AdmissionParts): Promise<Admission | null> {
  const { request, response, scope } = inbound;
  const { endpoint } = scope;
  const principal = await authenticate(request, endpoint, parts);
  const { key } = principal;
  scope.notes['organizationId'] = key.organizationId;
  scope.notes['apiKeyId'] = key.apiKeyId;
  scope.notes['apiKeyName'] = key.name;
  checkCallerLoad(scope, principal);
  checkPermission(principal, endpoint.permission);
  await checkRates(principal, response, parts.rates);
  checkMediaType(request.headers, endpoint.body);
  const received = await receiveRequest(inbound, parts);
  const modelId = readModelId(received.parsed.json, endpoint, parts.defaultChatModel);
  scope.notes['model'] = nameForLog(modelId);
  checkPricedMembers(endpoint.id, received.parsed.json);
  const { body, parsed, form, media } = translateRequest(received, endpoint);
  const modality = endpoint.modality ?? 'chat';
  const ruling = await ruleRequest({ principal, modality, headers: request.headers, json: parsed.json }, parts);
  const plan = chooseRoute({ principal, ruling, endpoint, modelId, headers: request.headers, parsed, bodyBytes: body.length }, parts);
  scope.notes['model'] = nameForLog(plan.requested);
  if (plan.beta !== null) wishBeta(request.headers, plan.beta);
  checkPlanLoad(scope, plan.attempts);
  const routed: RoutedRequest = { inbound, principal, parsed, ruling, plan };
  if (await parts.replays.answer(createReplayAsk(routed))) {
    scope.notes['isReplayed'] = true;
    return null;
  }
  const passport = stampPassport(routed, parts.deadlineMs);
  if (asksForSearch(parsed.json)) passport.searchModels = listSearchModels(plan.record, { principal, ruling, guard: parts.guard });
  const setHeader = (name: string, value: string): void => void response.setHeader(name, value);
  const held = await parts.holds.hold({
    principal,
    requestId: scope.id,
    endpoint,
    attempts: plan.attempts,
    parsed,
    media,
    bodyBytes: body.length,
    admittedAtMs: scope.startedAtMs,
    setHeader,
  });
  if (held !== null) passport.hold = held.hold;
  let freeSlot: FreeSlot | undefined;
  try {
    freeSlot = await takeFreeSlot({ principal, passport, setHeader }, parts);
  } catch (error) {
    if (passport.hold !== null) await parts.holds.giveBack(key.organizationId, passport.hold).catch(() => undefined);
    throw error;
  }
  const admitted = { passport, form, freeSlot, priority: findPriority(principal, plan.attempts) };
  const clamped = held?.clampedBody ?? null;
  return clamped === null ? { ...admitted, body, parsed } : { ...admitted, body: Buffer.from(clamped.text), parsed: clamped };
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

function stampPassport({ inbound, principal, parsed, plan, ruling }: RoutedRequest, deadlineMs: number): Passport {
  const { request, scope } = inbound;
  const { key } = principal;
  const metadata = readRequestMetadata(request.headers, parsed.json);
  const passport: Passport = {
    version: 1,
    requestId: scope.id,
    endpointId: scope.endpoint.id,
    admittedAtMs: scope.startedAtMs,
    deadlineMs: scope.startedAtMs + deadlineMs,
    caller: describeCaller(principal),
    modelRequested: plan.requested,
    stream: parsed.json['stream'] === true,
    attempts: [...plan.attempts],
    originTitle: metadata.originTitle,
    endUserId: metadata.endUserId,
    traceId: metadata.traceId,
    extra: metadata.extra,
    hold: null,
    isStrict: request.headers['x-weir-strict'] === 'true',
  };
  if (key.organization.chargesFailedAttempts === true) passport.chargesFailures = true;
  if (ruling.data.isZeroRetention) passport.isZeroRetention = true;
  // Most requests have neither: nothing is copied for them.
  return Object.assign(passport, readAutoCache(parsed.json), ruling.guardrails);
}

/** A key in the wrong place is nothing to write down. */
function nameForLog(modelId: string): string {
  const name = modelId.slice(0, 200);
  return name.includes('weir_') ? redactSecrets(name) : name;
}
