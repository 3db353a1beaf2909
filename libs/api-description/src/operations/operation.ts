import type { ErrorCode } from '@weir/errors';
import type { z } from 'zod';

/** Where an operation stands in the rendered document, in this order. */
export const TAGS = {
  Chat: 'Three dialects of chat. Each of them reaches every chat model: requests and replies are translated, and what cannot be translated is reported.',
  Embeddings: 'Text to vectors.',
  Images: 'Generation and editing of images.',
  Audio: 'Speech from text, text from speech.',
  Files: 'Files that later requests name by id.',
  Models: 'What can be asked for, and at which price. Public; with a key, what this key may use.',
  Organization: 'What a key may read about itself, its organization and its requests.',
  'Access lists': 'Which models keys and groups may use.',
  'API keys': 'Keys, their limits and labels.',
  Groups: 'Groups of keys and people, with budgets.',
  Members: 'People of the organization.',
  Settings: 'What holds for the whole organization, and who changed what.',
  Usage: 'What was used and what it cost, exactly.',
  Limits: 'How much of what may be used, by whom and in which time.',
  Finance: 'Other currencies, cost centres, mark-ups, invoices, closing months and budgets.',
  Money: 'Balance, automatic top-ups and alerts.',
  'Provider credentials': 'The organization’s own accounts at providers.',
  Routing: 'Policies and aliases: names for chains of models.',
  Guardrails: 'What is looked for in prompts and replies, and what happens when it is found.',
  Provisioning: 'Members and groups as a directory keeps them: SCIM 2.0 (RFC 7643 and RFC 7644).',
  Service: 'Of the gateway itself.',
} as const;
export type Tag = keyof typeof TAGS;

/** A request that works as it stands, once the ids of `EXAMPLE_IDS` in it are ids of things that exist. */
export type Example = {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  /** Fields of a form; a field named in `FILE_FIELDS` holds the name of a sample file. */
  readonly form?: Readonly<Record<string, string>>;
  readonly status: number;
};

/** Server-sent events: by name, or of one shape where events have no names. */
export type EventStream = {
  readonly about: string;
  readonly named?: ReadonlyMap<string, z.ZodType>;
  /** Shapes of events without a name. */
  readonly unnamed?: readonly z.ZodType[];
};

export type ResponseDescription = {
  readonly about: string;
  readonly json?: z.ZodType;
  readonly events?: EventStream;
  /** Media types that are not JSON, with what they hold. */
  readonly media?: Readonly<Record<string, string>>;
  /** Names of response headers beyond those of every response. */
  readonly headers?: readonly HeaderName[];
};

/** What is public about one row of the endpoint table and not in the row itself. */
export type Operation = {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly about?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly form?: z.ZodType;
  readonly isBodyOptional?: boolean;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Beyond those that follow from the row. */
  readonly errors?: readonly ErrorCode[];
  readonly examples: readonly [Example, ...Example[]];
};

