import { CAPABILITIES } from '@weir/model-catalog';
import { MODALITIES } from '@weir/contracts';
import { z } from 'zod';

/** Numbers arrive as the digits they are written with. */
const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'not plain decimal digits');
const integer = z
  .string()
  .regex(/^\d{1,15}$/, 'not a whole number')
  .transform(Number);
const price = decimal.nullish();
const flags = z.object(Object.fromEntries(CAPABILITIES.map((name) => [`supports_${name}`, z.boolean().nullish()])));

const sourceTier = z.strictObject({
  prompt_tokens_threshold: integer,
  input_price: decimal,
  output_price: decimal,
  cached_price: price,
  caching_price: price,
  caching_5m_price: price,
  caching_1h_price: price,
});
export type SourceTier = z.output<typeof sourceTier>;

/** One line of the source's `models.json`. */
export const sourceRecord = z
  .object({
    id: z.string(),
    api: z.enum(MODALITIES),
    provider: z.string(),
    upstream_model: z.string(),
    owned_by: z.string(),
    model_lab: z.string().nullish(),
    model_canonical_name: z.string(),
    family: z.string().nullish(),
    description: z.string().nullish(),
    created: integer.nullish(),
    updated: integer.nullish(),
    retires: integer.nullish(),
    context_window: integer.nullish(),
    max_output_tokens: integer.nullish(),
    data_retention: z.boolean().nullish(),
    data_retention_days: integer.nullish(),
    data_used_for_training: z.boolean().nullish(),
    privacy_comments: z.string().nullish(),
    geolocation: z.string().nullish(),
    open_weights: z.boolean().nullish(),
    quantization: z.string().nullish(),
    discount_percentage: decimal.transform(Number).nullish(),
    pricing: z.union([z.array(sourceTier).min(1), z.record(z.string(), price)]),
    pricing_units: z.record(z.string(), z.enum(['image', 'second'])).optional(),
  })
  .and(flags);
export type SourceRecord = z.output<typeof sourceRecord>;

/** What the source's `extras.json` says of one id, as far as it is carried over. */
export const sourceExtras = z.object({
  input_modalities: z.array(z.enum(['text', 'image', 'audio', 'video', 'pdf'])).optional(),
  responses_only: z.boolean().optional(),
  tools_need_responses: z.boolean().optional(),
  no_temperature: z.boolean().optional(),
  no_parallel_tools: z.boolean().optional(),
  reasoning_options: z.array(z.string()).optional(),
  reasoning_field: z.string().optional(),
  max_input_tokens: integer.optional(),
  dimensions: integer.optional(),
  upstream_region: z.string().optional(),
  region: z.string().optional(),
  web_search_price_per_request: decimal.optional(),
  input_audio_price: decimal.optional(),
  output_audio_price: decimal.optional(),
  image_price_grid_usd: z.record(z.string(), z.record(z.string(), decimal)).optional(),
});
export type SourceExtras = z.output<typeof sourceExtras>;
