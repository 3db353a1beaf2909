import type { Principal } from '@weir/access';
import type { Attempt, EndpointRow } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ParsedBody } from '@weir/http-server';
import type { BoundedRequest } from '@weir/limits';
import type { AttemptPlan, PlanTrace } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import { readModelId, type AdmissionParts } from './admit-request';
import { bindLimits } from './bind-limits';
import { chooseRoute } from './choose-route';
import { explainFallback, findFallback, refuseFallback } from './fallback-model';
import { boundPlan, type MediaFiles } from './holds/bound-plan';
import type { LimitPreview } from './holds/preview-limits';
import type { HoldAsk } from './holds/request-holds';
import { readRequestMetadata } from '../request/read-request-metadata';
import { ruleRequest, type Ruling } from './rule-request';
import { previewFreeSlot } from './take-free-slot';

/** What deciding needs of the parts of admission: nothing that takes or counts. */
export type DecidingParts = Pick<
  AdmissionParts,
  'rules' | 'dataGuard' | 'ownKeys' | 'map' | 'guard' | 'holds' | 'freeModelDays' | 'now' | 'defaultChatModel'
>;

export type AskedRequest = {
  readonly principal: Principal;
  readonly endpoint: EndpointRow;
  /** As it would go to a worker. */
  readonly parsed: ParsedBody;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
  readonly atMs: number;
  /** Watches how its policies are ordered. */
  readonly trace?: PlanTrace;
};

export type Verdict = {
  /** What was asked for, by its full id where it is known. */
  readonly modelId: string;
  /** Where a full limit sends the request instead; null where none does. */
  readonly fallbackModel: string | null;
  readonly refusal: GatewayError | null;
  /** Null where the request was refused before there was one. */
  readonly ruling: Ruling | null;
  readonly plan: AttemptPlan | null;
  readonly places: readonly { readonly plan: Attempt; readonly bounded: BoundedRequest }[];
  readonly bounded: BoundedRequest | null;
  readonly preview: LimitPreview | null;
};

/**
 * What would become of a request now, decided by the code that admits requests: nothing is sent, set aside or counted.
 * Throws where no request of this kind could be sent, and where limits cannot be read.
 */
export async function decideRequest(asked: AskedRequest, parts: DecidingParts): Promise<Verdict> {
  const modelId = readModelId(asked.parsed.json, asked.endpoint, parts.defaultChatModel);
  const verdict = await decideModel(asked, { modelId }, parts);
  const fallback = findFallback(verdict.refusal);
  if (fallback === undefined) return verdict;
  const again = await decideModel(asked, { modelId: fallback.model, exempt: fallback.rule.limitId }, parts);
  if (again.refusal !== null) return { ...verdict, refusal: refuseFallback(fallback, again.refusal) };
  const attempts = explainFallback(
    again.places.map(({ plan }) => plan),
    fallback,
  );
  const places = again.places.map((place, index) => ({ ...place, plan: attempts[index] ?? place.plan }));
  return { ...again, modelId: verdict.modelId, fallbackModel: again.modelId, places };
}

type AskedModel = { readonly modelId: string; /** A limit that has sent the request to it. */ readonly exempt?: string };

async function decideModel(asked: AskedRequest, { modelId, exempt }: AskedModel, parts: DecidingParts): Promise<Verdict> {
  const { principal, endpoint, parsed, headers, bodyBytes, trace } = asked;
  const { modality = 'chat' } = endpoint;
  const media = modality === 'transcription' ? { imageFiles: 0, audioSeconds: readSeconds(parsed.json) } : undefined;
  let ruling: Ruling | null = null;
  let plan: AttemptPlan;
  try {
    ruling = await ruleRequest({ principal, modality, headers, json: parsed.json }, parts);
    plan = chooseRoute({ principal, ruling, endpoint, modelId, headers, parsed, bodyBytes, trace }, parts);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { modelId, fallbackModel: null, refusal: error, ruling, plan: null, places: [], bounded: null, preview: null };
  }
  const limited = { bound: bindLimits(ruling.rules, { key: principal.key, modality, attempts: plan.attempts }), exempt };
  return { modelId: plan.requested, fallbackModel: null, ruling, plan, ...(await decideLimits(asked, { plan, media, limited }, parts)) };
}

type Routed = {
  readonly plan: AttemptPlan;
  readonly media: MediaFiles | undefined;
  readonly limited: Pick<HoldAsk, 'bound' | 'exempt'>;
};

async function decideLimits(
  { principal, endpoint, parsed, headers, bodyBytes, atMs }: AskedRequest,
  { plan: { attempts }, media, limited }: Routed,
  parts: DecidingParts,
): Promise<Pick<Verdict, 'refusal' | 'places' | 'bounded' | 'preview'>> {
  const isEachCharged = principal.key.organization.chargesFailedAttempts === true;
  const bound = (some: readonly Attempt[]): BoundedRequest =>
    boundPlan({ endpoint, attempts: some, json: parsed.json, bodyBytes, media, isEachCharged }, parts.map.catalog);
  const bounded = bound(attempts);
  const { endUserId } = readRequestMetadata(headers, parsed.json);
  const ask = { principal, requestId: '', endpoint, attempts, parsed, bodyBytes, admittedAtMs: atMs, setHeader: () => undefined };
  const preview = await parts.holds.preview({ ...ask, ...limited, endUserId }, bounded);
  const refusal = preview.refusal ?? (await previewFreeSlot(principal, { endpointId: endpoint.id, attempts, admittedAtMs: atMs }, parts));
  return { refusal, places: attempts.map((each) => ({ plan: each, bounded: bound([each]) })), bounded, preview };
}

/** A recording does not go into JSON: how long it is, in seconds, stands for it. */
function readSeconds({ seconds }: ParsedBody['json']): number {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw new GatewayError('invalid_request', `seconds must be the length of the recording, a number from 0 to ${SECONDS_MAX}.`, {
    field: 'seconds',
  });
}

const SECONDS_MAX = 10_000_000;
