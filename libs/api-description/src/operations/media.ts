import { INFERENCE_HEADERS, type Operation } from './operation';
import {
  speechEvents,
  speechRequest,
  transcription,
  transcriptionEvents,
  transcriptionForm,
  translationForm,
} from '../schemas/gateway/audio';
import {
  imageEditEvents,
  imageEditForm,
  imageEditRequest,
  imageGenerationEvents,
  imageGenerationRequest,
  imageReply,
} from '../schemas/gateway/images';

const headers = [...INFERENCE_HEADERS, 'x-weir-cost', 'x-weir-usage', 'x-weir-dropped', 'x-weir-approximated'] as const;
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const MEDIA_OPERATIONS: readonly Operation[] = [
  {
    id: 'image-generations',
    tag: 'Images',
    summary: 'Make images from words',
    about: 'A body that is too large is a 413 without a body of its own.',
    body: imageGenerationRequest,
    responses: {
      200: {
        about: 'The images; events with `stream`.',
        json: imageReply,
        events: { about: 'Unfinished images as they come, then the finished one.', named: imageGenerationEvents },
        headers,
      },
    },
    examples: [
      {
        summary: 'A picture as base64',
        body: { model: 'sandbox/image', prompt: 'A weir in spring', response_format: 'b64_json' },
        status: 200,
      },
    ],
  },
  {
    id: 'image-edits',
    tag: 'Images',
    summary: 'Make images from words and images',
    about: 'As a form or as JSON. A body that is too large is a 413 without a body of its own.',
    body: imageEditRequest,
    form: imageEditForm,
    responses: {
      200: {
        about: 'The images; events with `stream`.',
        json: imageReply,
        events: { about: 'Unfinished images as they come, then the finished one.', named: imageEditEvents },
        headers,
      },
    },
    examples: [
      { summary: 'As JSON', body: { model: 'sandbox/image', prompt: 'Add a boat', images: [{ image_url: PIXEL }] }, status: 200 },
      { summary: 'As a form', form: { model: 'sandbox/image', prompt: 'Add a boat', 'image[]': 'picture.png' }, status: 200 },
    ],
  },
  {
    id: 'speech',
    tag: 'Audio',
    summary: 'Turn a text into speech',
    body: speechRequest,
    responses: {
      200: {
        about:
          'The audio as it is made, or events with `stream_format: sse`. `x-weir-cost` stands in the head where the cost is final by then. Where the provider reports at the end what it charges for, the head has `x-weir-cost-estimate`, and `x-weir-cost` follows the audio as a trailer (chunked HTTP/1.1); with events it is `usage.cost` of the last one.',
        media: {
          'audio/mpeg': '`mp3`, the default',
          'audio/opus': '`opus`',
          'audio/aac': '`aac`',
          'audio/flac': '`flac`',
          'audio/wav': '`wav`',
          'audio/pcm': '`pcm`: 24 kHz, 16 bits, mono',
        },
        events: { about: 'Pieces of audio, then the usage.', named: speechEvents },
        headers: [...headers, 'x-weir-cost-estimate'],
      },
    },
    examples: [
      { summary: 'As wav', body: { model: 'sandbox/speech', input: 'Hello', voice: 'alloy', response_format: 'wav' }, status: 200 },
      {
        summary: 'As events',
        body: { model: 'sandbox/speech', input: 'Hello', voice: 'alloy', response_format: 'wav', stream_format: 'sse' },
        status: 200,
      },
    ],
  },
  {
    id: 'transcriptions',
    tag: 'Audio',
    summary: 'Transcribe a recording',
    form: transcriptionForm,
    responses: {
      200: {
        about: 'The text; with other formats the text alone, or events with `stream`.',
        json: transcription,
        media: { 'text/plain; charset=utf-8': 'With `response_format` `text`, `srt` or `vtt`.' },
        events: { about: 'The text piece by piece, then whole with its usage.', named: transcriptionEvents },
        headers,
      },
    },
    examples: [{ summary: 'A recording', form: { model: 'sandbox/transcription', file: 'recording.wav' }, status: 200 }],
  },
  {
    id: 'translations',
    tag: 'Audio',
    summary: 'Transcribe a recording into English',
    form: translationForm,
    responses: {
      200: {
        about: 'The text; with other formats the text alone.',
        json: transcription,
        media: { 'text/plain; charset=utf-8': 'With `response_format` `text`, `srt` or `vtt`.' },
        headers,
      },
    },
    examples: [{ summary: 'A recording', form: { model: 'sandbox/transcription', file: 'recording.wav' }, status: 200 }],
  },
];
