import { MODALITIES } from '@weir/contracts';
import { z } from 'zod';

export const CAPABILITIES = [
  'caching',
  'vision',
  'computer_use',
  'reasoning',
  'image_generation',
  'tool_calling',
  'role_developer',
  'web_search',
  'output_json_object',
  'output_json_schema',
] as const;

const text = z.string().min(1).max(300);
const count = z.int().min(1);
const unixSeconds = z.int().min(0);
/** USD as plain decimal text with at most 18 places, so that no float ever holds a price. */
const usd = z.string().regex(/^\d{1,9}(\.\d{1,18})?$/);
const usdOrUnknown = usd.nullable().default(null);
/** From when a price is in force, UTC: a day from its first moment on, or a moment to the second. Both sort as texts. */
const beginning = z.union([z.iso.date(), z.iso.datetime({ precision: 0 })]);
/** How much lower a price is than the provider's list price, in percent; the price itself has it taken off already. */
const discountPercentage = z.number().gt(0).max(100).optional();

/** Prices per token. A null means that the provider does not state one; `toPriceSheet` says what is charged then. */
const tier = z.strictObject({
  /** The tier applies to the whole request once its prompt tokens exceed this. */
  threshold: z.int().min(0),
  input: usd,
  output: usd,
  cachedRead: usdOrUnknown,
  cacheWrite: usdOrUnknown,
  cacheWrite5m: usdOrUnknown,
  cacheWrite1h: usdOrUnknown,
});

/** A price is never overwritten: a change appends an entry, and usage events name the version that they were priced by. */
const datedPrice = z.union([
  z.strictObject({
    version: text,
    validFrom: beginning,
    discountPercentage,
    tiers: z.array(tier).min(1),
    /** Per web search made by the provider. */
    search: usdOrUnknown,
    /** Of those with a medium or a high context size, where they cost more. */
    searchMedium: usd.optional(),
    searchHigh: usd.optional(),
    /** Per token of audio, where the provider charges audio differently from text. */
    audioInput: usdOrUnknown,
    audioOutput: usdOrUnknown,
  }),
  z.strictObject({ version: text, validFrom: beginning, discountPercentage, units: z.record(z.string(), usd) }),
]);

/** What a provider says about the prompts it receives. Null: it does not say, which is not the same as no. */
const dataPolicy = z.strictObject({
  retention: z.boolean().nullable().default(null),
  retentionDays: z.int().min(0).nullable().default(null),
  training: z.boolean().nullable().default(null),
  comments: text.nullable().default(null),
});

/** One model at one provider: a line of `data/models/<provider>.json`. Absent facts read as null, false or none. */
export const modelRecord = z.strictObject({
  id: z
    .string()
    .max(200)
    .regex(/^[a-z0-9][a-zA-Z0-9._:-]*(\/[a-zA-Z0-9][a-zA-Z0-9._:-]*)+$/),
  modality: z.enum(MODALITIES),
  provider: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  /** The model's name at the provider. */
  upstreamModel: text,
  /** The provider's own name of the region, where the model is bound to one. */
  region: text.nullable().default(null),
  vendor: text,
  lab: text.nullable().default(null),
  /** Links the same model across providers and regions. */
  canonicalName: text,
  family: text.nullable().default(null),
  description: text.nullable().default(null),
  created: unixSeconds.nullable().default(null),
  updated: unixSeconds.nullable().default(null),
  retires: unixSeconds.nullable().default(null),
  contextWindow: count.nullable().default(null),
  maxInputTokens: count.nullable().default(null),
  maxOutputTokens: count.nullable().default(null),
  /** Length of an embedding unless the caller asks for another. */
  dimensions: count.nullable().default(null),
  supports: z.array(z.enum(CAPABILITIES)).default([]),
  inputModalities: z.array(z.enum(['text', 'image', 'audio', 'video', 'pdf'])).default([]),
  /** The provider serves the model by its responses interface only. */
  responsesOnly: z.boolean().default(false),
  /** The model takes tools by its provider's responses interface only. */
  toolsNeedResponses: z.boolean().default(false),
  noTemperature: z.boolean().default(false),
  noParallelTools: z.boolean().default(false),
  /** How reasoning is steered: `toggle`, `budget_tokens`, `effort:low/medium/high`. */
  reasoningOptions: z.array(text).default([]),
  /** The field of replies that holds reasoning, where it is not the usual one. */
  reasoningField: text.nullable().default(null),
  dataPolicy: dataPolicy.prefault({}),
  /** Where prompts are processed: `EU`, `US`, …; null when the provider does not promise. */
  geolocation: text.nullable().default(null),
  openWeights: z.boolean().nullable().default(null),
  quantization: text.nullable().default(null),
  /** Oldest first. */
  prices: z.array(datedPrice).min(1),
});

export type ModelRecord = z.output<typeof modelRecord>;
/** A record as it stands in a data file, with absent facts left out. */
export type ModelRow = z.input<typeof modelRecord>;
export type DatedPrice = ModelRecord['prices'][number];
export type DatedTierPrice = Extract<DatedPrice, { tiers: unknown }>;
export type DatedUnitPrice = Extract<DatedPrice, { units: unknown }>;
export type PriceTier = DatedTierPrice['tiers'][number];
