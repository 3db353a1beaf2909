import { raw, say } from '../../upstream/replies';
import type { Kind, Request } from '../request';
import { ask, MODELS, prompt } from './bodies';

type Row = (mark: string) => Partial<Request> & { readonly path: string };

const post =
  (path: string, body: (mark: string) => object): Row =>
  (mark) => ({ path, body: body(mark) });
const embed = (more: object, model = 'openai/text-embedding-3-small'): Row =>
  post('/v1/embeddings', (mark) => ({ model, input: prompt(mark), ...more }));

const RECORDING = makeRecording();

/** A form as a browser sends it, with a boundary of its own that is the same for both gateways. */
const form =
  (path: string, fields: Readonly<Record<string, string>>, file = RECORDING): Row =>
  (mark) => {
    const boundary = 'boundary-of-the-caller';
    const parts = Object.entries({ ...fields, prompt: prompt(mark) }).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="said.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return { path, body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
  };

const ROWS: Readonly<Record<string, Row>> = {
  'embeddings:one': embed({}),
  'embeddings:batch': (mark) => ({
    path: '/v1/embeddings',
    body: { model: 'openai/text-embedding-3-small', input: [prompt(mark), 'b', 'c'] },
  }),
  'embeddings:base64': embed({ encoding_format: 'base64', dimensions: 8 }),
  'embeddings:tokens': (mark) => ({
    path: '/v1/embeddings',
    body: { model: 'openai/text-embedding-3-small', input: [1, 2, 3], user: mark },
  }),
  'embeddings:mistral': embed({}, 'mistral/mistral-embed'),
  'embeddings:sandbox': embed({}, 'sandbox/embedding'),
  'embeddings:empty': embed({ input: [] }),
  'embeddings:wrong': embed({ dimensions: 'many' }),
  'images:openai': post('/v1/images/generations', (mark) => ({
    model: 'openai/gpt-image-1',
    prompt: prompt(mark),
    size: '1024x1024',
    quality: 'low',
  })),
  'images:sandbox': post('/v1/images/generations', (mark) => ({ model: 'sandbox/image', prompt: prompt(mark), size: '256x256', n: 2 })),
  'images:stream': post('/v1/images/generations', (mark) => ({
    model: 'sandbox/image',
    prompt: prompt(mark),
    size: '256x256',
    stream: true,
  })),
  'images:wrong': post('/v1/images/generations', (mark) => ({ model: 'openai/gpt-image-1', prompt: prompt(mark), n: 'two' })),
  'speech:openai': post('/v1/audio/speech', (mark) => ({ model: 'openai/tts-1', input: prompt(mark), voice: 'alloy' })),
  'speech:tokens': post('/v1/audio/speech', (mark) => ({
    model: 'openai/gpt-4o-mini-tts',
    input: prompt(mark),
    voice: 'alloy',
    response_format: 'mp3',
  })),
  'speech:sandbox': post('/v1/audio/speech', (mark) => ({
    model: 'sandbox/speech',
    input: prompt(mark),
    voice: 'alloy',
    response_format: 'wav',
  })),
  'speech:events': post('/v1/audio/speech', (mark) => ({
    model: 'sandbox/speech-tokens',
    input: prompt(mark),
    voice: 'alloy',
    stream_format: 'sse',
  })),
  'speech:wrong': post('/v1/audio/speech', (mark) => ({ model: 'openai/tts-1', input: prompt(mark), voice: 'no-voice' })),
  'transcription:openai': form('/v1/audio/transcriptions', { model: 'openai/whisper-1', response_format: 'json' }),
  'transcription:text': form('/v1/audio/transcriptions', { model: 'openai/gpt-4o-mini-transcribe', response_format: 'text' }),
  'transcription:sandbox': form('/v1/audio/transcriptions', {
    model: 'sandbox/transcription',
    response_format: 'srt',
    'weir[trace_id]': 'formed',
  }),
  'transcription:large': form('/v1/audio/transcriptions', { model: 'sandbox/transcription' }, Buffer.alloc(300 * 1024, 1)),
  'transcription:noise': form('/v1/audio/transcriptions', { model: 'openai/whisper-1' }, Buffer.from('no recording')),
  translation: form('/v1/audio/translations', { model: 'openai/whisper-1' }),
  'count:messages': post('/v1/messages/count_tokens', (mark) => ({
    model: MODELS.anthropic,
    messages: [{ role: 'user', content: prompt(mark) }],
  })),
  'count:messages-estimated': post('/v1/messages/count_tokens', (mark) => ({
    model: MODELS.mistral,
    messages: [{ role: 'user', content: prompt(mark) }],
  })),
  'count:responses': post('/v1/responses/input_tokens', (mark) => ({ model: MODELS['openai-responses'], input: prompt(mark) })),
  'count:responses-estimated': post('/v1/responses/input_tokens', (mark) => ({ model: MODELS.anthropic, input: prompt(mark) })),
  'estimate:chat': post('/v1/estimate', (mark) => ({
    model: MODELS.openai,
    messages: [{ role: 'user', content: prompt(mark) }],
    max_tokens: 50,
  })),
  'estimate:policy': post('/v1/estimate', (mark) => ({ model: 'policy/chain', messages: [{ role: 'user', content: prompt(mark) }] })),
  'estimate:speech': post('/v1/estimate', (mark) => ({ model: 'openai/tts-1', input: prompt(mark), voice: 'alloy' })),
  'estimate:transcription': post('/v1/estimate', () => ({ model: 'openai/whisper-1', seconds: 60 })),
  'list:models': () => ({ path: '/v1/models' }),
  'list:anthropic': () => ({ path: '/v1/models?limit=3', headers: { 'anthropic-version': '2023-06-01' } }),
  'list:managed': () => ({ path: '/v1/models/managed' }),
  'list:embedding': () => ({ path: '/v1/models/embedding' }),
  'list:one': () => ({ path: '/v1/models/openai/gpt-4o-mini' }),
  'list:none': () => ({ path: '/v1/models/openai/gpt-none' }),
  'list:organization': () => ({ path: '/v1/organization' }),
  'list:auth': () => ({ path: '/v1/auth/check' }),
  'sandbox:chat': (mark) => ask('chat', 'sandbox/chat', mark),
  'sandbox:messages': (mark) => ask('messages', 'sandbox/chat', mark, { more: { stream: true } }),
  'sandbox:tool': (mark) => ask('chat', 'sandbox/chat', mark, { text: '!tool weather {"city":"Rome"}', more: { stream: true } }),
};

const STREAMED_SPEECH = [
  'data: {"type":"speech.audio.delta","audio":"aGVsbG8="}\n\n',
  'data: {"type":"speech.audio.done","usage":{"input_tokens":9,"output_tokens":40,"total_tokens":49}}\n\n',
].join('');

/** Everything that is no chat, and what is asked without a model. */
export const MEDIA_KINDS: readonly Kind[] = [
  ...Object.entries(ROWS).map(([name, row]): Kind => ({
    id: name,
    isIndependent: true,
    make: ({ mark }) => [{ key: 'four', replies: [say()], ...row(mark) }],
  })),
  {
    id: 'speech:streamed',
    make: ({ mark }) => [
      {
        key: 'four',
        path: '/v1/audio/speech',
        body: { model: 'openai/gpt-4o-mini-tts', input: prompt(mark), voice: 'alloy', stream_format: 'sse' },
        replies: [raw(STREAMED_SPEECH, { 'content-type': 'text/event-stream' })],
      },
    ],
  },
];

/** A second of silence as WAV: 8 kHz, 8 bits. */
function makeRecording(): Buffer {
  const rate = 8000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.alloc(rate, 128)]);
}
