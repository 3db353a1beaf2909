import type { EmbeddingReply, EmbeddingRequest, LossReport, OriginalBody } from '@weir/canonical';
import type { EncodedCall, ExpressCall, ProviderTarget } from './target';

/** The reply to one call. Some providers report usage in a header only. */
export type WholeReply = {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

type EmbeddingCommon = {
  /** Whether inputs may be tokens; requests with tokens are refused otherwise. */
  readonly takesTokens: boolean;
};

/** The caller's own body goes on, in one call, and the provider's own reply comes back: both are in the caller's dialect. */
export type EmbeddingExpress = EmbeddingCommon & {
  readonly kind: 'express';
  encodeOriginal(body: OriginalBody, target: ProviderTarget): ExpressCall;
  /** Reads the tokens of the prompt from the provider's `usage` (already parsed). Returns null when it reports none. */
  readUsage(usage: unknown): number | null;
};

/** The request is translated into the provider's format. One with more inputs than a call takes becomes several calls. */
export type EmbeddingCodec = EmbeddingCommon & {
  readonly kind: 'translated';
  /** How many inputs one call takes. */
  inputsMax(target: ProviderTarget): number;
  /** `request` holds the inputs of this call only. */
  encodeRequest(request: EmbeddingRequest, target: ProviderTarget, losses: LossReport): EncodedCall;
  /** Throws `provider_unreadable` for anything but a reply. */
  decodeReply(reply: WholeReply, target: ProviderTarget): EmbeddingReply;
};

/** How embeddings are made at one provider. */
export type EmbeddingLane = EmbeddingExpress | EmbeddingCodec;
