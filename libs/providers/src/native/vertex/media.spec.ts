import {
  buildFile,
  buildImageRequest,
  buildReply,
  buildSent,
  buildSpeechRequest,
  buildTranscriptionRequest,
  hear,
  sayMedia,
} from '../../__fixtures__/build-media';
import { buildTarget } from '../../__fixtures__/build-target';
import { createLossReport } from '@weir/canonical';
import sharp from 'sharp';
import { createImageLane } from './images';
import { createSpeechLane } from './speech';
import { createTranscriptionLane } from './transcription';

const PLACE = { project: 'acme', location: 'global', baseUrl: undefined };
const images = createImageLane(PLACE);
const speech = createSpeechLane(PLACE);
const transcription = createTranscriptionLane(PLACE);
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

describe('pictures in a project', () => {
  it('are asked for at the addresses of the project, and may name the kind of file', async () => {
    const call = await sayMedia(images, buildImageRequest({ outputFormat: 'jpeg', outputCompression: 70 }), 'gemini-3-pro-image');

    expect(call).toMatchObject({
      baseUrl: 'https://aiplatform.googleapis.com/v1',
      path: '/projects/acme/locations/global/publishers/google/models/gemini-3-pro-image:generateContent',
      body: { generationConfig: { imageConfig: { imageOutputOptions: { mimeType: 'image/jpeg', compressionQuality: 70 } } } },
      dropped: [],
    });
  });

  it('go where the attempt is bound to', async () => {
    const target = buildTarget('imagen-4.0-generate-001', {}, 'europe-west4');
    const call = await images.encodeRequest(buildImageRequest(), target, createLossReport());

    expect(call).toMatchObject({
      baseUrl: 'https://europe-west4-aiplatform.googleapis.com/v1',
      path: '/projects/acme/locations/europe-west4/publishers/google/models/imagen-4.0-generate-001:predict',
    });
  });

  it('are drawn in a region where the project has none and the model needs one', async () => {
    const call = await sayMedia(images, buildImageRequest(), 'imagen-4.0-generate-001');

    expect([call.baseUrl, call.path.split('/publishers')[0]]).toEqual([
      'https://us-central1-aiplatform.googleapis.com/v1',
      '/projects/acme/locations/us-central1',
    ]);
  });

  it('are changed by the one model that only draws and can, inside the mask where there is one', async () => {
    const EDITOR = 'imagen-3.0-capability-001';
    const image = buildFile('image/png', Buffer.from('hello'));
    const mask = buildFile(
      'image/png',
      await sharp({ create: { width: 1, height: 1, channels: 4, background: '#00000000' } })
        .png()
        .toBuffer(),
    );
    const free = await sayMedia(images, buildImageRequest({ images: [image] }), EDITOR);
    const masked = await sayMedia(images, buildImageRequest({ images: [image], mask }), EDITOR);

    expect(free.body).toMatchObject({
      instances: [
        { referenceImages: [{ referenceType: 'REFERENCE_TYPE_RAW', referenceId: 1, referenceImage: { bytesBase64Encoded: 'aGVsbG8=' } }] },
      ],
      parameters: { editMode: 'EDIT_MODE_DEFAULT' },
    });
    expect(masked.body).toMatchObject({
      instances: [
        {
          referenceImages: [
            { referenceId: 1 },
            { referenceType: 'REFERENCE_TYPE_MASK', maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' } },
          ],
        },
      ],
      parameters: { editMode: 'EDIT_MODE_INPAINT_INSERTION' },
    });
    await expect(sayMedia(images, buildImageRequest(), EDITOR)).rejects.toMatchObject({ details: { field: 'model' } });
    await expect(sayMedia(images, buildImageRequest({ images: [image, image] }), EDITOR)).rejects.toMatchObject({
      details: { field: 'image' },
    });
  });

  it('are not made by models of other makers', async () => {
    await expect(sayMedia(images, buildImageRequest(), 'claude-sonnet-5')).rejects.toThrow(code('unsupported_field'));
  });
});

describe('speech in a project', () => {
  const CHIRP = 'chirp';
  const say = (more: object = {}) => sayMedia(speech, buildSpeechRequest(more), CHIRP);

  it('is asked for at the project by models that talk', async () => {
    expect((await sayMedia(speech, buildSpeechRequest({ format: 'pcm' }), 'gemini-2.5-flash-tts')).path).toBe(
      '/projects/acme/locations/global/publishers/google/models/gemini-2.5-flash-tts:streamGenerateContent?alt=sse',
    );
    expect(speech.formats(buildTarget('gemini-2.5-flash-tts'))).toEqual(['pcm']);
  });

  it('is asked for at a service of its own by the model that only speaks', async () => {
    expect(await say({ speed: 3, instructions: 'slowly', unmapped: { language_code: 'de-DE' } })).toEqual({
      baseUrl: 'https://texttospeech.googleapis.com/v1',
      path: '/text:synthesize',
      body: {
        input: { text: 'Hello.' },
        voice: { languageCode: 'de-DE', name: 'de-DE-Chirp3-HD-Kore' },
        audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 24_000, speakingRate: 2 },
      },
      dropped: ['instructions'],
      approximated: ['speed'],
    });
    expect((await say({ voice: 'fr-FR-Chirp3-HD-Puck' })).body).toMatchObject({
      voice: { languageCode: 'fr-FR', name: 'fr-FR-Chirp3-HD-Puck' },
    });
    expect((await say({ voice: 'fr-FR-Chirp3-HD-Puck', unmapped: { language_code: 'de-DE' } })).dropped).toEqual(['language_code']);
    await expect(say({ voice: 'alloy' })).rejects.toMatchObject({ details: { field: 'voice' } });
    expect(speech.formats(buildTarget(CHIRP))).toEqual(['mp3', 'opus', 'wav', 'pcm']);
  });

  it.each([
    ['europe-west1', 'https://eu-texttospeech.googleapis.com/v1'],
    ['asia-southeast1', 'https://asia-southeast1-texttospeech.googleapis.com/v1'],
  ])('stays in the area of %s', async (location, baseUrl) => {
    expect(await sayMedia(createSpeechLane({ ...PLACE, location }), buildSpeechRequest(), CHIRP)).toMatchObject({ baseUrl });
  });

  it.each([1, 3, 100])('comes whole, in pieces of %d bytes', (size) => {
    const listen = (body: string) => hear(speech.createDecoder(buildSent(buildSpeechRequest(), CHIRP), {}), body, size).sound;

    expect(listen('{"audioContent":"aGVsbG8="}')).toBe('hello');
    expect(() => listen('{"audioContent":7}')).toThrow(code('provider_unreadable'));
    expect(() => listen('{"error":{"code":500,"message":"broken"}}')).toThrow(code('provider_failed'));
  });
});

