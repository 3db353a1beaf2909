import { apiFetch, toApiError } from '../../api';
import { readApiError } from '../../api/api-error';
import { applyChunk } from './apply-chunk';
import { beginReply, type Failure, type Reply } from './conversation';
import { asRecord, asText, parseJson, type JsonRecord } from './json';
import { readEvents } from './read-events';
import { readServed } from './read-served';

type Sending = {
  readonly signal: AbortSignal;
  /** The reply as far as it has come, after each event. */
  readonly onReply: (reply: Reply) => void;
};

/** Sends a body and reads its stream to the end. Whatever goes wrong is in the reply. */
export async function sendChat(body: JsonRecord, { signal, onReply }: Sending): Promise<Reply> {
  const began = performance.now();
  const passed = (): number => performance.now() - began;
  let reply = beginReply(String(body['model']));
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await apiFetch('/v1/chat/completions', { method: 'POST', headers, body: JSON.stringify(body), signal });
    reply = { ...reply, served: readServed(response.headers) };
    if (!response.ok || response.body === null)
      return { ...reply, state: 'refused', failure: await readFailure(response), totalMs: passed() };
    for await (const { data } of readEvents(response.body)) {
      if (data === '[DONE]') return { ...reply, state: 'done', totalMs: passed() };
      const chunk = asRecord(parseJson(data)) ?? {};
      const failure = asRecord(chunk['error']);
      if (failure !== undefined) return { ...reply, state: 'broken', failure: describe(failure), totalMs: passed() };
      reply = takeChunk(reply, chunk, passed);
      onReply(reply);
    }
    return { ...reply, state: 'broken', failure: { message: 'The connection ended before the reply did.' }, totalMs: passed() };
  } catch (error) {
    return { ...reply, ...endBy(error, reply, signal), totalMs: passed() };
  }
}

function takeChunk(reply: Reply, chunk: JsonRecord, passed: () => number): Reply {
  const next = applyChunk(reply, chunk);
  const hasBegun = next.text !== '' || next.reasoning !== '' || next.refusal !== '' || next.calls.length > 0;
  return next.firstMs === undefined && hasBegun ? { ...next, firstMs: passed() } : next;
}

async function readFailure(response: Response): Promise<Failure> {
  const { message, code, field, status } = readApiError(response.status, parseJson(await response.text()));
  return { message, status, ...(code === undefined ? {} : { code }), ...(field === undefined ? {} : { field }) };
}

function describe(error: JsonRecord): Failure {
  const code = asText(error['code']);
  return {
    message: asText(error['message']) ?? 'The reply broke off, and nothing was said about why.',
    ...(code === undefined ? {} : { code }),
  };
}

function endBy(error: unknown, { served }: Reply, signal: AbortSignal): Pick<Reply, 'state' | 'failure'> {
  if (signal.aborted) return { state: 'stopped' };
  const hasBegun = served !== undefined;
  const message = hasBegun ? 'The connection broke before the reply ended.' : toApiError(error).message;
  return { state: hasBegun ? 'broken' : 'refused', failure: { message } };
}
