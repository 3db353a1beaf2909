import type { Readable } from 'node:stream';
import type { MediaKind } from './media-kinds';

/** Which address is to be called, and on whose behalf. */
export type Question = {
  readonly url: string;
  /** The request field that names the address; every refusal names it. */
  readonly field: string;
  /** Whose share of what runs at a time this takes: the organization's id. */
  readonly owner: string;
  /** Ends the call with its own reason. */
  readonly signal?: AbortSignal;
};

export type MediaQuestion = Question & {
  readonly kind: MediaKind;
  /** Less than the kind allows. */
  readonly bytesMax?: number;
};

type PostQuestion = Question & {
  /** JSON text. */
  readonly body: string;
  /** Beyond content type and length; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
};

type ReadQuestion = Question & {
  /** Beyond what every call has; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How much is read; 64 KiB unless given. */
  readonly bytesMax?: number;
};

type FetchedMedia = { readonly mediaType: string; readonly bytes: Buffer };

/** A file on its way. The body errors with a GatewayError; it has to be read or destroyed. */
export type OpenMedia = {
  /** Read from the file's first bytes, not from the server's header. */
  readonly mediaType: string;
  /** As the server announced it, null when it did not. */
  readonly contentLength: number | null;
  readonly body: Readable;
};

export type TextReply = {
  readonly status: number;
  /** What came within the size. */
  readonly text: string;
};

/**
 * Calls addresses that callers name. Everything that is wrong with an address, with its server or with what it sends is
 * a GatewayError 400 that names the question's field; too much at a time is `rate_limited`.
 */
export type GuardedFetcher = {
  /** Fetches a whole file. */
  fetch(question: MediaQuestion): Promise<FetchedMedia>;
  /** The same as a stream: resolves when the file's first bytes are there and are of the right kind. */
  open(question: MediaQuestion): Promise<OpenMedia>;
  /** Sends JSON. Resolves with any status; redirects are not followed. */
  post(question: PostQuestion): Promise<TextReply>;
  /** Requests JSON. Resolves with any status; redirects are not followed. */
  read(question: ReadQuestion): Promise<TextReply>;
  /** Whether an address could be called as things stand: resolves it, and calls nothing. */
  check(question: Pick<Question, 'url' | 'field'>): Promise<void>;
};
