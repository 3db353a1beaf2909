import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startStandalone, type Harness } from '../harness/start-standalone';

const JUNK = 'data: {"choices":[{"index":0,"delta":{"content":"LATE"}}]}\n\nLATE';
const MESSAGES = [{ role: 'user', content: 'Hello' }];
const sse = (...events: readonly unknown[]): string =>
  events
    .map((event) =>
      typeof event === 'string'
        ? `data: ${event}\n\n`
        : `event: ${String((event as { type?: string }).type)}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join('');
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const tokens = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const chunk = (choice: object, more: object = {}): string =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: null, delta: {}, ...choice }],
    ...more,
  });
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'WHOLE', annotations: [] }],
    },
  ],
  usage: tokens,
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'WHOLE' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: tokens,
};

/** What a provider returns at a path: whole, and as a stream. */
const REPLIES: Readonly<Record<string, { whole: unknown; stream?: string }>> = {
  '/v1/chat/completions': {
    whole: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'WHOLE' }, finish_reason: 'stop' }],
      usage,
    },
    stream: sse(
      chunk({ delta: { role: 'assistant', content: 'WHOLE' } }),
      chunk({ finish_reason: 'stop' }),
      chunk({}, { choices: [], usage }),
      '[DONE]',
    ),
  },
  '/v1/messages': {
    whole: message,
    stream: sse(
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'WHOLE' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: tokens },
      { type: 'message_stop' },
    ),
  },
  '/v1/responses': {
    whole: response,
    stream: sse(
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'WHOLE' },
      { type: 'response.completed', response },
    ),
  },
  '/v1/embeddings': { whole: { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage } },
  '/v1/images/generations': {
    whole: {
      created: 1,
      data: [{ b64_json: 'V0hPTEU=' }],
      usage: { ...tokens, input_tokens_details: { text_tokens: 1, image_tokens: 0 } },
    },
    stream: sse({
      type: 'image_generation.completed',
      b64_json: 'V0hPTEU=',
      created_at: 1,
      usage: { ...tokens, input_tokens_details: { text_tokens: 1, image_tokens: 0 } },
    }),
  },
  '/v1/audio/speech': { whole: Buffer.from('WHOLE') },
  '/v1/audio/transcriptions': {
    whole: { text: 'WHOLE', usage: { type: 'tokens', ...tokens } },
    stream: sse(
      { type: 'transcript.text.delta', delta: 'WHOLE' },
      { type: 'transcript.text.done', text: 'WHOLE', usage: { type: 'tokens', ...tokens } },
    ),
  },
};
const ENCODINGS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['deflate', (bytes) => deflateSync(bytes)],
  ['br', (bytes) => brotliCompressSync(bytes)],
];

type Ask = { readonly path: string; readonly body: Record<string, unknown>; readonly file?: boolean };
const CHAT = { messages: MESSAGES, max_tokens: 50 };
const WHOLE: readonly (readonly [string, Ask])[] = [
  ['chat completions', { path: '/v1/chat/completions', body: { model: 'openai/gpt-4o-mini', ...CHAT } }],
  ['chat completions, translated', { path: '/v1/chat/completions', body: { model: 'anthropic/claude-haiku-4-5', ...CHAT } }],
  ['messages', { path: '/v1/messages', body: { model: 'anthropic/claude-haiku-4-5', ...CHAT } }],
  ['messages, translated', { path: '/v1/messages', body: { model: 'openai/gpt-4o-mini', ...CHAT } }],
  ['responses', { path: '/v1/responses', body: { model: 'openai-responses/gpt-4.1-mini', input: 'Hello', max_output_tokens: 50 } }],
  ['responses, translated', { path: '/v1/responses', body: { model: 'openai/gpt-4o-mini', input: 'Hello', max_output_tokens: 50 } }],
  ['embeddings', { path: '/v1/embeddings', body: { model: 'openai/text-embedding-3-small', input: 'Hello' } }],
  ['images', { path: '/v1/images/generations', body: { model: 'openai/gpt-image-1', prompt: 'a dot' } }],
  ['speech', { path: '/v1/audio/speech', body: { model: 'openai/gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' } }],
  ['transcription', { path: '/v1/audio/transcriptions', body: { model: 'openai/gpt-4o-mini-transcribe' }, file: true }],
];
const STREAMS = WHOLE.filter(([, { path }]) => REPLIES[path]?.stream !== undefined);

describe('a provider that encodes what no one asked to be encoded, and goes on after the end', () => {
  let harness: Harness;
  let upstream: Server;
  let encode: (typeof ENCODINGS)[number] | undefined;
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    upstream = createServer((request, reply) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => answer(request.url ?? '', Buffer.concat(pieces).toString('latin1'), reply));
      asked.push(request.headers['accept-encoding']);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => upstream.once('listening', resolve));
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    harness = await startStandalone({
      env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: 'sk-2', ANTHROPIC_BASE_URL: url },
    });
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
  });

  function answer(path: string, body: string, reply: ServerResponse): void {
    const { whole, stream } = REPLIES[path] ?? { whole: { error: { message: `no ${path}` } } };
    const isStream = stream !== undefined && /"stream":\s*true|name="stream"\r\n\r\ntrue/.test(body);
    const plain = isStream ? Buffer.from(stream + JUNK) : Buffer.isBuffer(whole) ? whole : Buffer.from(JSON.stringify(whole));
    const type = isStream ? 'text/event-stream' : Buffer.isBuffer(whole) ? 'audio/mpeg' : 'application/json';
    const [encoding, compress] = encode ?? ['identity', (bytes: Buffer) => bytes];
    reply
      .writeHead(200, { 'content-type': type, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) })
      .end(compress(plain));
  }

  async function ask(
    { path, body, file = false }: Ask,
    more: object = {},
  ): Promise<{ status: number; encoding: string | null; text: string }> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...body, ...more })) form.set(name, String(value));
    form.set('file', new Blob([new Uint8Array(2000)]), 'a.mp3');
    const headers = { authorization: `Bearer ${harness.apiKey}`, ...(file ? {} : { 'content-type': 'application/json' }) };
    const reply = await fetch(harness.url + path, { method: 'POST', headers, body: file ? form : JSON.stringify({ ...body, ...more }) });
    return { status: reply.status, encoding: reply.headers.get('content-encoding'), text: await reply.text() };
  }

  it.each(WHOLE)('is decoded before anything is read of it: %s', async (_, request) => {
    for (encode of [undefined, ...ENCODINGS]) {
      const { status, encoding, text } = await ask(request);
      expect([encode?.[0], status, encoding, text]).toEqual([encode?.[0], 200, null, expect.stringMatching(/WHOLE|V0hPTEU|0\.5|AAAAPw/)]);
    }
    expect(new Set(asked)).toEqual(new Set(['identity']));
  });

  it.each(STREAMS)('ends where its last event ends, streamed: %s', async (_, request) => {
    for (encode of [undefined, ...ENCODINGS]) {
      const { status, encoding, text } = await ask(request, { stream: true });
      expect([encode?.[0], status, encoding, text]).toEqual([encode?.[0], 200, null, expect.stringMatching(/WHOLE|V0hPTEU/)]);
      expect(text).not.toContain('LATE');
      expect(text).not.toContain('"error":{');
    }
  });
});