describe('transcription in a project', () => {
  const CHIRP = 'chirp_3';
  const say = (more: object = {}) => sayMedia(transcription, buildTranscriptionRequest(more), CHIRP);
  const read = async (body: unknown) => transcription.decodeReply(buildReply(body), buildSent(buildTranscriptionRequest(), CHIRP));

  it('is asked for at the project by models that talk', async () => {
    const target = buildTarget('gemini-2.5-flash');

    expect((await sayMedia(transcription, buildTranscriptionRequest(), 'gemini-2.5-flash')).path).toContain('/publishers/google/models/');
    expect([transcription.translates?.(target), transcription.createStreamDecoder?.(target)]).toEqual([true, expect.anything()]);
    expect([transcription.translates?.(buildTarget(CHIRP)), transcription.createStreamDecoder?.(buildTarget(CHIRP))]).toEqual([
      false,
      null,
    ]);
  });

  it('is asked for at a service of its own by the model that only listens', async () => {
    expect(await say({ format: 'diarized_json', language: 'de', prompt: 'p' })).toEqual({
      baseUrl: 'https://us-speech.googleapis.com/v2',
      path: '/projects/acme/locations/us/recognizers/_:recognize',
      body: {
        config: {
          autoDecodingConfig: {},
          languageCodes: ['de'],
          model: 'chirp_3',
          features: { enableAutomaticPunctuation: true, enableWordTimeOffsets: true, diarizationConfig: {} },
        },
        content: 'Ynl0ZXM=',
      },
      dropped: ['prompt'],
      approximated: [],
    });
    await expect(say({ task: 'translate' })).rejects.toThrow(code('unsupported_field'));
  });

  it.each([
    ['europe-west4', 'eu'],
    ['us-central1', 'us'],
    ['asia-southeast1', 'asia-southeast1'],
  ])('goes from %s to %s', async (location, area) => {
    const call = await sayMedia(createTranscriptionLane({ ...PLACE, location }), buildTranscriptionRequest(), CHIRP);

    expect(call.baseUrl).toBe(`https://${area}-speech.googleapis.com/v2`);
  });

  it('returns words, speakers and the seconds that are charged', async () => {
    const words = [
      { word: 'Hello', endOffset: '0.400s', speakerLabel: '1' },
      { word: 'there.', startOffset: '0.400s', endOffset: '1.200s', speakerLabel: '1' },
    ];
    const results = [{ alternatives: [{ transcript: 'Hello there.', words }, { transcript: 'Yellow hair.' }], languageCode: 'en-US' }, {}];

    expect(await read({ results, metadata: { totalBilledDuration: '2s' } })).toEqual({
      text: 'Hello there.',
      language: 'en-US',
      durationSeconds: 2,
      segments: [{ id: 0, start: 0, end: 1.2, text: 'Hello there.', speaker: 'speaker_1' }],
      words: [
        { word: 'Hello', start: 0, end: 0.4, speaker: 'speaker_1' },
        { word: 'there.', start: 0.4, end: 1.2, speaker: 'speaker_1' },
      ],
      usage: expect.objectContaining({ seconds: 2 }) as object,
    });
    expect(await read({ metadata: {} })).toMatchObject({ text: '', usage: null });
    await expect(read({})).rejects.toThrow(code('provider_unreadable'));
  });
});
