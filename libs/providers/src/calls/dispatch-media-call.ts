import { readLimited, type CancelSignal, type UpstreamCall, type UpstreamResponse } from '@weir/upstream-http';
import { urlOfCall } from '../provider/provider';
import type { FoundTarget } from '../directory/find-target';
import { toEncodedCall, type MediaCall, type MediaReply } from '../provider/media-provider';
import { findNewerKey, isSuccess, readFailure, type CallTimeouts } from './dispatch-call';
import { encodeForm } from './encode-form';

/** Base64 of sixteen large pictures. */
const REPLY_BYTES_MAX = 256 * 1024 * 1024;

type MediaErrand = CallTimeouts & {
  readonly signal: CancelSignal;
  /** Called with the head of each reply, of a refusal too. */
  readonly noteHead?: (reply: Pick<UpstreamResponse, 'status' | 'headers'>) => void;
};

/** Sends one call about pictures or sound. Rejects with what the provider says when its status is not 2xx. */
export async function dispatchMediaCall(
  { provider, target }: FoundTarget,
  call: MediaCall,
  errand: MediaErrand,
): Promise<UpstreamResponse> {
  const upstream = await sendMediaCall({ provider, target }, call, errand);
  const newer = await findNewerKey(provider, upstream);
  const reply = newer === undefined ? upstream : await sendMediaCall({ provider: newer, target }, call, errand);
  errand.noteHead?.(reply);
  if (!isSuccess(reply)) throw await readFailure(provider, reply);
  return reply;
}

async function sendMediaCall({ provider, target }: FoundTarget, call: MediaCall, errand: MediaErrand): Promise<UpstreamResponse> {
  const encoded = toEncodedCall(call);
  const authorization = await provider.authorize(encoded, target);
  const { headers, body } = encodeBody(call);
  return provider.transport({
    method: call.method ?? 'POST',
    url: urlOfCall(provider, encoded),
    headers: { ...headers, ...call.headers, ...authorization },
    body,
    signal: errand.signal,
    headersTimeoutMs: errand.headersTimeoutMs,
    idleTimeoutMs: errand.idleTimeoutMs,
  });
}

/** Sends one call and reads its whole reply. */
export async function askForMedia(found: FoundTarget, call: MediaCall, errand: MediaErrand): Promise<MediaReply> {
  const { status, headers, body } = await dispatchMediaCall(found, call, errand);
  return { status, headers, bytes: await readLimited(body, REPLY_BYTES_MAX) };
}

function encodeBody({ method, body }: MediaCall): Pick<UpstreamCall, 'headers' | 'body'> {
  if (body.kind === 'json') {
    // A question without a body says nothing of its type.
    return method === 'GET' ? { headers: {}, body: '' } : { headers: { 'content-type': 'application/json' }, body: body.text };
  }
  if (body.kind === 'file') {
    return { headers: { 'content-type': body.file.type, 'content-length': String(body.file.size) }, body: body.file.read() };
  }
  const form = encodeForm(body.parts);
  return { headers: { 'content-type': form.contentType, 'content-length': String(form.length) }, body: form.body };
}
