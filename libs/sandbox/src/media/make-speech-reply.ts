import { createHash } from 'node:crypto';
import { type SpeechFormat, asText } from '@weir/canonical';
import type { UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import { countTokens } from '../endpoint/count-tokens';
import { readDirectives, type Directives } from '../endpoint/read-directives';
import { respondFrames } from '../endpoint/respond';
import type { SandboxEndpoint, SandboxQuestion } from '../endpoint/sandbox-endpoint';
import { encodeAac } from './audio/encode-aac';
import { encodeFlac } from './audio/encode-flac';
import { encodeMp3 } from './audio/encode-mp3';
import { encodeOpus } from './audio/encode-opus';
import { encodePcm } from './audio/encode-pcm';
import { encodeWav } from './audio/encode-wav';
import type { Recording } from './audio/recording';

const SECONDS_PER_CHARACTER = 0.06;
const SECONDS_MIN = 0.12;
const TOKENS_PER_SECOND = 20;

const FORMATS: Readonly<Record<SpeechFormat, { readonly type: string; readonly encode: (recording: Recording) => Buffer[] }>> = {
  mp3: { type: 'audio/mpeg', encode: encodeMp3 },
  opus: { type: 'audio/opus', encode: encodeOpus },
  aac: { type: 'audio/aac', encode: encodeAac },
  flac: { type: 'audio/flac', encode: encodeFlac },
  wav: { type: 'audio/wav', encode: encodeWav },
  pcm: { type: 'audio/pcm', encode: encodePcm },
};

/** Recordings as long as their text takes to be read. The one model is charged by characters, the other by tokens. */
export const SPEECH: SandboxEndpoint = {
  models: new Set(['speech', 'speech-tokens']),
  findFault: ({ body }) => (asText(body['input']) === undefined ? 'The body must be an object with input.' : undefined),
  readDirectives: ({ body }) => readDirectives(asText(body['input']) ?? ''),
  answer: answerSpeech,
};

function answerSpeech(call: UpstreamCall, { body, directives }: SandboxQuestion & { readonly directives: Directives }): UpstreamResponse {
  const { text } = directives;
  const speed = typeof body['speed'] === 'number' ? body['speed'] : 1;
  const recording: Recording = {
    seconds: Math.max(SECONDS_MIN, (text.length * SECONDS_PER_CHARACTER) / speed),
    frequency: 200 + (createHash('sha256').update(JSON.stringify(body['voice'])).digest()[0] as number),
    text,
  };
  const { type, encode } = FORMATS[(asText(body['response_format']) ?? 'mp3') as SpeechFormat] ?? FORMATS.mp3;
  const pieces = encode(recording);
  if (body['stream_format'] !== 'sse') return respondFrames(call, { type, list: pieces }, directives);
  const input = countTokens(text);
  const output = Math.ceil(recording.seconds * TOKENS_PER_SECOND);
  const usage = directives.hidesUsage ? {} : { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } };
  const list = [
    ...pieces.map((piece) => toFrame({ type: 'speech.audio.delta', audio: piece.toString('base64') })),
    toFrame({ type: 'speech.audio.done', ...usage }),
  ];
  return respondFrames(call, { type: 'text/event-stream', list }, directives);
}

function toFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
