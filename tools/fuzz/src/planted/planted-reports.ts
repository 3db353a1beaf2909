import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A request, and what a provider reports of it although it cannot be, or leaves out. */
export type PlantedReport = {
  readonly about: string;
  readonly path: string;
  readonly body: () => FormData | Readonly<Record<string, unknown>>;
  /** How the provider replies. */
  readonly reply: { readonly type: string; readonly text: string };
  /** Of the key that asks, in USD. */
  readonly limit: number;
};

const IMAGE = { created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }] };
const ABSURD = 2 ** 40;

const json = (value: object): PlantedReport['reply'] => ({ type: 'application/json', text: JSON.stringify(value) });
const events = (...values: readonly object[]): PlantedReport['reply'] => ({
  type: 'text/event-stream',
  text: values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''),
});

/** A second of silence. */
function recordSecond(): File {
  const rate = 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]] as const) head.writeUInt16LE(value, at); // prettier-ignore
  for (const at of [24, 28]) head.writeUInt32LE(rate, at);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate, 40);
  return new File([Buffer.concat([head, Buffer.alloc(rate, 128)])], 'second.wav', { type: 'audio/wav' });
}

function transcribe(model: string, more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, ...more })) form.append(name, value);
  form.append('file', recordSecond());
  return form;
}

const transcriptions = '/v1/audio/transcriptions';
const speech = '/v1/audio/speech';
const images = '/v1/images/generations';
const spoken = { type: 'speech.audio.delta', audio: 'AAAA' };
const heard = { data: { audio: '00ff', status: 2 }, base_resp: { status_code: 0 } };

/** One row for each unit that media are charged by. A new way to overstate is a new row. */
export const PLANTED_REPORTS: readonly PlantedReport[] = [
  {
    ...{ about: 'a minute of a recording of a second', path: transcriptions, limit: 0.001 },
    body: () => transcribe('openai/whisper-1'),
    reply: json({ text: 'a', usage: { type: 'duration', seconds: 60 } }),
  },
  {
    ...{ about: 'the duration of it as text', path: transcriptions, limit: 0.001 },
    body: () => transcribe('openai/whisper-1', { response_format: 'verbose_json' }),
    reply: json({ text: 'a', duration: '60', segments: [] }),
  },
  {
    ...{ about: 'tokens of a recording', path: transcriptions, limit: 0.1 },
    body: () => transcribe('openai/gpt-4o-transcribe'),
    reply: json({ text: 'a', usage: { type: 'tokens', input_tokens: ABSURD, output_tokens: ABSURD } }),
  },
  {
    ...{ about: 'a hundred characters of one', path: speech, limit: 0.0005 },
    body: () => ({ model: 'minimax/speech-2.6-hd', input: 'a', voice: 'elegant_man' }),
    reply: json({ ...heard, extra_info: { usage_characters: 100 } }),
  },
  {
    ...{ about: 'tokens of speech', path: speech, limit: 0.03 },
    body: () => ({ model: 'openai/gpt-4o-mini-tts', input: 'a', voice: 'alloy' }),
    reply: events(spoken, { type: 'speech.audio.done', usage: { input_tokens: ABSURD, output_tokens: ABSURD } }),
  },
  {
    ...{ about: 'a picture of a low quality, beyond its own bound', path: images, limit: 0.2 },
    body: () => ({ model: 'openai/gpt-image-1', prompt: 'a', quality: 'low', response_format: 'b64_json' }),
    reply: json({ ...IMAGE, usage: { input_tokens: 1, output_tokens: 13_000, total_tokens: 13_001 } }),
  },
  {
    ...{ about: 'words and pictures at once', path: images, limit: 1.5 },
    body: () => ({ model: 'openai/gpt-image-2', prompt: 'a', response_format: 'b64_json' }),
    reply: json({
      ...IMAGE,
      usage: {
        ...{ input_tokens: ABSURD, output_tokens: ABSURD },
        ...{ input_tokens_details: { image_tokens: ABSURD / 2 }, output_tokens_details: { text_tokens: ABSURD / 2 } },
      },
    }),
  },
];

/** Replies to every call with the report that is planted, until another one is. */
export function createPlantedProvider(): { readonly server: Server; plant(reply: PlantedReport['reply']): void } {
  let planted = json({});
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': planted.type }).end(planted.text));
  });
  return { server, plant: (reply) => void (planted = reply) };
}
