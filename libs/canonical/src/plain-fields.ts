import type { ExactNumber } from './exact-json';

/**
 * Where callers write a field in each dialect, as paths from the top of the body; the first one with a value counts. A
 * dialect that is left out has no such field.
 */
type FieldPaths = {
  readonly 'chat-completions'?: readonly string[];
  readonly responses?: readonly string[];
  readonly messages?: readonly string[];
};

/** One field of a request, as everything that handles fields by their names needs to know it. */
export type RequestField = {
  /** Its name in losses and refusals, before the caller's dialect renames it: that of chat completions. */
  readonly name: string;
  readonly paths: FieldPaths;
  /** The value that asks for nothing: leaving it out loses nothing. */
  readonly idle?: unknown;
  /** What is refused where a provider cannot do it, as the beginning of a sentence. */
  readonly title?: string;
};

/** `isExact`: a number of which every digit counts and that no one computes with. */
type PlainValue =
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: true; readonly isExact?: true }
  | { readonly type: 'string' };

export type PlainField = RequestField & { readonly value: PlainValue };

const everywhere = (name: string): FieldPaths => ({ 'chat-completions': [name], responses: [name], messages: [name] });

/**
 * The fields that are one number or one text and mean the same in every dialect that has them: decoders read them from
 * these rows, and the type of a request has a member for each.
 */
export const PLAIN_FIELDS = {
  maxOutputTokens: {
    name: 'max_tokens',
    paths: { 'chat-completions': ['max_completion_tokens', 'max_tokens'], responses: ['max_output_tokens'], messages: ['max_tokens'] },
    value: { type: 'number', min: 1, isInteger: true },
  },
  temperature: { name: 'temperature', paths: everywhere('temperature'), value: { type: 'number', min: 0, max: 2 } },
  topP: { name: 'top_p', paths: everywhere('top_p'), value: { type: 'number', min: 0, max: 1 } },
  topK: {
    name: 'top_k',
    paths: { 'chat-completions': ['top_k'], messages: ['top_k'] },
    value: { type: 'number', min: 0, isInteger: true },
  },
  seed: { name: 'seed', paths: { 'chat-completions': ['seed'] }, value: { type: 'number', isInteger: true, isExact: true } },
  presencePenalty: {
    name: 'presence_penalty',
    paths: { 'chat-completions': ['presence_penalty'], responses: ['presence_penalty'] },
    value: { type: 'number', min: -2, max: 2 },
  },
  frequencyPenalty: {
    name: 'frequency_penalty',
    paths: { 'chat-completions': ['frequency_penalty'], responses: ['frequency_penalty'] },
    value: { type: 'number', min: -2, max: 2 },
  },
  choices: {
    name: 'n',
    paths: { 'chat-completions': ['n'] },
    value: { type: 'number', min: 1, max: 128, isInteger: true },
    idle: 1,
    title: 'More than one choice',
  },
  verbosity: {
    name: 'verbosity',
    paths: { 'chat-completions': ['verbosity'], responses: ['text.verbosity'] },
    value: { type: 'string' },
  },
  serviceTier: { name: 'service_tier', paths: everywhere('service_tier'), value: { type: 'string' }, idle: 'auto' },
  /** Who asks. */
  endUserId: {
    name: 'user',
    paths: {
      'chat-completions': ['safety_identifier', 'user'],
      responses: ['safety_identifier', 'user'],
      messages: ['metadata.user_id'],
    },
    value: { type: 'string' },
  },
  cacheKey: {
    name: 'prompt_cache_key',
    paths: { 'chat-completions': ['prompt_cache_key'], responses: ['prompt_cache_key'] },
    value: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, PlainField>>;

type TypeOf<Value extends PlainValue> = Value['type'] extends 'string'
  ? string
  : Value extends { readonly isExact: true }
    ? number | ExactNumber
    : number;

export type PlainFieldId = keyof typeof PLAIN_FIELDS;

/** The members that a request has of the rows above. */
export type PlainFields = { readonly [Id in PlainFieldId]?: TypeOf<(typeof PLAIN_FIELDS)[Id]['value']> };
