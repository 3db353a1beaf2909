import type { RecordedRequest } from './recorded-request';
import type { ReplyScript } from './scripted-reply';
import { DONE_FRAME, encodeSseFrame } from './sse-frames';

type Asked = { readonly model: string; readonly text: string; readonly stream: boolean; readonly usageInStream: boolean };

const CREATED = 1_763_596_800;
const INPUT_TOKENS = 11;

/** What the fake replies when nothing was scripted: an echo of the last message in the shape the path asks for. */
export function createDefaultReply(request: RecordedRequest): ReplyScript {
  const path = request.path.split('?')[0] ?? '';
  if (path.endsWith('/models'))
    return { body: { object: 'list', data: [{ id: 'echo', object: 'model', created: CREATED, owned_by: 'fake' }] } };
  const asked = readAsked(request.bodyText);
  if (path.endsWith('/chat/completions')) return asked.stream ? { stream: completionFrames(asked) } : { body: completionBody(asked) };
  if (path.endsWith('/messages')) return asked.stream ? { stream: messageFrames(asked) } : { body: messageBody(asked) };
  if (path.endsWith('/embeddings')) return { body: embeddingBody(asked) };
  return { status: 404, body: { error: { message: `nothing is scripted for ${request.method} ${path}`, type: 'not_found' } } };
}

function readAsked(bodyText: string): Asked {
  const body = parseObject(bodyText);
  const messages = Array.isArray(body['messages']) ? (body['messages'] as { content?: unknown }[]) : [];
  const options = body['stream_options'] as { include_usage?: boolean } | undefined;
  return {
    model: typeof body['model'] === 'string' ? body['model'] : 'echo',
    text: `echo: ${readText(messages.at(-1)?.content)}`,
    stream: body['stream'] === true,
    usageInStream: options?.include_usage === true,
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // A form or an empty body: the echo has nothing to repeat, which is no error of the fake.
    return {};
  }
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

/** One token a word: small numbers a test can count by hand. */
function countTokens(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function splitWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function completionUsage({ text }: Asked) {
  const completion = countTokens(text);
  return { prompt_tokens: INPUT_TOKENS, completion_tokens: completion, total_tokens: INPUT_TOKENS + completion };
}

function completionBody(asked: Asked) {
  const message = { role: 'assistant', content: asked.text, refusal: null };
  return {
    id: 'chatcmpl-echo',
    object: 'chat.completion',
    created: CREATED,
    model: asked.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: completionUsage(asked),
  };
}

function completionFrames(asked: Asked): string[] {
  const base = { id: 'chatcmpl-echo', object: 'chat.completion.chunk', created: CREATED, model: asked.model };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    encodeSseFrame({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const frames = [
    chunk({ role: 'assistant', content: '' }),
    ...splitWords(asked.text).map((content) => chunk({ content })),
    chunk({}, 'stop'),
  ];
  if (asked.usageInStream) frames.push(encodeSseFrame({ ...base, choices: [], usage: completionUsage(asked) }));
  return [...frames, DONE_FRAME];
}

function messageBody(asked: Asked) {
  return {
    id: 'msg_echo',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: [{ type: 'text', text: asked.text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: INPUT_TOKENS, output_tokens: countTokens(asked.text) },
  };
}

function messageFrames(asked: Asked): string[] {
  const frame = (value: { type: string } & Record<string, unknown>) => encodeSseFrame(value, value.type);
  const start = { ...messageBody(asked), content: [], stop_reason: null, usage: { input_tokens: INPUT_TOKENS, output_tokens: 1 } };
  return [
    frame({ type: 'message_start', message: start }),
    frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...splitWords(asked.text).map((text) => frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    frame({ type: 'content_block_stop', index: 0 }),
    frame({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: countTokens(asked.text) },
    }),
    frame({ type: 'message_stop' }),
  ];
}

function embeddingBody(asked: Asked) {
  return {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5, 0.125] }],
    model: asked.model,
    usage: { prompt_tokens: INPUT_TOKENS, total_tokens: INPUT_TOKENS },
  };
}
