import { BodyInPieces } from '@weir/canonical';
import type { GatewayError } from '@weir/errors';
import { readLimited, type CancelSignal, type UpstreamResponse } from '@weir/upstream-http';
import { urlOfCall, type Provider } from '../provider/provider';
import type { ExpressCall } from '../provider/target';

export type CallTimeouts = { readonly headersTimeoutMs: number; readonly idleTimeoutMs: number };

type AuthorizedCall = {
  readonly provider: Provider;
  readonly call: ExpressCall;
  readonly authorization: Readonly<Record<string, string>>;
};

const ERROR_BODY_BYTES_MAX = 64 * 1024;

/** Sends one call to its provider: the one place where address, headers and time limits of a call come together. */
export function dispatchCall(
  { provider, call, authorization }: AuthorizedCall,
  { headersTimeoutMs, idleTimeoutMs }: CallTimeouts,
  signal: CancelSignal,
): Promise<UpstreamResponse> {
  return provider.transport({
    method: 'POST',
    url: urlOfCall(provider, call),
    headers: { 'content-type': 'application/json', ...call.headers, ...authorization, ...lengthOf(call) },
    body: call.body,
    signal,
    headersTimeoutMs,
    idleTimeoutMs,
  });
}

/** What comes in pieces does not say how long it is in all. */
function lengthOf({ body }: ExpressCall): Record<string, string> | undefined {
  return body instanceof BodyInPieces ? { 'content-length': String(body.length) } : undefined;
}

export function isSuccess({ status }: UpstreamResponse): boolean {
  return status >= 200 && status < 300;
}

/** Reads what a provider says of its refusal. */
export async function readFailure(provider: Provider, upstream: UpstreamResponse): Promise<GatewayError> {
  const text = await readLimited(upstream.body, ERROR_BODY_BYTES_MAX).then(
    (bytes) => bytes.toString('utf8'),
    () => '', // the status alone still says what happened
  );
  return provider.readError(upstream.status, upstream.headers, text);
}
