import { z } from 'zod';
import { nameReply } from '../named-schemas';

const price = z.number().min(0).optional();
/** Left out where no one states a value. */
const text = z.string().optional();

const tier = z.object({
  prompt_tokens_threshold: z.int().min(0),
  input_price: z.number(),
  caching_price: z.number(),
  caching_5m_price: z.number(),
  caching_1h_price: z.number(),
  cached_price: z.number(),
  output_price: z.number(),
});

const oneModel = nameReply(
  'Model',
  z.looseObject({
    id: z.string(),
    object: z.literal('model'),
    api: z.enum(['chat', 'embedding', 'image', 'speech', 'transcription']),
    created: z.int(),
    updated: z.int(),
    owned_by: z.string(),
    pricing: z
      .union([z.array(tier), z.record(z.string(), z.number())])
      .describe('USD for one token or other unit: tiers by length of the prompt for chat, named units for the rest.'),
    data_retention: z.boolean().optional(),
    data_retention_days: z.int().optional().describe('Absent where it is unknown, as all flags and numbers are: absent never means no.'),
    data_used_for_training: z.boolean().optional(),
    privacy_comments: z.string().describe('What the provider says about prompts, in our words; `unknown` where it says nothing.'),
    geolocation: z.string().describe('Where prompts are processed, as `EU`; `unknown` where the provider does not promise.'),
    description: z.string(),
    open_weights: z.boolean().optional(),
    model_lab: text,
    model_canonical_name: text,
    family: text,
    context_window: z.int().optional(),
    max_output_tokens: z.int().optional(),
    retires: z.int().optional(),
    quantization: z.string().optional(),
    discount_percentage: z
      .number()
      .optional()
      .describe('How much lower, in percent, the prices shown are than the provider’s list prices; only on discounted models.'),
    supports_caching: z.boolean().optional(),
    supports_vision: z.boolean().optional(),
    supports_computer_use: z.boolean().optional(),
    supports_reasoning: z.boolean().optional(),
    supports_image_generation: z.boolean().optional(),
    supports_tool_calling: z.boolean().optional(),
    supports_role_developer: z.boolean().optional(),
    supports_web_search: z.boolean().optional(),
    supports_output_json_object: z.boolean().optional(),
    supports_output_json_schema: z.boolean().optional(),
    input_price: price,
    output_price: price,
    cached_price: price,
    caching_price: price,
  }),
);

/** What clients of the messages dialect send; lists and models then have its shapes. */
export const VERSION_HEADER = 'anthropic-version';

const all = z.enum(['true', 'false']).optional().describe('Also what cannot be reached here.');
export const readQuery = z.object({ all });
export const managedQuery = readQuery;
export const listQuery = z.object({
  all,
  limit: z.int().min(1).max(1000).optional().describe(`Models on a page, 20 by default; with the header \`${VERSION_HEADER}\` only.`),
  after_id: z.string().optional().describe(`The page after this model; with the header \`${VERSION_HEADER}\` only.`),
  before_id: z.string().optional().describe(`The page before this model; with the header \`${VERSION_HEADER}\` only.`),
});

const instant = z.iso.datetime();
/** The same model as the messages dialect has it. */
const pagedModel = nameReply(
  'MessagesModel',
  z.object({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string(),
    created_at: instant,
    max_input_tokens: z.int().nullable(),
    max_tokens: z.int().nullable(),
    lifecycle: z.enum(['active', 'deprecated', 'retired']),
    deprecated_at: z.null(),
    retires_at: instant.nullable(),
    line: z.null(),
    capabilities: z.null(),
  }),
);
const pagedModelList = nameReply(
  'MessagesModelPage',
  z.object({
    data: z.array(pagedModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  }),
);

const modelList = nameReply('ModelList', z.object({ object: z.literal('list'), data: z.array(oneModel) }));

const managedPolicy = nameReply(
  'ManagedPolicy',
  z.looseObject({
    id: z.string().describe('What requests name as their model.'),
    object: z.literal('model'),
    api: z.literal('chat'),
    created: z.int(),
    owned_by: z.string(),
    description: text,
    strategy: z.string(),
    sticky_by: text,
    first_content_ms: z.int().optional(),
    idle_ms: z.int().optional(),
    chain: z.array(z.looseObject({ model: z.string(), weight: z.number(), retries: z.int(), available: z.boolean() })),
  }),
);

export const managedList = nameReply('ManagedPolicies', z.object({ object: z.literal('list'), data: z.array(managedPolicy) }));

export const modelListReply = nameReply('ModelListReply', z.union([modelList, pagedModelList]));
export const modelReply = nameReply('ModelReply', z.union([oneModel, pagedModel]));
