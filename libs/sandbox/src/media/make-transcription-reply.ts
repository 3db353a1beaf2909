import { createHash } from 'node:crypto';
import type { UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import { measureAudio } from '@weir/recordings';
import { asArray, asText, type JsonRecord } from '@weir/canonical';
import { countTokens, splitTokens } from '../endpoint/count-tokens';
import { readDirectives, type Directives } from '../endpoint/read-directives';
import { respondFrames, respondWhole } from '../endpoint/respond';
import type { SandboxEndpoint, SandboxQuestion } from '../endpoint/sandbox-endpoint';
import { findSpokenText } from './audio/recording';

const WORDS = ['river', 'stone', 'light', 'morning', 'paper', 'garden', 'window', 'silver', 'letter', 'summer', 'bridge', 'candle'];
const WORDS_PER_SECOND = 2;
const SECONDS_MIN = 0.01;
/** However long a file states that it lasts. */
const WORDS_MAX = 10_000;
const WORDS_PER_SEGMENT = 8;
const TOKENS_PER_SECOND = 10;

/** What was said in a recording of the sandbox, and for any other words that follow from its bytes. */
export const TRANSCRIPTIONS: SandboxEndpoint = {
  models: new Set(['transcription', 'transcription-tokens']),
  findFault: ({ files }) => (files.some(({ field }) => field === 'file') ? undefined : 'The form must have a file.'),
  readDirectives: ({ body }) => readDirectives(asText(body['prompt']) ?? ''),
  answer: answerTranscription,
};

type Question = SandboxQuestion & { readonly directives: Directives };
type Heard = { readonly text: string; readonly seconds: number };
type Stretch = { readonly text: string; readonly start: number; readonly end: number };

async function answerTranscription(call: UpstreamCall, question: Question): Promise<UpstreamResponse> {
  const heard = await listen(question);
  const usage = question.directives.hidesUsage ? {} : { usage: describeUsage(question, heard) };
  if (question.body['stream'] === 'true') {
    const list = [...encodeEvents(question, heard), { type: 'transcript.text.done', text: heard.text, ...usage }];
    const frames = list.map((data) => `data: ${JSON.stringify(data)}\n\n`);
    return respondFrames(call, { type: 'text/event-stream', list: frames }, question.directives);
  }
  return respondWhole(call, JSON.stringify({ ...encodeWhole(question, heard), ...usage }), question.directives);
}

async function listen({ files }: Question): Promise<Heard> {
  const bytes = files.find(({ field }) => field === 'file')?.bytes ?? Buffer.alloc(0);
  // Every caller may send the sandbox any file: measured by what never trusts one, in the process that serves all.
  const secondsMost = await measureAudio({ type: '', size: bytes.length, read: () => readWhole(bytes) });
  // That is a bound, and a millisecond above the length at times.
  const seconds = Math.max(SECONDS_MIN, Math.round(secondsMost * 100) / 100);
  const words = Math.min(WORDS_MAX, Math.max(1, Math.round(seconds * WORDS_PER_SECOND)));
  return { seconds, text: findSpokenText(bytes) ?? inventText(bytes, words) };
}

async function* readWhole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function inventText(bytes: Buffer, count: number): string {
  const seed = createHash('sha256').update(bytes).digest();
  return Array.from({ length: count }, (_, index) => WORDS[((seed[index % seed.length] as number) + index) % WORDS.length]).join(' ');
}

function encodeWhole({ body }: Question, heard: Heard): JsonRecord {
  const format = body['response_format'];
  const { text, seconds } = heard;
  if (format === 'diarized_json') return { task: 'transcribe', duration: seconds, text, segments: listSpeakers(body, heard) };
  if (format !== 'verbose_json') return { text, ...reportChances(body, text) };
  const segments = cutStretches(heard, WORDS_PER_SEGMENT).map((stretch, id) => ({
    id,
    seek: 0,
    ...stretch,
    tokens: splitTokens(stretch.text).map((_, index) => index),
    temperature: Number(body['temperature'] ?? 0),
    avg_logprob: -0.1,
    compression_ratio: 1,
    no_speech_prob: 0,
  }));
  const words = cutStretches(heard, 1).map(({ text: word, start, end }) => ({ word: word.trim(), start, end }));
  const hasWords = asArray(body['timestamp_granularities']).includes('word');
  const task = 'transcribe';
  return { task, language: 'english', duration: seconds, text, segments, ...(hasWords ? { words } : {}) };
}

function encodeEvents({ body }: Question, heard: Heard): JsonRecord[] {
  if (body['response_format'] === 'diarized_json') return listSpeakers(body, heard);
  return splitTokens(heard.text).map((delta) => ({ type: 'transcript.text.delta', delta, ...reportChances(body, delta) }));
}

function listSpeakers(body: JsonRecord, heard: Heard): JsonRecord[] {
  const names = asArray(body['known_speaker_names']);
  return cutStretches(heard, WORDS_PER_SEGMENT).map((stretch, index) => ({
    type: 'transcript.text.segment',
    id: `seg_${index}`,
    ...stretch,
    speaker: names[index % 2] ?? (index % 2 === 0 ? 'A' : 'B'),
  }));
}

function reportChances(body: JsonRecord, text: string): JsonRecord {
  if (!asArray(body['include']).includes('logprobs')) return {};
  return { logprobs: splitTokens(text).map((token) => ({ token, logprob: -0.1, bytes: [...Buffer.from(token)] })) };
}

/** Every word takes as long as any other. */
function cutStretches({ text, seconds }: Heard, wordsEach: number): Stretch[] {
  const tokens = splitTokens(text);
  const each = seconds / Math.max(1, tokens.length);
  const stretches: Stretch[] = [];
  for (let from = 0; from < tokens.length; from += wordsEach) {
    const until = Math.min(tokens.length, from + wordsEach);
    stretches.push({ text: tokens.slice(from, until).join(''), start: round(from * each), end: round(until * each) });
  }
  return stretches;
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function describeUsage({ body }: Question, { text, seconds }: Heard): JsonRecord {
  if (body['model'] === 'transcription') return { type: 'duration', seconds: Math.ceil(seconds) };
  const audio = Math.ceil(seconds * TOKENS_PER_SECOND);
  const prompt = countTokens(asText(body['prompt']) ?? '');
  const output = countTokens(text);
  return {
    type: 'tokens',
    total_tokens: audio + prompt + output,
    input_tokens: audio + prompt,
    output_tokens: output,
    input_token_details: { text_tokens: prompt, audio_tokens: audio },
  };
}
