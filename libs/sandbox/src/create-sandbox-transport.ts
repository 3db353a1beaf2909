import { asRecord, parseJson, type JsonRecord } from '@weir/canonical';
import type { UpstreamCall, UpstreamResponse, UpstreamTransport } from '@weir/upstream-http';
import { encodeEmbeddings, findEmbeddingFault, readFirstDirectives } from './embeddings/embed';
import { createFrameSource, encodeAnswer } from './chat/encode-reply';
import { IMAGES } from './media/make-image-reply';
import { SPEECH } from './media/make-speech-reply';
import { TRANSCRIPTIONS } from './media/make-transcription-reply';
import { parseForm } from './media/parse-form';
import { silence } from './endpoint/paced-body';
import { planAnswer, readLastDirectives } from './chat/plan-reply';
import { refuse, respond, respondWhole } from './endpoint/respond';
import type { SandboxEndpoint, SandboxQuestion } from './endpoint/sandbox-endpoint';

/** Says what is wrong with a body of chat completions; undefined for one that can be served. */
type FindChatFault = (body: JsonRecord) => string | undefined;

const CHAT: Omit<SandboxEndpoint, 'findFault'> = {
  models: new Set(['chat', 'chat-free']),
  readDirectives: ({ body }) => readLastDirectives(body),
  answer: answerChat,
};
const EMBEDDINGS: SandboxEndpoint = {
  models: new Set(['embedding']),
  findFault: ({ body }) => findEmbeddingFault(body),
  readDirectives: ({ body }) => readFirstDirectives(body),
  answer: async (call, { body, directives }) => respondWhole(call, await encodeEmbeddings(body, directives.hidesUsage), directives),
};
const ENDPOINTS: readonly (readonly [string, SandboxEndpoint])[] = [
  ['/embeddings', EMBEDDINGS],
  ['/images/generations', IMAGES],
  ['/images/edits', IMAGES],
  ['/audio/speech', SPEECH],
  ['/audio/transcriptions', TRANSCRIPTIONS],
  ['/audio/translations', TRANSCRIPTIONS],
];

/** A body of this length takes long to process: the event loop gets a tick in between. */
const LONG = 256 * 1024;

/**
 * A provider without a network: serves every call in the process, by the call's body alone.
 *
 * It echoes the last message of the user, one token for each run of characters between spaces. Directives in that
 * message, at its beginning or after a space, make it do what real providers do:
 *
 *     !tokens N      answer with exactly N tokens          !status CODE   answer with that status
 *     !delay MS      wait before the first byte            !cut N         break the connection after N frames
 *     !gap MS        wait between frames                   !hang          never answer
 *     !no-usage      report no usage                       !tool NAME {…} call the tool; several make parallel calls
 *
 * A chat body with a field that cannot be read or is out of its range is refused with 400, as providers do.
 *
 * Embeddings are vectors made from a hash of each input; directives stand in the first text. Pictures show their prompt
 * and recordings are as long as their text takes to be read; directives stand in there. Transcriptions say what such a
 * recording was made of, and invent words for any other; directives stand in `prompt`.
 */
export function createSandboxTransport(findChatFault: FindChatFault): UpstreamTransport {
  const chat: SandboxEndpoint = { ...CHAT, findFault: ({ body }) => findChatFault(body) };
  return async (call) => {
    if (call.signal.aborted) throw call.signal.reason;
    const endpoint = ENDPOINTS.find(([path]) => call.url.endsWith(path))?.[1] ?? chat;
    const question = await readQuestion(call);
    await pauseAfter(question);
    const fault = endpoint.findFault(question);
    if (fault !== undefined) return refuse(call, 400, fault);
    const { model = null } = question.body;
    if (!endpoint.models.has(model)) return refuse(call, 404, `The model ${JSON.stringify(model)} does not exist.`);
    const directives = endpoint.readDirectives(question);
    if (directives.isHanging || directives.delayMs > 0) await wait(call, directives.isHanging ? Infinity : directives.delayMs);
    if (directives.status !== undefined)
      return refuse(call, directives.status, `A directive asked the sandbox for status ${directives.status}.`);
    await pauseAfter(question);
    return endpoint.answer(call, { ...question, directives });
  };
}

async function pauseAfter({ text }: SandboxQuestion): Promise<void> {
  if (text.length > LONG) await new Promise((resolve) => setImmediate(resolve));
}

async function readQuestion({ body, headers }: UpstreamCall): Promise<SandboxQuestion> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  if (isWhole && body.length > LONG) await new Promise((resolve) => setImmediate(resolve));
  if (typeof body === 'string') return { body: asRecord(parseJson(body)) ?? {}, text: body, files: [] };
  const pieces: Uint8Array[] = [];
  if (body instanceof Uint8Array) pieces.push(body);
  else for await (const piece of body) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return { ...parseForm(bytes, type), text: '' };
  const text = bytes.toString('utf8');
  return { body: asRecord(parseJson(text)) ?? {}, text, files: [] };
}

function answerChat(call: UpstreamCall, { body, text, directives }: Parameters<SandboxEndpoint['answer']>[1]): UpstreamResponse {
  const planned = planAnswer(body, text, directives);
  if (body['stream'] === true) {
    const reportsUsage = !directives.hidesUsage && asRecord(body['stream_options'])?.['include_usage'] === true;
    const frames = createFrameSource(planned, reportsUsage);
    return respond(call, { status: 200, type: 'text/event-stream', next: frames, gapMs: directives.gapMs, cut: directives.cut });
  }
  return respondWhole(call, encodeAnswer(planned, directives.hidesUsage), directives);
}

/** Waits as a slow provider would: not longer than the caller waits for headers, and not after it has gone. */
function wait({ signal, headersTimeoutMs }: UpstreamCall, delayMs: number): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
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
