import type { ErrorCode } from '@weir/errors';

/** Why a provider failed, where it says so in words that its status does not say. */
type Cause = {
  readonly code: ErrorCode;
  /** Codes and types of providers for it. */
  readonly words: readonly string[];
  /** How providers say it; `sent` and `most` are tokens. */
  readonly texts: readonly RegExp[];
  /** The provider's statuses at which a text is believed; whole classes by their first digit. */
  readonly at: readonly number[];
};

/** The first that applies counts. What is said of our account comes before what is said of the request. */
const CAUSES: readonly Cause[] = [
  {
    code: 'provider_quota_exhausted',
    words: [
      ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'account_deactivated'], // OpenAI
      'billing_error', // Anthropic
      'insufficient_balance', // DeepSeek
      'exceeded_current_quota_error', // Moonshot
      ...['Arrearage', 'AllocationQuota.FreeTierOnly'], // Alibaba
      'payment_required', // Together, Fireworks, OpenRouter
    ],
    texts: [
      /credit balance is too low/i, // Anthropic
      /insufficient balance/i, // DeepSeek, Zhipu, MiniMax
      /used all available credits or reached its monthly spending limit/i, // xAI
      /insufficient credits|requires more credits/i, // OpenRouter
      /account .{0,80}is not active, please check your billing/i, // OpenAI
      /credit limit exceeded/i, // Together
      /trial key, which is limited to \d+ API calls \/ month/i, // Cohere
    ],
    at: [402, 400, 403, 412, 429],
  },
  {
    code: 'provider_credentials',
    words: [
      'invalid_api_key',
      'API_KEY_INVALID',
      'authentication_error',
      'permission_error',
      'invalid_authentication_error',
      'InvalidApiKey',
    ],
    texts: [/API key not valid|api key expired|incorrect api key provided|invalid api key/i],
    at: [4],
  },
  {
    code: 'provider_context_exceeded',
    words: ['context_length_exceeded', 'context_window_exceeded', 'model_max_prompt_tokens_exceeded', 'exceed_context_size_error'],
    texts: [
      /prompt is too long(?:: (?<sent>\d+) tokens > (?<most>\d+) maximum)?/i, // Anthropic
      /input length and `max_tokens` exceed context limit: (?<sent>\d+) \+ \d+ > (?<most>\d+)/i, // Anthropic
      /maximum context length is (?<most>\d+) tokens(?:.{0,60}?(?:resulted in|requested(?: about)?) (?<sent>\d+) tokens)?/i, // OpenAI, DeepSeek, vLLM, OpenRouter
      /exceeds? the context window/i, // OpenAI
      /input tokens exceed the configured limit of (?<most>\d+) tokens(?:\. Your messages resulted in (?<sent>\d+) tokens)?/i, // OpenAI
      /input token count (?:\((?<sent>\d+)\) )?exceeds the maximum number of tokens allowed(?: \(?(?<most>\d+))?/i, // Google
      /input is too long for requested model|too many input tokens\. max input tokens: (?<most>\d+)/i, // Bedrock
      /maximum prompt length is (?<most>\d+)(?: but the request contains (?<sent>\d+) tokens)?/i, // xAI
      /prompt contains (?<sent>\d+) tokens.{0,80}?too large for model with (?<most>\d+) maximum context length/i, // Mistral
      /too many tokens: (?:the )?total number of tokens.{0,120}? (?:cannot exceed|limit of) (?<most>\d+)/i, // Cohere
      /too many tokens: size limit exceeded by \d+ tokens/i, // Cohere
      /current length is (?<sent>\d+) while limit is (?<most>\d+)/i, // Cerebras
      /reduce the length of the messages/i, // Groq, Cerebras
      /exceed(?:s|ed) (?:the )?(?:model'?s )?max(?:imum)? (?:context|sequence) length/i, // Fireworks, SambaNova
      /exceeds (?:the )?maximum allowed input length of (?<most>\d+) tokens/i, // DeepInfra
      /input \((?<sent>\d+) tokens\) is longer than the model'?s context length \((?<most>\d+) tokens\)/i, // SGLang
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<most>\d+)(?:\. Given: (?<sent>\d+))?/i, // Together, Hugging Face
      /range of input length should be \[\d+, (?<most>\d+)\]/i, // Alibaba
      /exceeded model token limit: (?<most>\d+)(?: \(requested: (?<sent>\d+)\))?/i, // Moonshot
      /context window exceeds limit/i, // MiniMax
      /prompt exceeds max(?:imum)? length/i, // Zhipu
      /exceeds the available context size(?: \((?<most>\d+) tokens\))?/i, // llama.cpp
      /prompt too long; exceeded (?:max )?context length/i, // Ollama
      /(?:greater|longer) than the (?:model'?s )?context (?:length|window)/i, // LM Studio, Perplexity
    ],
    at: [4, 5],
  },
  {
    code: 'provider_content_filtered',
    words: [
      ...['content_policy_violation', 'content_filter', 'moderation_blocked', 'image_content_policy_violation'], // OpenAI, Azure
      ...['DataInspectionFailed', 'data_inspection_failed'], // Alibaba
      'responsible_ai_policy_violation', // Azure
    ],
    texts: [
      /content filtering policy/i, // Anthropic
      /content management policy/i, // Azure
      /flagged as potentially violating our usage policy/i, // OpenAI
      /rejected (?:as a result of|by) (?:our|the) safety system/i, // OpenAI
      /blocked by (?:our |the )?(?:content filters?|moderation)|requires moderation on/i, // Bedrock, OpenRouter
      /content (?:exists risk|violates usage guidelines)/i, // DeepSeek, xAI
      /considered high risk/i, // Moonshot
    ],
    at: [4],
  },
  {
    code: 'provider_model_not_found',
    words: [
      'model_not_found',
      'DeploymentNotFound',
      'model_decommissioned',
      'model_deprecated',
      'ModelNotFound',
      'resource_not_found_error',
    ],
    texts: [
      /^model: [\w.:@/-]+$/, // Anthropic
      /the model .{1,120}?(?:does not exist|has been (?:deprecated|decommissioned|retired|shut ?down)|is (?:deprecated|decommissioned|retired))/i, // OpenAI, Groq, Moonshot
      /models\/\S+ is (?:not found for API version|no longer available)/i, // Google
      /publisher model .{1,200}? (?:was )?not found/i, // Vertex
      /model identifier is invalid|on-demand throughput isn.t supported|end of its life/i, // Bedrock
      /^invalid model: /i, // Mistral
      /model ['"`]?\S{1,120}?['"`]? (?:was )?not found|model not exist|not a valid model id/i, // Cohere, Ollama, DeepSeek, OpenRouter
    ],
    at: [400, 404, 410],
  },
  {
    code: 'provider_overloaded',
    words: ['overloaded_error', 'engine_overloaded_error', 'server_is_overloaded', 'slow_down', 'model_overloaded'],
    texts: [/\b(?:engine|model|server|service) is (?:currently )?(?:overloaded|over ?capacity|at capacity)/i],
    at: [429, 5],
  },
];

const CAUSE_OF_WORD = new Map(CAUSES.flatMap((cause) => cause.words.map((word) => [word, cause] as const)));

/** Longer texts than this are no error messages; patterns are bounded by it. */
const READ_CHARACTERS_MAX = 4_000;

type Found = { readonly code: ErrorCode; readonly context?: { readonly sent?: number; readonly most?: number } };

/** The cause that a provider's words name; undefined where only its status says something. */
export function findCause(
  status: number,
  { code, type, message }: { readonly code?: string; readonly type?: string; readonly message: string },
): Found | undefined {
  const named = CAUSE_OF_WORD.get(code ?? '') ?? CAUSE_OF_WORD.get(type ?? '');
  const text = message.slice(0, READ_CHARACTERS_MAX);
  if (named !== undefined) return { code: named.code, ...countTokens(firstMatch(named, text)?.groups) };
  for (const cause of CAUSES) {
    const match = cause.at.some((at) => at === status || at === Math.floor(status / 100)) ? firstMatch(cause, text) : undefined;
    if (match !== undefined) return { code: cause.code, ...countTokens(match.groups) };
  }
  return undefined;
}

function firstMatch({ texts }: Cause, text: string): RegExpExecArray | undefined {
  for (const pattern of texts) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return undefined;
}

function countTokens({ sent, most }: Record<string, string | undefined> = {}): Pick<Found, 'context'> {
  if (sent === undefined && most === undefined) return {};
  return {
    context: { ...(sent === undefined ? {} : { sent: Number(sent) }), ...(most === undefined ? {} : { most: Number(most) }) },
  };
}
