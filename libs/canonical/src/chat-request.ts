import type { CacheMark, ContentBlock } from './content';
import type { PlainFields } from './plain-fields';

/**
 * One turn. Tool results stand in a `tool` turn of their own (content: tool-result blocks only), directly after the
 * assistant turn that called; codecs that want them inside a user turn merge neighbours.
 */
export type ChatTurn = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentBlock[];
  readonly name?: string;
};

export type FunctionTool = {
  readonly kind: 'function';
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; absent for a tool without any. */
  readonly parameters?: Record<string, unknown>;
  readonly isStrict?: boolean;
  readonly cache?: CacheMark;
};
/** A tool with free-form input. */
export type CustomTool = { readonly kind: 'custom'; readonly name: string; readonly description?: string; readonly format?: unknown };
export type WebSearchTool = {
  readonly kind: 'web-search';
  readonly usesMax?: number;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly contextSize?: 'low' | 'medium' | 'high';
  readonly userLocation?: { readonly country?: string; readonly region?: string; readonly city?: string; readonly timezone?: string };
};
/** A tool hosted by one family of providers; expressible there only. */
type HostedTool = { readonly kind: 'hosted'; readonly family: string; readonly type: string; readonly raw: unknown };
export type Tool = FunctionTool | CustomTool | WebSearchTool | HostedTool;

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string; readonly isCustom?: boolean }
  | {
      readonly kind: 'allowed';
      readonly mode: 'auto' | 'required';
      readonly names: readonly string[];
      /** The web search, which has no name, is one of them. */
      readonly hasSearch?: true;
    };

export type ResponseFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'json-schema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: Record<string, unknown>;
      readonly isStrict?: boolean;
    };

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type ReasoningOptions = {
  readonly effort?: ReasoningEffort;
  readonly budgetTokens?: number;
  /** `adaptive`: the model decides how much to think. */
  readonly mode?: 'enabled' | 'adaptive' | 'disabled';
  readonly summary?: 'auto' | 'concise' | 'detailed';
  /** The caller wants the encrypted reasoning back to send it again. */
  readonly wantsState?: boolean;
};

/** A request in no dialect. Its plain fields, each one number or one text, are rows of `PLAIN_FIELDS`. */
export type ChatRequest = PlainFields & {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly stream: boolean;
  readonly stop?: readonly string[];
  readonly logitBias?: Record<string, number>;
  /** Number of alternatives per token; 0 asks for the chosen token only. */
  readonly topLogprobs?: number;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly hasParallelTools?: boolean;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningOptions;
  /** Cache the prompt up to its last block. */
  readonly autoCache?: CacheMark;
  /** Fields of the caller's dialect that this language has no word for, by name; reported when they are lost. */
  readonly unmapped?: Record<string, unknown>;
};
