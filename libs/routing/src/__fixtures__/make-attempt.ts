import type { Attempt } from '@weir/contracts';

/** An attempt at a model of that name, at the provider of the part before the slash. */
export function makeAttempt(modelId: string, more: Partial<Attempt> = {}): Attempt {
  const [providerId = modelId] = modelId.split('/');
  return {
    modelId,
    providerId,
    upstreamModel: modelId,
    region: null,
    prices: { kind: 'units', version: 'v', units: {} },
    isByok: false,
    isFree: false,
    ...more,
  };
}
