import type { BodyInPieces } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';

/** What the catalogue knows of the model an attempt goes to, as far as encoders need it. */
export type ModelFacts = {
  readonly id: string;
  readonly maxOutputTokens: number | null;
  /** Null or absent: unknown. */
  readonly contextWindow?: number | null;
  readonly supportsDeveloperRole: boolean;
  readonly supportsReasoning: boolean;
  readonly supportsVision: boolean;
  readonly supportsTools: boolean;
  readonly supportsWebSearch: boolean;
  readonly supportsJsonObject: boolean;
  readonly supportsJsonSchema: boolean;
};

/** One attempt as a provider sees it. A codec may keep notes by it: encode and decode one call with the same object. */
export type ProviderTarget = {
  readonly attempt: Attempt;
  readonly model: ModelFacts;
  /** The caller's request headers, lower-case; the express lane carries on those that belong to the dialect. */
  readonly callerHeaders?: Readonly<Record<string, string | string[] | undefined>>;
};

/** A request ready to be sent; the path is appended to the provider's base URL, credentials are added by the provider. */
export type EncodedCall = {
  readonly path: string;
  /** Instead of the provider's own base URL, where the attempt's region has one. See `urlOfCall`. */
  readonly baseUrl?: string;
  /** Beyond credentials and content type; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of an express call: members of the caller's body that this provider refuses and that were left out. */
  readonly dropped?: readonly string[];
  /** The same for members whose value had to be changed. */
  readonly approximated?: readonly string[];
};

/** The same in the express lane: a body that came as bytes goes on as bytes. */
export type ExpressCall = Omit<EncodedCall, 'body'> & { readonly body: string | Buffer | BodyInPieces };
