import { CAPABILITIES } from '@weir/model-catalog';
import type { PlainWords } from './plain-words';
import type { SourceModel } from './read-source';
import { withoutGaps } from './without-gaps';

/** A source record in the shape of our data files, without its prices. */
export function toModelRow({ record, extras }: SourceModel, words: PlainWords): Record<string, unknown> {
  const flags: Readonly<Record<string, unknown>> = record;
  return withoutGaps({
    id: record.id,
    modality: record.api,
    provider: record.provider,
    upstreamModel: record.upstream_model,
    region: extras.upstream_region ?? extras.region,
    vendor: record.owned_by,
    lab: record.model_lab,
    canonicalName: record.model_canonical_name,
    family: record.family,
    description: words.describe(record),
    created: record.created,
    updated: record.updated,
    retires: record.retires,
    contextWindow: record.context_window,
    maxInputTokens: extras.max_input_tokens,
    maxOutputTokens: record.max_output_tokens,
    dimensions: extras.dimensions,
    supports: CAPABILITIES.filter((name) => flags[`supports_${name}`] === true),
    inputModalities: extras.input_modalities,
    responsesOnly: extras.responses_only === true || null,
    toolsNeedResponses: extras.tools_need_responses === true || null,
    noTemperature: extras.no_temperature === true || null,
    noParallelTools: extras.no_parallel_tools === true || null,
    reasoningOptions: extras.reasoning_options,
    reasoningField: extras.reasoning_field,
    dataPolicy: withoutGaps({
      retention: record.data_retention,
      retentionDays: record.data_retention_days,
      training: record.data_used_for_training,
      comments: words.explainPrivacy(record),
    }),
    geolocation: record.geolocation,
    openWeights: record.open_weights,
    quantization: record.quantization,
  });
}
