import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { WatchedRequest } from '@weir/exchange';
import fc from 'fast-check';
import { decodeImageRequest } from '../images/decode-image-request';
import { decodeSpeechRequest } from '../speech/decode-speech-request';
import { decodeTranscriptionRequest } from '../transcription/decode-transcription-request';
import type { MediaParts } from './media-modality';

const NAMES = [
  ...['model', 'prompt', 'input', 'voice', 'n', 'size', 'quality', 'response_format', 'background', 'output_format', 'output_compression'],
  ...['stream', 'partial_images', 'user', 'images', 'mask', 'speed', 'stream_format', 'instructions', 'language', 'temperature'],
  ...['timestamp_granularities[]', 'include[]', 'chunking_strategy', 'chunking_strategy[type]', 'known_speaker_names[]', '__proto__', 'x'],
];
const MEANT = fc.constantFrom<unknown>(
  'sandbox/image',
  'x',
  1,
  0,
  -1,
  1e308,
  true,
  null,
  'auto',
  'verbose_json',
  '{',
  [],
  {},
  [{}],
  [null],
);
const hostile = fc.oneof(MEANT, fc.anything({ maxDepth: 2, withNullPrototype: false }));
const json = fc.dictionary(fc.constantFrom(...NAMES), hostile, { maxKeys: 12 });
const fields = fc.array(
  fc.record({ name: fc.constantFrom(...NAMES), value: fc.oneof(fc.string(), fc.constantFrom('1', 'true', 'word', 'auto', '{"a":1}')) }),
  {
    maxLength: 12,
  },
);

function watch(endpointId: string, more: object): WatchedRequest {
  const passport = { endpointId, caller: { organizationId: 'org' } } as unknown as Passport;
  return { forwarded: { passport, headers: {}, ...more }, onClientGone: () => undefined } as unknown as WatchedRequest;
}
const parts = {
  files: { find: () => Promise.resolve(undefined) },
  fetcher: { open: () => Promise.reject(new GatewayError('invalid_request', 'no')) },
};

/** Whatever is wrong is the caller's to hear of, by its field. */
async function expectVerdict(decode: () => unknown): Promise<void> {
  try {
    await decode();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    expect((error as GatewayError).status).toBe(400);
  }
}

describe('hostile fields', () => {
  it.each(['image-generations', 'image-edits'])('never break %s', async (endpointId) => {
    await fc.assert(
      fc.asyncProperty(json, (body) =>
        expectVerdict(() => decodeImageRequest(watch(endpointId, { parsed: { json: body } }), parts as unknown as MediaParts)),
      ),
      { numRuns: 300 },
    );
  });

  it('never break speech', async () => {
    await fc.assert(
      fc.asyncProperty(json, (body) => expectVerdict(() => decodeSpeechRequest(watch('speech', { parsed: { json: body } })))),
      { numRuns: 500 },
    );
  });

  it('never break transcriptions', async () => {
    const file = { field: 'file', name: 'a.wav', type: 'audio/wav', size: 3 };
    await fc.assert(
      fc.asyncProperty(fields, (given) =>
        expectVerdict(() => decodeTranscriptionRequest(watch('transcriptions', { form: { fields: given, files: [file] } }))),
      ),
      { numRuns: 500 },
    );
  });
});
