import { BodyInPieces } from '@weir/canonical';
import type { GatewayError } from '@weir/errors';
import { readLimited, type CancelSignal, type UpstreamResponse } from '@weir/upstream-http';
import { urlOfCall, type Provider } from '../provider/provider';
import type { ExpressCall, ProviderTarget } from '../provider/target';

export type CallTimeouts = { readonly headersTimeoutMs: number; readonly idleTimeoutMs: number };

type AuthorizedCall = {
  readonly provider: Provider;
  readonly call: ExpressCall;
  readonly authorization: Readonly<Record<string, string>>;
  readonly target: ProviderTarget;
};

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** How providers refuse a key. */
const REFUSED_KEY: ReadonlySet<number> = new Set([401, 403]);

/** Sends one call to its provider; once more where its key is refused and there is a newer one. */
export function dispatchCall(authorized: AuthorizedCall, timeouts: CallTimeouts, signal: CancelSignal): Promise<UpstreamResponse> {
  const sending = send(authorized, timeouts, signal);
  return authorized.provider.renew === undefined ? sending : sendAgainWithNewerKey(sending, authorized, { ...timeouts, signal });
}

async function sendAgainWithNewerKey(
  sending: Promise<UpstreamResponse>,
  { provider, call, target }: AuthorizedCall,
  { signal, ...timeouts }: CallTimeouts & { readonly signal: CancelSignal },
): Promise<UpstreamResponse> {
  const refused = await sending;
  const newer = await findNewerKey(provider, refused);
  if (newer === undefined) return refused;
  return send({ provider: newer, call, authorization: await newer.authorize(call, target), target }, timeouts, signal);
}

/**
 * The provider with a newer key than the one that was refused. Its reply is given up then: what it says was true of the old key
 * alone.
 */
export async function findNewerKey(provider: Provider, { status, body }: UpstreamResponse): Promise<Provider | undefined> {
  if (provider.renew === undefined || !REFUSED_KEY.has(status)) return undefined;
  const newer = await provider.renew();
  if (newer !== undefined) body.destroy();
  return newer;
}

/** The one place where address, headers and time limits of a call come together. */
function send(
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