/** Headers of responses that callers may rely on. */
export const HEADERS = {
  'x-request-id': 'The id of this request; usage, logs and error envelopes name it as well.',
  'x-weir-model': 'The model that served the request.',
  'x-weir-provider': 'The provider that served the request.',
  'x-weir-cost':
    'The cost in USD, as exact decimal text: what the request is charged. Absent from streams of events, whose last event has it. Of speech that is charged by what its provider reports it is a trailer, behind the audio.',
  'x-weir-cost-estimate':
    'An estimate of the cost in USD, at the head of speech that is charged by what its provider reports at the end; never together with `x-weir-cost` in one head.',
  'x-weir-usage':
    '`estimated` where the usage of a whole reply, and so its cost, is an estimate; absent otherwise. A trailer where `x-weir-cost` is one.',
  'x-weir-attempts': 'How many places the request was sent to.',
  'x-weir-queued-ms': 'How long the request waited for its turn at a provider that limits its rate; absent where it did not.',
  'x-weir-dropped':
    'Fields that the provider’s dialect has no word for, and parts of the reply that the caller’s has none for (`reply.…`).',
  'x-weir-approximated': 'Fields that were translated to something near.',
  'x-weir-max-tokens-clamped': 'The limit of output tokens, where it was lowered to what is left of a limit.',
  'x-weir-fallback-model': 'The model that a full limit has sent the request to, in place of the one it names.',
  'x-weir-count-source': '`provider` or `estimate`: whose count of tokens it is.',
  'x-weir-usage-range': 'The range that was counted, which is the one that was asked for: `<start>/<end>` in UTC.',
  'x-weir-final': '`false` while the period of the file runs: it is what was used to date, and will be more.',
  'x-weir-usage-restatable-until': 'Until when usage that arrives late may still lead to a higher revision.',
  'x-weir-usage-revision': 'The revision of the file; it changes when usage of its month does.',
  'x-weir-usage-as-of': 'When this revision came about; empty where nothing was used.',
  'x-weir-usage-lines': 'Lines of the file without its header.',
  'x-weir-usage-requests': 'Requests in the file.',
  'x-weir-usage-spend': 'USD worth of the file, as exact decimal text.',
  'x-weir-usage-billed': 'USD billed for the file, as exact decimal text.',
  'x-weir-cache': '`hit`, `miss`, or `off; zero-retention`; where the request asked for the response cache.',
  'x-weir-idempotency': '`off; zero-retention`: the `Idempotency-Key` is without effect, because nothing may be kept.',
  'idempotency-replayed': '`true`: this is the response that the first request under this `Idempotency-Key` got.',
  'x-weir-guardrail':
    '`passed`, `flagged`, `masked`, `not_scanned` or `scan_error`: what guardrails made of the request, of a whole reply as well. Absent where none holds.',
  'x-weir-limits-unavailable': '`lease`, `deny` or `allow`: what decided while the counters of limits could not be reached.',
  'x-weir-provider-ms': 'Milliseconds that providers were waited for until the reply began; where the request asked (`X-Weir-Debug`).',
  'x-weir-overhead-ms': 'Milliseconds until the reply began that were the gateway’s own; where the request asked (`X-Weir-Debug`).',
  'request-id': 'The same as `x-request-id`, where clients of this dialect look for it.',
  'x-ratelimit-limit-requests':
    'Requests that a limit lets through: a minute for the member whose key it is, or the limit of requests with the least left.',
  'x-ratelimit-remaining-requests': 'How many of them are left at this moment.',
  'x-ratelimit-reset-requests': 'When they are there again, as `8.64s` or `1m0s`.',
  'x-ratelimit-limit-tokens': 'Tokens that a limit allows; of several the one with the least left.',
  'x-ratelimit-remaining-tokens': 'How many of them are left, after what is set aside for this request.',
  'x-ratelimit-reset-tokens': 'When they are there again, as `8.64s` or `1m0s`.',
  'anthropic-ratelimit-requests-limit': 'As `x-ratelimit-limit-requests`.',
  'anthropic-ratelimit-requests-remaining': 'As `x-ratelimit-remaining-requests`.',
  'anthropic-ratelimit-requests-reset': 'When they are there again (RFC 3339).',
  'anthropic-ratelimit-tokens-limit': 'As `x-ratelimit-limit-tokens`.',
  'anthropic-ratelimit-tokens-remaining': 'As `x-ratelimit-remaining-tokens`.',
  'anthropic-ratelimit-tokens-reset': 'When they are there again (RFC 3339).',
  'anthropic-ratelimit-input-tokens-limit': 'The same of a limit of input tokens alone.',
  'anthropic-ratelimit-input-tokens-remaining': 'How many of them are left, after what is set aside for this request.',
  'anthropic-ratelimit-input-tokens-reset': 'When they are there again (RFC 3339).',
  'anthropic-ratelimit-output-tokens-limit': 'The same of a limit of output tokens alone.',
  'anthropic-ratelimit-output-tokens-remaining': 'How many of them are left, after what is set aside for this request.',
  'anthropic-ratelimit-output-tokens-reset': 'When they are there again (RFC 3339).',
  'retry-after': 'Whole seconds after which trying again can help.',
  'x-should-retry': '`true` or `false`: whether trying again unchanged can help within a minute. Official SDKs obey it.',
  etag: 'Of the document; send it back as `If-None-Match`, and with a change of a resource as `If-Match`.',
  location: 'Where the new resource is.',
} as const;
export type HeaderName = keyof typeof HEADERS;

export const INFERENCE_HEADERS = [
  'x-weir-model',
  'x-weir-provider',
  'x-weir-attempts',
  'x-weir-queued-ms',
  'x-weir-fallback-model',
] as const satisfies readonly HeaderName[];
export const CHAT_HEADERS = [
  ...INFERENCE_HEADERS,
  'x-weir-cost',
  'x-weir-usage',
  'x-weir-dropped',
  'x-weir-approximated',
  'x-weir-max-tokens-clamped',
] as const satisfies readonly HeaderName[];
