import type { CancelSignal } from './create-cancellation';
import type { UpstreamBody } from './response-body';

/** What the users of a connection know of it. Another connection in its place begins with nothing. */
export type ConnectionNotes = Record<string, unknown>;

export type UpstreamCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds what depends on the connection, once one is chosen; called by transports to processes of ours alone. */
  readonly addHeaders?: ((headers: Record<string, string>, connection: ConnectionNotes) => void) | undefined;
  /** One that comes in pieces is sent as they come, with a `content-length` among the headers where that is known. */
  readonly body: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly signal: CancelSignal;
  /** Until the response headers are there. */
  readonly headersTimeoutMs: number;
  /** Longest silence between two pieces of the body. */
  readonly idleTimeoutMs: number;
};

export type UpstreamResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Errors when the connection is cut or silent for too long. Destroying it cancels the request upstream. */
  readonly body: UpstreamBody;
};

/**
 * Sends one request. Rejects with a GatewayError: `provider_unreachable` when nothing was sent or no connection could
 * be had, `provider_timeout` when the headers did not come in time, or with the signal's reason when it was aborted.
 */
export type UpstreamTransport = (call: UpstreamCall) => Promise<UpstreamResponse>;
