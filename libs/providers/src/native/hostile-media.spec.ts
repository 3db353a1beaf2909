import { GatewayError } from '@weir/errors';
import { buildImageRequest, buildReply, buildSent, buildSpeechRequest, buildTranscriptionRequest } from '../__fixtures__/build-media';
import { buildTarget } from '../__fixtures__/build-target';
import type { ImageLane, SpeechLane, TranscriptionLane } from '../provider/media-provider';
import { createImageLane as createBedrockImages } from './bedrock/images';
import { speechLane as deepgramSpeech } from './deepgram/speech';
import { transcriptionLane as deepgramTranscription } from './deepgram/transcription';
import { speechLane as elevenlabsSpeech } from './elevenlabs/speech';
import { transcriptionLane as elevenlabsTranscription } from './elevenlabs/transcription';
import { createImageLane as createGoogleImages } from './google/images';
import { speechLane as googleSpeech } from './google/speech';
import { transcriptionLane as googleTranscription } from './google/transcription';
import { createSpeechLane as createMinimaxSpeech } from './minimax/speech';
import { createSpeechLane as createVertexSpeech } from './vertex/speech';
import { createTranscriptionLane as createVertexTranscription } from './vertex/transcription';

const PLACE = { project: 'p', location: 'global', baseUrl: undefined };

/** What no one should send: each member of a reply in a shape it never has. */
const ODD = [null, 7, '', 'x', true, [], [null], [7], [[]], {}, { 0: {} }];
const MEMBERS = [
  'candidates',
  'predictions',
  'images',
  'finish_reasons',
  'data',
  'audioContent',
  'results',
  'metadata',
  'words',
  'text',
  'base_resp',
  'promptFeedback',
  'usageMetadata',
  'error',
  'extra_info',
];
const DEEP = [
  {
    candidates: [
      {
        content: { parts: [null, 7, { inlineData: 7 }, { inlineData: { mimeType: 'image/png', data: 7 } }, { text: {} }] },
        finishReason: 7,
      },
    ],
  },
  {
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: '§§' } }] } }],
    usageMetadata: { promptTokenCount: -5, totalTokenCount: 1e99 },
  },
  { predictions: [{ bytesBase64Encoded: '§' }, null, { raiFilteredReason: {} }] },
  { images: ['§', 7], finish_reasons: [7, null] },
  { data: { audio: 7, status: {} }, extra_info: { usage_characters: -1 }, base_resp: { status_code: 'x' } },
  {
    results: {
      channels: [{ alternatives: [{ transcript: 'a', words: [null, { word: 7, start: 'x' }] }] }],
      utterances: [null, { start: 1 }],
    },
    metadata: { duration: 'x' },
  },
  { results: [{ alternatives: [{ transcript: 7, words: [{ word: 'a', endOffset: 'soon' }] }] }], metadata: { totalBilledDuration: 7 } },
  {
    text: 'a',
    words: [null, { text: 7 }, { text: 'a', start: 'x', type: 'word' }, { text: ' ', type: 'spacing' }],
    audio_duration_secs: -1,
    language_code: 7,
  },
];
const REPLIES: readonly string[] = [
  '',
  '<html>',
  '[]',
  '7',
  'null',
  '{"a"',
  '\u0000\ufffd',
  ...MEMBERS.flatMap((member) => ODD.map((value) => JSON.stringify({ [member]: value }))),
  ...DEEP.map((body) => JSON.stringify(body)),
];

/** Everything that is thrown and is not what callers may meet. */
async function listStrays(read: (body: Buffer) => unknown, wrap: (reply: string) => string): Promise<string[]> {
  const strays: string[] = [];
  for (const reply of REPLIES) {
    try {
      await read(Buffer.from(wrap(reply)));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code === 'internal') strays.push(`${reply}: ${String(error)}`);
    }
  }
  return strays;
}

const plain = (reply: string): string => reply;
const asEvent = (reply: string): string => `data: ${reply}\n\n`;
const drain = (decoder: { push(bytes: Uint8Array): unknown; end(): unknown }, bytes: Buffer): void => {
  for (const byte of bytes) decoder.push(Uint8Array.of(byte));
  decoder.end();
};

describe('a reply that is none', () => {
  it.each<[string, ImageLane, string]>([
    ['talks', createGoogleImages('gemini'), 'gemini-2.5-flash-image'],
    ['only draws', createGoogleImages('vertex'), 'imagen-4.0-generate-001'],
    ['is invoked', createBedrockImages(() => ({})), 'stability.sd3-5-large-v1:0'],
    ['is invoked as well', createBedrockImages(() => ({})), 'amazon.nova-canvas-v1:0'],
  ])('by a model for pictures that %s is an error a caller may meet', async (_how, lane, model) => {
    expect(await listStrays((bytes) => lane.decodeReply(buildReply(bytes), buildSent(buildImageRequest(), model)), plain)).toEqual([]);
  });

  it.each<[string, SpeechLane, string, string]>([
    ['text/event-stream', googleSpeech, 'gemini-2.5-flash-preview-tts', 'event'],
    ['application/json', createVertexSpeech(PLACE), 'chirp', 'plain'],
    ['text/event-stream', createMinimaxSpeech('https://x/anthropic/v1', []), 'speech-2.6-hd', 'event'],
    ['application/json', createMinimaxSpeech('https://x/anthropic/v1', []), 'speech-2.6-hd', 'plain'],
    ['audio/mpeg', elevenlabsSpeech, 'eleven_v3', 'plain'],
    ['text/html', deepgramSpeech, 'aura-2', 'plain'],
  ])('as %s by a model that speaks is an error a caller may meet', async (type, lane, model, how) => {
    const read = (bytes: Buffer): void =>
      drain(lane.createDecoder(buildSent(buildSpeechRequest(), model), { 'content-type': type }), bytes);

    expect(await listStrays(read, how === 'event' ? asEvent : plain)).toEqual([]);
  });

  it.each<[string, TranscriptionLane, string]>([
    ['google', googleTranscription, 'gemini-2.5-flash'],
    ['vertex', createVertexTranscription(PLACE), 'chirp_3'],
    ['elevenlabs', elevenlabsTranscription, 'scribe_v2'],
    ['deepgram', deepgramTranscription, 'nova-3'],
  ])('by a model of %s that listens is an error a caller may meet', async (_who, lane, model) => {
    expect(await listStrays((bytes) => lane.decodeReply(buildReply(bytes), buildSent(buildTranscriptionRequest(), model)), plain)).toEqual(
      [],
    );
    const decoder = () => lane.createStreamDecoder?.(buildTarget(model));
    if (decoder()) expect(await listStrays((bytes) => drain(decoder() ?? { push: () => [], end: () => [] }, bytes), asEvent)).toEqual([]);
  });
});
