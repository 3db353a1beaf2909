import type { Attempt, EndpointRow } from '@weir/contracts';
import { boundRequest, measurePrompt, readAskedOutput, type BoundAttempt, type BoundedRequest } from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';

export type BoundPlan = {
  readonly endpoint: Pick<EndpointRow, 'dialect' | 'modality'>;
  readonly attempts: readonly Attempt[];
  readonly json: Readonly<Record<string, unknown>>;
  readonly bodyBytes: number;
};

/** Bounds what an admitted request can cost, wherever its plan may send it. */
export function boundPlan({ endpoint, attempts, json, bodyBytes }: BoundPlan, catalog: ModelCatalog): BoundedRequest {
  return boundRequest({
    modality: endpoint.modality ?? 'chat',
    bodyBytes,
    prompt: measurePrompt(json, bodyBytes),
    asked: readAskedOutput(json, endpoint.dialect ?? 'chat-completions'),
    attempts: attempts.map((attempt) => describeAttempt(attempt, catalog)),
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
