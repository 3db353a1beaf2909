import type { Attempt, EndpointRow } from '@weir/contracts';
import {
  boundRequest,
  measureMedia,
  measurePrompt,
  readAskedImages,
  readAskedOutput,
  type AskedOutput,
  type BoundAttempt,
  type BoundedRequest,
  type MediaFacts,
} from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';

/** See MediaFacts. */
export type MediaFiles = Pick<MediaFacts, 'imageFiles' | 'audioSeconds'>;

type BoundPlan = {
  readonly endpoint: Pick<EndpointRow, 'dialect' | 'modality'>;
  readonly attempts: readonly Attempt[];
  readonly json: Readonly<Record<string, unknown>>;
  readonly bodyBytes: number;
  /** What came as files; absent: nothing did. */
  readonly media?: MediaFiles | undefined;
  /** See RequestFacts. */
  readonly isEachCharged?: boolean;
};

const NO_FILES: MediaFiles = { imageFiles: 0, audioSeconds: 0 };

/** Bounds what an admitted request can cost, wherever its plan may send it. */
export function boundPlan(
  { endpoint, attempts, json, bodyBytes, media = NO_FILES, isEachCharged = false }: BoundPlan,
  catalog: ModelCatalog,
): BoundedRequest {
  const modality = endpoint.modality ?? 'chat';
  const asked = readAsked(json, endpoint);
  return boundRequest({
    modality,
    media:
      modality === 'chat' || modality === 'embedding'
        ? undefined
        : measureMedia({ modality, json, count: asked.choices, bodyBytes, ...media }),
    prompt: measurePrompt(json, bodyBytes),
    asked,
    attempts: attempts.map((attempt) => describeAttempt(attempt, catalog)),
    isEachCharged,
  });
}

const ONE_RESULT: AskedOutput = { tokens: null, choices: 1 };

function readAsked(json: BoundPlan['json'], { modality = 'chat', dialect = 'chat-completions' }: BoundPlan['endpoint']): AskedOutput {
  if (modality === 'chat') return readAskedOutput(json, dialect);
  return modality === 'image' ? readAskedImages(json) : ONE_RESULT;
}

/** Attempts are the same objects for all requests that are planned alike. */
const described = new WeakMap<Attempt, BoundAttempt>();

function describeAttempt(attempt: Attempt, catalog: ModelCatalog): BoundAttempt {
  let known = described.get(attempt);
  if (known === undefined) described.set(attempt, (known = lookUp(attempt, catalog)));
  return known;
}

function lookUp({ modelId, prices }: Attempt, catalog: ModelCatalog): BoundAttempt {
  const record = catalog.find(modelId);
  return {
    prices,
    contextWindow: record?.contextWindow ?? null,
    maxOutputTokens: record?.maxOutputTokens ?? null,
    // A model that takes no tools and yet has a price for searches makes them on its own account.
    isSearching: prices.kind === 'chat' && prices.search !== undefined && record?.supports.includes('tool_calling') === false,
  };
}
