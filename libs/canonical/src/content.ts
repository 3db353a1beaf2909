/** Where the caller's request has a piece of media, for refusals. */
type Placed = { readonly field?: string };

/** Where a piece of media comes from. `data` is base64 without a data-URL prefix. */
export type MediaSource =
  | ({ readonly kind: 'url'; readonly url: string } & Placed)
  | ({ readonly kind: 'base64'; readonly mediaType: string; readonly data: string } & Placed)
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  /** Scoped to the provider that issued it: expressible on the native route only. */
  | ({ readonly kind: 'file'; readonly fileId: string } & Placed);

/** Asks the provider to cache the prompt up to and including the block that carries this. */
export type CacheMark = { readonly ttl?: '5m' | '1h' };

/**
 * Provider state that must come back unchanged on the next turn (a thinking signature, encrypted reasoning).
 * `family` names who issued it: a blob is never sent to another family.
 */
export type OpaqueState = {
  readonly family: string;
  readonly kind: 'signature' | 'encrypted' | 'redacted';
  readonly value: string;
};

/** A document of the request or of the provider's own store. */
export type CitedDocument = {
  /** Its place among the documents of the request, from 0. */
  readonly index?: number;
  /** The id that its store gives it. */
  readonly id?: string;
  /** Where in it the cited text stands, the end exclusive. Characters and blocks count from 0, pages from 1. */
  readonly place?: { readonly unit: 'character' | 'page' | 'block'; readonly start: number; readonly end: number };
};

export type Citation = {
  readonly url?: string;
  readonly title?: string;
  readonly citedText?: string;
  /** Character offsets into the text of the block; absent when the provider does not say. */
  readonly start?: number;
  readonly end?: number;
  /** What is cited, where that is no page with an address. */
  readonly document?: CitedDocument;
  /** The citation in the wording of the dialect it came from, for a caller that speaks it. */
  readonly original?: { readonly family: string; readonly raw: unknown };
};

export type TextBlock = {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
  readonly cache?: CacheMark;
};
export type ImageBlock = { readonly type: 'image'; readonly source: MediaSource; readonly detail?: string; readonly cache?: CacheMark };
export type DocumentBlock = {
  readonly type: 'document';
  readonly source: MediaSource;
  readonly filename?: string;
  readonly context?: string;
  readonly hasCitations?: boolean;
  readonly cache?: CacheMark;
};
export type AudioBlock = { readonly type: 'audio'; readonly data: string; readonly format: string } & Placed;
export type VideoBlock = { readonly type: 'video'; readonly source: MediaSource };
type RefusalBlock = { readonly type: 'refusal'; readonly text: string };
export type ToolCallBlock = {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** The original text of the arguments: never re-serialised. For `custom` tools the free-form input. */
  readonly argumentsText: string;
  readonly kind: 'function' | 'custom';
  readonly state?: OpaqueState;
  readonly cache?: CacheMark;
};
export type ToolResultBlock = {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
  readonly cache?: CacheMark;
};
export type ReasoningBlock = {
  readonly type: 'reasoning';
  readonly text: string;
  /** The text is a summary, not the reasoning itself. */
  readonly isSummary?: boolean;
  readonly state?: OpaqueState;
};
export type WebSearchResult = { readonly url: string; readonly title: string; readonly age?: string; readonly state?: OpaqueState };
export type WebSearchBlock = {
  readonly type: 'web-search';
  readonly id: string;
  readonly query: string;
  readonly results: readonly WebSearchResult[];
  readonly errorCode?: string;
};
/** Something only one dialect knows, kept for callers and providers of that dialect. */
export type OpaqueBlock = { readonly type: 'opaque'; readonly family: string; readonly raw: unknown };

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | AudioBlock
  | VideoBlock
  | RefusalBlock
  | ToolCallBlock
  | ToolResultBlock
  | ReasoningBlock
  | WebSearchBlock
  | OpaqueBlock;
