import {
  FLAG,
  list,
  numberBetween,
  object,
  TEXT,
  TEXT_OR_LIST,
  TEXT_OR_OBJECT,
  textOrWholeNumber,
  wholeNumber,
  type PricedMembers,
} from './member-kinds';

/** OpenAI returns at most this many choices to one request. */
const CHOICES_MAX = 128;
/** A reply holds all its pictures: more than these are too much for one reply, and for the time that a request may take. */
export const IMAGES_MAX = 100;
const PARTIAL_IMAGES_MAX = 3;

const TOKENS = wholeNumber(1);
const CHOICES = wholeNumber(1, CHOICES_MAX);
const PARTIAL_IMAGES = wholeNumber(0, PARTIAL_IMAGES_MAX);

/** Of tools that the provider runs; tools of the caller's own have none of these but the type. */
const TOOL = object({
  type: TEXT,
  max_uses: wholeNumber(1),
  search_context_size: TEXT,
  quality: TEXT,
  size: TEXT,
  partial_images: PARTIAL_IMAGES,
});

/** Read in every chat dialect, because a provider that does not keep to its dialect may heed them there as well. */
const CHAT: PricedMembers = {
  n: CHOICES,
  best_of: CHOICES,
  stream: FLAG,
  stream_options: object({ include_usage: FLAG, include_obfuscation: FLAG }),
  service_tier: TEXT,
  tools: list(TOOL),
  web_search_options: object({ search_context_size: TEXT }),
  messages: list(),
  input: TEXT_OR_LIST,
  prediction: object(),
};

const CHAT_COMPLETIONS: PricedMembers = {
  ...CHAT,
  max_tokens: TOKENS,
  max_completion_tokens: TOKENS,
  functions: list(),
  modalities: list(TEXT),
  audio: object(),
  reasoning_effort: textOrWholeNumber(0),
  reasoning: object({ effort: TEXT, max_tokens: wholeNumber(0) }),
  thinking: object({ type: TEXT, budget_tokens: wholeNumber(0) }),
};

const RESPONSES: PricedMembers = {
  ...CHAT,
  max_output_tokens: TOKENS,
  max_tool_calls: wholeNumber(1),
  reasoning: object({ effort: TEXT }),
  background: FLAG,
  previous_response_id: TEXT,
  conversation: TEXT_OR_OBJECT,
  prompt: object(),
};

const MESSAGES: PricedMembers = {
  ...CHAT,
  max_tokens: TOKENS,
  system: TEXT_OR_LIST,
  thinking: object({ type: TEXT, budget_tokens: wholeNumber(1) }),
  output_config: object({ effort: TEXT }),
  speed: TEXT,
  inference_geo: TEXT,
  mcp_servers: list(),
  container: TEXT_OR_OBJECT,
};

const IMAGES: PricedMembers = {
  prompt: TEXT,
  n: wholeNumber(1, IMAGES_MAX),
  size: TEXT,
  quality: TEXT,
  input_fidelity: TEXT,
  stream: FLAG,
  partial_images: PARTIAL_IMAGES,
};

const TRANSCRIPTIONS: PricedMembers = { prompt: TEXT, stream: FLAG };

/**
 * The members of a request that decide its cost, by endpoint: how many choices, how long, by which tools, at which tier, and what is
 * estimated by. The estimate reads no other member by its name; what is measured by its length alone may be anything.
 */
export const PRICED_MEMBERS: Readonly<Record<string, PricedMembers>> = {
  'chat-completions': CHAT_COMPLETIONS,
  completions: { ...CHAT_COMPLETIONS, prompt: TEXT_OR_LIST },
  responses: RESPONSES,
  messages: MESSAGES,
  'count-tokens': MESSAGES,
  'count-input-tokens': RESPONSES,
  embeddings: { input: TEXT_OR_LIST, dimensions: wholeNumber(1), encoding_format: TEXT, stream: FLAG },
  'image-generations': IMAGES,
  'image-edits': { ...IMAGES, images: list(), mask: object() },
  speech: { input: TEXT, instructions: TEXT, speed: numberBetween(0.25, 4), stream_format: TEXT, stream: FLAG },
  transcriptions: TRANSCRIPTIONS,
  translations: TRANSCRIPTIONS,
};
