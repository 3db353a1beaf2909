import type { ChatEvent, ChatReply, ChatRequest, Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';

/** What an encoder needs to know of the request that a reply belongs to. */
export type ReplyContext = {
  readonly requestId: string;
  /** The model id to show when the provider names none. */
  readonly modelId: string;
  readonly asked: ChatRequest;
  /** The caller's parsed body, for fields a dialect echoes or obeys (`stream_options`, `tools`, …). */
  readonly body: Record<string, unknown>;
  readonly nowMs: number;
  /** The best estimate of the prompt, for a dialect that reports it before the provider does. Costs a count of the prompt's tokens. */
  readonly estimatePrompt?: () => number;
  /** Called, as `reply.<what>`, with each part of the reply that the dialect has no word for. */
  readonly noteDropped?: (what: string) => void;
};

/** Usage with its price: exact decimal USD text, printed as a JSON number. */
export type PricedUsage = { readonly usage: Usage; readonly costUsd: string };

/**
 * Turns the events of one reply into the dialect's server-sent events. Synchronous and incremental: each call returns
 * the SSE text to send now ("" for nothing). Keeps the dialect's own grammar even when the provider interleaves blocks.
 */
export type ChatStreamEncoder = {
  /** `priced` comes with the `usage` event only; there is exactly one before `end`. */
  encode(event: ChatEvent, priced?: PricedUsage): string;
  /** The dialect's in-band error; nothing may follow it. */
  fail(error: GatewayError): string;
  /** What keeps a silent connection open. */
  readonly heartbeat: string;
};

/** One dialect that clients speak. */
export type WireFormat = {
  readonly dialect: ChatDialect;
  /** True where replies differ from those of `dialect`: a provider's own bytes never fit. */
  readonly isAlwaysTranslated?: true;
  /** Throws `invalid_request` naming the field at fault, in the words of the dialect. */
  decodeRequest(body: Record<string, unknown>): ChatRequest;
  /** The whole reply as JSON text. */
  encodeReply(reply: ChatReply, priced: PricedUsage, context: ReplyContext): string;
  createStreamEncoder(context: ReplyContext): ChatStreamEncoder;
};
