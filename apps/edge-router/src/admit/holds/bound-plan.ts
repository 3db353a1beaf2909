import type { Attempt, EndpointRow } from '@weir/contracts';
import {
  boundRequest,
  measureMedia,
  measurePrompt,
  readAskedOutput,
  type BoundAttempt,
  type BoundedRequest,
  type MediaFacts,
} from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';

/** See MediaFacts. */
export type MediaFiles = Pick<MediaFacts, 'imageFiles' | 'audioSeconds'>;

export type BoundPlan = {
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
  return boundRequest({
    modality,
    media: modality === 'chat' || modality === 'embedding' ? undefined : measureMedia({ modality, json, bodyBytes, ...media }),
    prompt: measurePrompt(json, bodyBytes),
    asked: readAskedOutput(json, endpoint.dialect ?? 'chat-completions'),
    attempts: attempts.map((attempt) => describeAttempt(attempt, catalog)),
    isEachCharged,
  });
}

function describeAttempt({ modelId, prices }: Attempt, catalog: ModelCatalog): BoundAttempt {
  const record = catalog.find(modelId);
  return {
    prices,
    contextWindow: record?.contextWindow ?? null,
    maxOutputTokens: record?.maxOutputTokens ?? null,
    // A model that takes no tools and yet has a price for searches makes them on its own account.
    isSearching: prices.kind === 'chat' && prices.search !== undefined && record?.supports.includes('tool_calling') === false,
  };
}
