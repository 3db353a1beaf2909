import type { Attempt } from '@weir/contracts';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';

/** One try of a model, as the edge plans it for a caller without a key of their own. */
export function makeAttempt(record: ModelRecord, catalog: Pick<ModelCatalog, 'priceSheet' | 'isFree'>): Attempt {
  return {
    modelId: record.id,
    providerId: record.provider,
    upstreamModel: record.upstreamModel,
    region: record.region,
    prices: catalog.priceSheet(record),
    isByok: false,
    isFree: catalog.isFree(record),
  };
}
