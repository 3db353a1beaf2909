import { z } from 'zod';
import { memberKnobs } from '../../members/member-rules.schema';
import { mediaRules } from './media-rules.schema';

const names = z.array(z.string());

/** Edits to the parameters of a request, for all models or for reasoning models only. */
const paramRules = z.strictObject({
  /** Parameter in OpenAI's words → the provider's name for it. */
  renameParams: z.record(z.string(), z.string()).default({}),
  /** Parameters the provider refuses with an error. */
  dropParams: names.default([]),
  /** Sent unless the caller gave a value. */
  defaults: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Ways in which replies differ from the published types of chat completions; each is put right in the express lane.
 * - `members-left-out`: members that every reply has are absent, null, or change within a stream
 * - `roles-repeated`: every chunk names the role
 * - `finish-reason-words`: reasons beyond the published ones, `stop` after tool calls, or no reason at all
 * - `content-parts`: content is a list of parts, thinking among them
 * - `tool-call-fragments`: tool calls without index, id or type, with repeated ids, or with arguments that are no text
 * - `last-delta-with-reason`: the last piece of the answer and the reason to stop share a chunk, or more follows it
 * - `reasoning-name`: reasoning stands in `reasoning`
 */
const chatDeviation = z.enum([
  'members-left-out',
  'roles-repeated',
  'finish-reason-words',
  'content-parts',
  'tool-call-fragments',
  'last-delta-with-reason',
  'reasoning-name',
]);

export type ChatDeviation = z.infer<typeof chatDeviation>;

/** One provider that speaks chat completions: data only. A new quirk is a new knob here and one branch where it acts. */
export const compatibleProvider = paramRules.extend({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string(),
  baseUrl: z.url(),
  /** How the key travels. */
  credential: z.union([z.literal('bearer'), z.strictObject({ header: z.string().regex(/^[a-z0-9-]+$/) })]).default('bearer'),
  /** Servers on one's own machine work without a key; naming their address is then enough to configure them. */
  isKeyOptional: z.boolean().default(false),
  /** The customary names of the environment variables, after PROVIDER_<ID>_API_KEY and PROVIDER_<ID>_BASE_URL. */
  env: z.strictObject({ apiKey: names, baseUrl: names }),
  /** Path of each capability, appended to the base URL. */
  endpoints: z.strictObject({
    chat: z.string(),
    embedding: z.string().optional(),
    /** With `{model}` in it: a workflow for each model, which draws in ratios. */
    image: z.string().optional(),
    imageEdit: z.string().optional(),
    speech: z.string().optional(),
    transcription: z.string().optional(),
    translation: z.string().optional(),
  }),
  /** Embedding requests, where there is an endpoint for them. */
  embeddings: z
    .strictObject({
      renameParams: z.record(z.string(), z.string()).default({}),
      dropParams: names.default([]),
      /** Input may be tokens instead of text. */
      takesTokens: z.boolean().default(false),
      /** Vectors come as base64 when asked for; otherwise they are asked for as numbers and packed here. */
      hasBase64: z.boolean().default(false),
    })
    .prefault({}),
  ...mediaRules,
  /** Base URLs by region. */
  regions: z.record(z.string(), z.url()).default({}),
  extraHeaders: z.record(z.string(), z.string()).default({}),
  reasoningModels: paramRules.prefault({}),
  /** `by-model`: kept where the catalogue says so. */
  developerRole: z.enum(['by-model', 'never']).default('never'),
  /** Models that think refuse temperature and its kin, unless thinking is switched off. */
  refusesSampling: z.enum(['never', 'while-reasoning']).default('never'),
  /** Several text parts as they are, or joined into one string. */
  textPartsAs: z.enum(['parts', 'string']).default('parts'),
  /** `on-request`: reported when asked for; `always`: reported unasked, the option is not sent; `never`: not reported, the option is refused. */
  streamUsage: z.enum(['on-request', 'always', 'never']).default('on-request'),
  /** Service tiers that cost more or less than the ordinary one, whose prices the catalogue does not have. */
  pricedTiers: names.default([]),
  /** Those that cost as much as the ordinary one, beside the words that mean it everywhere. Any other is left out, and the loss reported. */
  ordinaryTiers: names.default([]),
  /** What is ruled on in bodies that go on in the caller's own words, beyond what holds for every provider. */
  members: memberKnobs.prefault({}),
  /** The names of its models are of an operator's own deployments: what a reply calls itself says nothing about its price. */
  namesDeployments: z.boolean().default(false),
  /** How its replies deviate. All of them unless stated: of a server that is not known, anything may come. */
  deviations: z.array(chatDeviation).default([...chatDeviation.options]),
  /** How its usage counts. */
  usage: z.enum(['standard', 'reasoning-apart', 'one-search-each']).default('standard'),
  toolCallIds: z.enum(['any', 'nine-alphanumerics', 'forty-characters']).default('any'),
  /** Tool results carry the tool's name. */
  namesToolResults: z.boolean().default(false),
  hasCustomTools: z.boolean().default(false),
  hasAllowedTools: z.boolean().default(false),
  /** Cutting the connection stops the billing, or the whole answer is billed all the same. */
  cancel: z.enum(['abort', 'drain']).default('abort'),
  /** Where reasoning of earlier turns goes back. */
  reasoningField: z.enum(['none', 'reasoning_content', 'reasoning']).default('none'),
  /** Reasoning carries state in `reasoning_details`, which goes back unchanged. */
  hasReasoningDetails: z.boolean().default(false),
  /** Turns with tool calls are refused without reasoning. */
  needsReasoningOnToolTurns: z.boolean().default(false),
  reasoningParam: z.enum(['none', 'effort', 'thinking', 'enable-thinking', 'reasoning-object']).default('effort'),
  /** The efforts it takes, where those are not OpenAI's; others become the nearest. */
  efforts: z.array(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])).default([]),
  filePart: z.enum(['file', 'document-url', 'none']).default('none'),
  videoPart: z.enum(['video-url', 'none']).default('none'),
  /** How the addresses begin that it fetches, for kinds of media it does not fetch from anywhere; see `FetchedAddresses`. */
  fetchedAddresses: z.strictObject({ image: names.optional(), document: names.optional(), video: names.optional() }).optional(),
  /** `options`: by `web_search_options` on search models; `always`: every answer searches; `plugin`: as a plugin. */
  webSearch: z.enum(['none', 'options', 'always', 'plugin']).default('none'),
  /** Other models search through its Responses API: such requests leave the express lane. */
  searchesThroughResponses: z.boolean().default(false),
  /** Parameters beyond OpenAI's that it knows. */
  extraParams: names.default([]),
});

export type CompatibleProvider = z.infer<typeof compatibleProvider>;

export const compatibleProviders = z.array(compatibleProvider).superRefine((entries, context) => {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(entry.id)) context.addIssue({ code: 'custom', message: `two entries for ${entry.id}` });
    seen.add(entry.id);
  }
});
