import { z } from 'zod';
import { nameEvents, nameReply, nameRequest } from '../named-schemas';
import { cost, estimated } from './chat-completions-reply';
import { streamError } from './errors';
import { metadata, modelId, name, text } from './shared-fields';

const count = z.int().min(0);

/** Body of `POST /v1/audio/speech`. */
export const speechRequest = nameRequest(
  'SpeechRequest',
  z.looseObject({
    model: modelId,
    input: name,
    voice: z
      .union([name, z.looseObject({ id: name })])
      .describe(
        '`alloy`, `ash`, `ballad`, `coral`, `echo`, `fable`, `onyx`, `nova`, `sage`, `shimmer`, `verse`, or one of the vendor’s own.',
      ),
    instructions: text.describe('Tone and pace, for models that can be steered.'),
    response_format: z
      .enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])
      .nullish()
      .describe('`mp3` unless stated; of a model that has none, `wav`.'),
    speed: z.number().min(0.25).max(4).nullish(),
    stream_format: z.enum(['audio', 'sse']).nullish(),
    ...metadata,
  }),
);

const speechUsage = z.looseObject({
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  total_tokens: count.optional(),
  cost: cost.optional(),
  estimated,
});

/** The events of `stream_format: sse`, by name. */
export const speechEvents = nameEvents('SpeechEvent', [
  ['speech.audio.delta', z.looseObject({ type: z.literal('speech.audio.delta'), audio: z.string().describe('Base64.') })],
  ['speech.audio.done', z.looseObject({ type: z.literal('speech.audio.done'), usage: speechUsage.optional() })],
  ['error', streamError],
]);

const file = z.string().meta({ contentMediaType: 'application/octet-stream' });
const fields = {
  file: file.describe('The recording.'),
  model: modelId,
  prompt: z.string().optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
  temperature: z.string().optional().describe('0 to 1.'),
};

/** Form of `POST /v1/audio/transcriptions`. */
export const transcriptionForm = nameRequest(
  'TranscriptionForm',
  z.looseObject({
    ...fields,
    language: z.string().optional().describe('ISO 639-1.'),
    'timestamp_granularities[]': z.array(z.enum(['word', 'segment'])).optional(),
    'include[]': z.array(z.string()).optional(),
    stream: z.string().optional(),
  }),
);

/** Form of `POST /v1/audio/translations`: into English. */
export const translationForm = nameRequest('TranslationForm', z.looseObject(fields));

const usage = nameReply(
  'TranscriptionUsage',
  z.looseObject({
    type: z.enum(['tokens', 'duration']),
    input_tokens: count.optional(),
    output_tokens: count.optional(),
    total_tokens: count.optional(),
    input_token_details: z.looseObject({ audio_tokens: count.optional(), text_tokens: count.optional() }).optional(),
    seconds: z.number().optional(),
    cost: cost.optional(),
    estimated,
  }),
  'By tokens, or by seconds of audio, as the model is priced.',
);

export const transcription = nameReply('Transcription', z.looseObject({ text: z.string(), usage: usage.optional() }));

/** The events of a transcription stream, by name. */
export const transcriptionEvents = nameEvents('TranscriptionEvent', [
  ['transcript.text.delta', z.looseObject({ type: z.literal('transcript.text.delta'), delta: z.string() })],
  ['transcript.text.done', z.looseObject({ type: z.literal('transcript.text.done'), text: z.string(), usage: usage.optional() })],
  ['transcript.text.segment', z.looseObject({ type: z.literal('transcript.text.segment') })],
  ['error', streamError],
]);
