import type { ChatRequest } from '@weir/canonical';
import type { ModelFacts, ProviderTarget } from '../provider/target';

/** A target for specs: a capable model of no particular provider. */
export function buildTarget(upstreamModel = 'some-model', facts: Partial<ModelFacts> = {}, region: string | null = null): ProviderTarget {
  return {
    attempt: {
      modelId: `vendor/${upstreamModel}`,
      providerId: 'vendor',
      upstreamModel,
      region,
      prices: { kind: 'units', version: 'v1', units: {} },
      isByok: false,
      isFree: false,
    },
    model: {
      id: `vendor/${upstreamModel}`,
      maxOutputTokens: 4000,
      supportsDeveloperRole: false,
      supportsReasoning: false,
      supportsVision: true,
      supportsTools: true,
      supportsWebSearch: false,
      supportsJsonObject: true,
      supportsJsonSchema: true,
      ...facts,
    },
  };
}

/** A request that asks one thing. */
export function buildRequest(more: Partial<ChatRequest> = {}): ChatRequest {
  return { model: 'vendor/some-model', turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], stream: false, ...more };
}
