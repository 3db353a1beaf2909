import type { Attempt, Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';

export type RoutingMap = {
  readonly catalog: ModelCatalog;
  /** Whether there is a provider of this id with credentials, for this modality. */
  readonly isRoutable: (providerId: string, modality: Modality) => boolean;
};

export type AttemptPlan = { readonly record: ModelRecord; readonly attempts: readonly [Attempt, ...Attempt[]] };

/**
 * Where a request for a model goes. Throws `model_not_found` for an unknown model or one of another modality, and
 * `provider_not_configured` when nothing here can reach it.
 */
export function planAttempts(modelId: string, modality: Modality, map: RoutingMap): AttemptPlan {
  const record = map.catalog.find(modelId);
  if (record === undefined) {
    throw new GatewayError(
      'model_not_found',
      `The model "${modelId.slice(0, 200)}" is not known here. GET /v1/models lists the models that are.`,
      { field: 'model' },
    );
  }
  if (record.modality !== modality) {
    throw new GatewayError(
      'model_not_found',
      `The model "${modelId}" is a ${record.modality} model; this endpoint serves ${modality} models.`,
      { field: 'model' },
    );
  }
  if (!map.isRoutable(record.provider, modality)) {
    throw new GatewayError('provider_not_configured', `The provider of the model "${modelId}" is not set up in this gateway.`, {
      field: 'model',
    });
  }
  return { record, attempts: [toAttempt(record, map.catalog)] };
}

function toAttempt(record: ModelRecord, catalog: ModelCatalog): Attempt {
  return {
    modelId: record.id,
    providerId: record.provider,
    upstreamModel: record.upstreamModel,
    region: record.region ?? null,
    prices: catalog.priceSheet(record),
    isByok: false,
    isFree: catalog.isFree(record),
  };
}
