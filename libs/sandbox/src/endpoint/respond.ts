import type { UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import { createPacedBody, type Frame } from './paced-body';
import type { Directives } from './read-directives';

type Reply = { status: number; type: string; next: () => Frame | undefined; gapMs?: number; cut: number | undefined };

export function respond(call: UpstreamCall, { status, type, next, gapMs = 0, cut }: Reply): UpstreamResponse {
  const body = createPacedBody(next, { gapMs, cut, idleTimeoutMs: call.idleTimeoutMs, signal: call.signal });
  return { status, headers: { 'content-type': type }, body };
}

export function respondWhole(call: UpstreamCall, whole: string, { cut }: Directives): UpstreamResponse {
  // A whole reply has no frames: cut, it ends in the middle of its text.
  const half = whole.slice(0, whole.length / 2);
  return respond(call, {
    status: 200,
    type: 'application/json',
    next: listFrames([cut === undefined ? whole : half]),
    cut: cut === undefined ? undefined : 1,
  });
}

export function respondFrames(
  call: UpstreamCall,
  frames: { readonly type: string; readonly list: readonly Frame[] },
  { gapMs, cut }: Directives,
): UpstreamResponse {
  return respond(call, { status: 200, type: frames.type, next: listFrames(frames.list), gapMs, cut });
}

export function refuse(call: UpstreamCall, status: number, message: string): UpstreamResponse {
  const code = status === 404 ? 'model_not_found' : `sandbox_${status}`;
  const body = JSON.stringify({ error: { message, type: 'sandbox_error', param: null, code } });
  const response = respond(call, { status, type: 'application/json', next: listFrames([body]), cut: undefined });
  if (status !== 429 && status !== 503) return response;
  // A directive asks for the same again each time, so a gateway that waits and tries again waits for nothing.
  return { ...response, headers: { ...response.headers, 'retry-after': '1', 'x-should-retry': 'false' } };
}

/** The frames one at a time: undefined after the last. */
function listFrames(frames: readonly Frame[]): () => Frame | undefined {
  let index = 0;
  return () => frames[index++];
}
