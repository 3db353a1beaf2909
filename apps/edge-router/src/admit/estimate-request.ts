import { checkPermission } from '@weir/access';
import { readBody, readJsonBody } from '@weir/http-server';
import { checkPricedMembers } from '@weir/limits';
import { formatUsd } from '@weir/pricing';
import { authenticate, type AdmissionParts } from './admit-request';
import { checkMediaType } from './check-media-type';
import { decideRequest, type Verdict } from './decide-request';
import { amountOfLimit, formatAmount, namePlannedLimit } from './holds/describe-limit';
import { recognizeEndpoint } from './recognize-dialect';
import { translateRequest } from './receive-request';
import type { ArrivedRequest } from '../request/inbound-request';

/**
 * `POST /v1/estimate`: what a body in JSON would cost at most, where it would go, and whether it would be let through now.
 * Decides with the code that admits requests, sends nothing and sets nothing aside.
 */
export async function estimateRequest({ request, response, scope }: ArrivedRequest, parts: AdmissionParts): Promise<void> {
  const principal = await authenticate(request, scope.endpoint, parts);
  checkPermission(principal, scope.endpoint.permission);
  checkMediaType(request.headers);
  const bytes = await readBody(request, parts.bodyBytesMax);
  const asked = await readJsonBody(bytes);
  const endpoint = recognizeEndpoint(asked.json, request.headers, parts.map.catalog);
  checkPricedMembers(endpoint.id, asked.json);
  const { body, parsed } = translateRequest({ body: bytes, parsed: asked }, endpoint);
  const verdict = await decideRequest(
    { principal, endpoint, parsed, headers: request.headers, bodyBytes: body.length, atMs: scope.startedAtMs },
    parts,
  );
  const text = encodeEstimate(verdict);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/** Amounts are JSON numbers printed from the exact decimal, as everywhere. */
function encodeEstimate({ modelId, fallbackModel, refusal, places, bounded, preview }: Verdict): string {
  const attempts = places.map(({ plan, bounded: { worstPico, bounds } }) => {
    const { promptTokens = 0, outputTokens = 0 } = bounds[0] ?? {};
    // Other modalities are bounded by the units of their prices.
    const tokens = plan.prices.kind === 'chat' ? { input: promptTokens, output: outputTokens } : { input: null, output: null };
    const facts = { model: plan.modelId, provider: plan.providerId, price_version: plan.prices.version };
    const bound = { input_tokens_max: tokens.input, output_tokens_max: tokens.output };
    return `{${fields({ ...facts, ...bound })},"cost_max":${formatUsd(worstPico)}}`;
  });
  const limits = (preview?.limits ?? []).map(({ limit, remaining }) => {
    const named = namePlannedLimit(limit);
    const left = remaining === null ? 'null' : formatAmount(named.measure, remaining < 0n ? 0n : remaining);
    return `{${fields(named)},"limit":${formatAmount(named.measure, amountOfLimit(limit))},"remaining":${left}}`;
  });
  const reported = refusal === null ? null : { code: refusal.code, status: refusal.status, message: refusal.message };
  const clamped = preview?.clampedTokens ?? null;
  return `{${fields({ object: 'estimate', model: modelId, fallback_model: fallbackModel, allowed: refusal === null, refusal: reported, max_tokens_clamped: clamped })},"cost_max":${
    bounded === null ? 'null' : formatUsd(bounded.worstPico)
  },"attempts":[${attempts.join(',')}],"limits":[${limits.join(',')}]}`;
}

function fields(values: Record<string, unknown>): string {
  return JSON.stringify(values).slice(1, -1);
}
