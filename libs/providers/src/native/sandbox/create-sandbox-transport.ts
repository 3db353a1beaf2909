import type { UpstreamCall, UpstreamResponse, UpstreamTransport } from '@weir/upstream-http';
import { asArray, asRecord, parseJson, type JsonRecord } from '../../wire/json-value';
import { encodeEmbeddings, findEmbeddingFault, readFirstDirectives } from './embed';
import { createFrameSource, encodeAnswer } from './encode-answer';
import { createPacedBody, silence } from './paced-body';
import { planAnswer, readLastDirectives } from './plan-answer';
import type { Directives } from './read-directives';

/** What it answers on each path: the models it has, in their names upstream, and what a body must be. */
type Endpoint = {
  readonly models: ReadonlySet<unknown>;
  findFault(body: JsonRecord): string | undefined;
  readDirectives(body: JsonRecord): Directives;
  answer(call: UpstreamCall, asked: Asked): UpstreamResponse;
};

const CHAT: Endpoint = {
  models: new Set(['chat', 'chat-free']),
  findFault: (body) => (asArray(body['messages']).length === 0 ? 'The body must be an object with messages.' : undefined),
  readDirectives: readLastDirectives,
  answer,
};
const EMBEDDINGS: Endpoint = {
  models: new Set(['embedding']),
  findFault: findEmbeddingFault,
  readDirectives: readFirstDirectives,
  answer: (call, { body, directives }) => respondWhole(call, encodeEmbeddings(body, directives.hidesUsage), directives),
};

/** A provider without a network: answers every call in the process, by the call's body alone. */
export function createSandboxTransport(): UpstreamTransport {
  return async (call) => {
    if (call.signal.aborted) throw call.signal.reason;
    const endpoint = call.url.endsWith('/embeddings') ? EMBEDDINGS : CHAT;
    const text = typeof call.body === 'string' ? call.body : Buffer.from(call.body).toString('utf8');
    const body = asRecord(parseJson(text)) ?? {};
    const fault = endpoint.findFault(body);
    if (fault !== undefined) return refuse(call, 400, fault);
    if (!endpoint.models.has(body['model'])) return refuse(call, 404, `The model ${JSON.stringify(body['model'] ?? null)} does not exist.`);
    const directives = endpoint.readDirectives(body);
    if (directives.isHanging || directives.delayMs > 0) await wait(call, directives.isHanging ? Infinity : directives.delayMs);
    if (directives.status !== undefined)
      return refuse(call, directives.status, `The sandbox was told to answer with ${directives.status}.`);
    return endpoint.answer(call, { body, text, directives });
  };
}

type Asked = { readonly body: JsonRecord; readonly text: string; readonly directives: Directives };

function answer(call: UpstreamCall, { body, text, directives }: Asked): UpstreamResponse {
  const planned = planAnswer(body, text, directives);
  if (body['stream'] === true) {
    const tellsUsage = !directives.hidesUsage && asRecord(body['stream_options'])?.['include_usage'] === true;
    const frames = createFrameSource(planned, tellsUsage);
    return respond(call, { status: 200, type: 'text/event-stream', next: frames, gapMs: directives.gapMs, cut: directives.cut });
  }
  return respondWhole(call, encodeAnswer(planned, directives.hidesUsage), directives);
}

function respondWhole(call: UpstreamCall, whole: string, { cut }: Directives): UpstreamResponse {
  // A whole reply has no frames: cut, it ends in the middle of its text.
  const half = whole.slice(0, whole.length / 2);
  return respond(call, {
    status: 200,
    type: 'application/json',
    next: once(cut === undefined ? whole : half),
    cut: cut === undefined ? undefined : 1,
  });
}

function refuse(call: UpstreamCall, status: number, message: string): UpstreamResponse {
  const code = status === 404 ? 'model_not_found' : `sandbox_${status}`;
  const body = JSON.stringify({ error: { message, type: 'sandbox_error', param: null, code } });
  const response = respond(call, { status, type: 'application/json', next: once(body), cut: undefined });
  return status === 429 || status === 503 ? { ...response, headers: { ...response.headers, 'retry-after': '1' } } : response;
}

type Reply = { status: number; type: string; next: () => string | undefined; gapMs?: number; cut: number | undefined };

function respond(call: UpstreamCall, { status, type, next, gapMs = 0, cut }: Reply): UpstreamResponse {
  const body = createPacedBody(next, { gapMs, cut, idleTimeoutMs: call.idleTimeoutMs, signal: call.signal });
  return { status, headers: { 'content-type': type }, body };
}

function once(text: string): () => string | undefined {
  let left: string | undefined = text;
  return () => {
    const told = left;
    left = undefined;
    return told;
  };
}

/** Waits as a slow provider would: not longer than the caller waits for headers, and not after it has gone. */
function wait({ signal, headersTimeoutMs }: UpstreamCall, delayMs: number): Promise<void> {
  const isTooSlow = headersTimeoutMs > 0 && delayMs > headersTimeoutMs;
  return new Promise((resolve, reject) => {
    const limit = isTooSlow ? headersTimeoutMs : delayMs;
    const timer = Number.isFinite(limit) ? setTimeout(finish, limit) : undefined;
    signal.addEventListener('abort', leave, { once: true });
    function finish(): void {
      signal.removeEventListener('abort', leave);
      if (isTooSlow) reject(silence());
      else resolve();
    }
    function leave(): void {
      clearTimeout(timer);
      reject(signal.reason as Error);
    }
  });
}
