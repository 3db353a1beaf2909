import { checkPermission, type Principal } from '@weir/access';
import type { EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readBody, readJsonBody, type ParsedBody } from '@weir/http-server';
import { checkPricedMembers, type BoundedRequest } from '@weir/limits';
import { formatUsd } from '@weir/pricing';
import type { AttemptPlan } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import { authenticate, readModelId, type AdmissionParts } from './admit-request';
import { checkMediaType } from './check-media-type';
import { chooseRoute } from './choose-route';
import { boundPlan } from './holds/bound-plan';
import type { LimitPreview } from './holds/preview-limits';
import { recognizeEndpoint } from './recognize-dialect';
import { translateRequest } from './receive-request';
import { ruleRequest } from './rule-request';
import { previewFreeSlot } from './take-free-slot';
import type { InboundRequest } from '../request/inbound-request';

/**
 * `POST /v1/estimate`: what a body in JSON would cost at most, where it would go, and whether it would be let through now.
 * Decides with the code that admits requests, sends nothing and sets nothing aside.
 */
export async function estimateRequest({ request, response, scope }: InboundRequest, parts: AdmissionParts): Promise<void> {
  const principal = await authenticate(request, scope.endpoint, parts);
  checkPermission(principal, scope.endpoint.permission);
  checkMediaType(request.headers);
  const bytes = await readBody(request, parts.bodyBytesMax);
  const asked = await readJsonBody(bytes);
  const endpoint = recognizeEndpoint(asked.json, request.headers, parts.map.catalog);
  checkPricedMembers(endpoint.id, asked.json);
  const { body, parsed } = translateRequest({ body: bytes, parsed: asked }, endpoint);
  const verdict = await decide(
    { principal, endpoint, parsed, headers: request.headers, bodyBytes: body.length, atMs: scope.startedAtMs },
    parts,
  );
  const text = encodeEstimate(verdict);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

type Question = {
  readonly principal: Principal;
  readonly endpoint: EndpointRow;
  readonly parsed: ParsedBody;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
  readonly atMs: number;
};

type Verdict = {
  readonly modelId: string;
  readonly refusal: GatewayError | null;
  readonly places: readonly { readonly plan: AttemptPlan['attempts'][number]; readonly bounded: BoundedRequest }[];
  readonly bounded: BoundedRequest | null;
  readonly preview: LimitPreview | null;
};

async function decide({ principal, endpoint, parsed, headers, bodyBytes, atMs }: Question, parts: AdmissionParts): Promise<Verdict> {
  const modelId = readModelId(parsed.json, endpoint, parts.defaultChatModel);
  const { modality = 'chat' } = endpoint;
  const media = modality === 'transcription' ? { imageFiles: 0, audioSeconds: readSeconds(parsed.json) } : undefined;
  let plan: AttemptPlan;
  try {
    const ruling = await ruleRequest({ principal, modality, headers, json: parsed.json }, parts);
    plan = chooseRoute({ principal, ruling, endpoint, modelId, headers, parsed, bodyBytes }, parts);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { modelId, refusal: error, places: [], bounded: null, preview: null };
  }
  const { attempts } = plan;
  const isEachCharged = principal.key.organization.chargesFailedAttempts === true;
  const bound = (some: typeof attempts | readonly [(typeof attempts)[number]]): BoundedRequest =>
    boundPlan({ endpoint, attempts: some, json: parsed.json, bodyBytes, media, isEachCharged }, parts.map.catalog);
  const bounded = bound(attempts);
  const ask = { principal, requestId: '', endpoint, attempts, parsed, bodyBytes, admittedAtMs: atMs, setHeader: () => undefined };
  const preview = await parts.holds.preview(ask, bounded);
  const refusal = preview.refusal ?? (await previewFreeSlot(principal, { endpointId: endpoint.id, attempts, admittedAtMs: atMs }, parts));
  return { modelId: plan.requested, refusal, places: attempts.map((each) => ({ plan: each, bounded: bound([each]) })), bounded, preview };
}

/** A recording does not go into JSON: how long it is, in seconds, stands for it. */
function readSeconds({ seconds }: ParsedBody['json']): number {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw new GatewayError('invalid_request', `seconds must be the length of the recording, a number from 0 to ${SECONDS_MAX}.`, {
    field: 'seconds',
  });
}

const SECONDS_MAX = 10_000_000;

const KIND_NAMES = { key: 'api_key', group_member: 'group_member', group: 'group', balance: 'organization_balance' } as const;

/** Amounts are JSON numbers printed from the exact decimal, as everywhere. */
function encodeEstimate({ modelId, refusal, places, bounded, preview }: Verdict): string {
  const attempts = places.map(({ plan, bounded: { worstPico, bounds } }) => {
    const { promptTokens = 0, outputTokens = 0 } = bounds[0] ?? {};
    // Other modalities are bounded by the units of their prices.
    const tokens = plan.prices.kind === 'chat' ? { input: promptTokens, output: outputTokens } : { input: null, output: null };
    const facts = { model: plan.modelId, provider: plan.providerId, price_version: plan.prices.version };
    const bound = { input_tokens_max: tokens.input, output_tokens_max: tokens.output };
    return `{${fields({ ...facts, ...bound })},"cost_max":${formatUsd(worstPico)}}`;
  });
  const limits = (preview?.limits ?? []).map(
    ({ limit, remainingPico }) =>
      `{"scope":"${KIND_NAMES[limit.kind]}","limit":${formatUsd(limit.limitPico)},"remaining":${formatUsd(remainingPico < 0n ? 0n : remainingPico)}}`,
  );
  const reported = refusal === null ? null : { code: refusal.code, status: refusal.status, message: refusal.message };
  const clamped = preview?.clampedTokens ?? null;
  return `{${fields({ object: 'estimate', model: modelId, allowed: refusal === null, refusal: reported, max_tokens_clamped: clamped })},"cost_max":${
    bounded === null ? 'null' : formatUsd(bounded.worstPico)
  },"attempts":[${attempts.join(',')}],"limits":[${limits.join(',')}]}`;
}

function fields(values: Record<string, unknown>): string {
  return JSON.stringify(values).slice(1, -1);
}
