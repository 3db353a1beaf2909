import type { ImageRequest } from '@weir/canonical';
import { describeWithFixtures, loadCapture } from '@weir/testing';
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
import { toSse } from '../../__fixtures__/decode-in-pieces';
import { createImageLane } from './images';
import { readMediaUsage } from './read-media-usage';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';

const lane = createImageLane('gemini');
const GEMINI = 'gemini-2.5-flash-image';
const IMAGEN = 'imagen-4.0-generate-001';
const draw = (request: Partial<ImageRequest>, model = GEMINI) => sayMedia(lane, buildImageRequest(request), model);
const look = async (body: unknown, model = GEMINI) => lane.decodeReply(buildReply(body), buildSent(buildImageRequest(), model));
const generation = (call: { body: unknown }) => (call.body as { generationConfig: Record<string, unknown> }).generationConfig;
const candidate = (parts: object[], more: object = {}) => ({ candidates: [{ content: { role: 'model', parts }, ...more }] });
const code = (name: string) => expect.objectContaining({ code: name }) as Error;
const PICTURE = { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } };

describe('pictures by a model that talks', () => {
  it('are asked for in a turn that holds the pictures to edit', async () => {
    const file = buildFile('image/webp', Buffer.from('hello'));

    expect(await draw({ images: [file], size: '1024x1024', unmapped: { seed: 7 } })).toEqual({
      path: `/models/${GEMINI}:generateContent`,
      body: {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/webp', data: 'aGVsbG8=' } }, { text: 'a boat' }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '1:1' }, seed: 7 },
      },
      dropped: [],
      approximated: [],
    });
    expect(generation(await draw({ size: 'auto' }))).toEqual({ responseModalities: ['IMAGE'] });
    expect(lane.countMax(buildTarget(GEMINI))).toBe(1);
    expect(lane.edits?.(buildTarget(GEMINI))).toBe(true);
  });

  it.each([
    ['1536x1024', { aspectRatio: '3:2', imageSize: '1K' }],
    ['2048x2048', { aspectRatio: '1:1', imageSize: '2K' }],
    ['4096x2304', { aspectRatio: '16:9', imageSize: '4K' }],
  ])('of %s have a shape and, in the third generation, a size', async (size, imageConfig) => {
    const call = await draw({ size }, 'gemini-3-pro-image');

    expect(generation(call)).toMatchObject({ imageConfig });
    expect(call.approximated).toEqual(['size']);
  });

  it('report every option that is lost, and never drop a mask or transparency', async () => {
    const { dropped } = await draw({
      quality: 'high',
      outputFormat: 'jpeg',
      outputCompression: 50,
      moderation: 'low',
      style: 'vivid',
      inputFidelity: 'high',
      endUserId: 'u',
      unmapped: { whatever: 1 },
    });

    expect(dropped).toEqual([
      'input_fidelity',
      'moderation',
      'output_compression',
      'output_format',
      'quality',
      'style',
      'user',
      'whatever',
    ]);
    expect((await draw({ quality: 'auto', background: 'opaque', moderation: 'auto' })).dropped).toEqual([]);
    await expect(draw({ images: [buildFile('image/png')], mask: buildFile('image/png') })).rejects.toMatchObject({
      details: { field: 'mask' },
    });
    await expect(draw({ background: 'transparent' })).rejects.toMatchObject({ details: { field: 'background' } });
  });

  it('come with usage by kind', async () => {
    const usageMetadata = {
      promptTokenCount: 270,
      candidatesTokenCount: 1290,
      thoughtsTokenCount: 40,
      totalTokenCount: 1600,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 12 },
        { modality: 'IMAGE', tokenCount: 258 },
      ],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    };
    const parts = [{ text: 'thinking', thought: true }, { ...PICTURE, thought: true }, { text: 'Here.' }, PICTURE];

    expect(await look({ ...candidate(parts, { finishReason: 'STOP' }), usageMetadata, createTime: '2026-05-01T00:00:00Z' })).toEqual({
      created: Date.parse('2026-05-01T00:00:00Z') / 1000,
      images: [{ base64: 'aGVsbG8=', mediaType: 'image/png' }],
      usage: {
        inputTextTokens: 12,
        inputImageTokens: 258,
        inputAudioTokens: 0,
        outputTextTokens: 40,
        outputImageTokens: 1290,
        outputAudioTokens: 0,
        seconds: 0,
        characters: 0,
        images: 1,
        source: 'provider',
      },
      facts: { outputFormat: 'png' },
    });
    expect((await look(candidate([PICTURE]))).usage).toBeNull();
  });

  it('count as pictures what the provider does not distinguish, and lose no token to details that do not add up', () => {
    expect(readMediaUsage({ promptTokenCount: 5, candidatesTokenCount: 1290 }, 'image')).toMatchObject({
      inputTextTokens: 5,
      outputImageTokens: 1290,
      outputTextTokens: 0,
    });
    const details = [
      { modality: 'IMAGE', tokenCount: 99 },
      { modality: 'AUDIO', tokenCount: 99 },
    ];
    expect(readMediaUsage({ promptTokenCount: 100, promptTokensDetails: details }, 'text')).toMatchObject({
      inputImageTokens: 99,
      inputAudioTokens: 1,
      inputTextTokens: 0,
    });
    expect(readMediaUsage({}, 'image')).toBeNull();
  });

  it('are refused in the provider’s words, where there are any', async () => {
    await expect(look(candidate([], { finishReason: 'IMAGE_SAFETY', finishMessage: 'Unable to show this.' }))).rejects.toMatchObject({
      code: 'provider_content_filtered',
      message: 'Unable to show this.',
    });
    await expect(look(candidate([{ text: 'I will not.' }], { finishReason: 'NO_IMAGE' }))).rejects.toThrow(/NO_IMAGE/);
    await expect(look({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })).rejects.toThrow(/PROHIBITED_CONTENT/);
  });
});

describe('pictures by a model that only draws', () => {
  it('are asked for several at a time', async () => {
    const request = {
      count: 3,
      size: '1792x1024',
      outputFormat: 'jpeg',
      outputCompression: 80,
      unmapped: { negative_prompt: '7 cars', enhance_prompt: 'false' },
    } as const;

    expect(await draw(request, IMAGEN)).toEqual({
      path: `/models/${IMAGEN}:predict`,
      body: {
        instances: [{ prompt: 'a boat' }],
        parameters: {
          sampleCount: 3,
          aspectRatio: '16:9',
          sampleImageSize: '2K',
          includeRaiReason: true,
          outputOptions: { mimeType: 'image/jpeg', compressionQuality: 80 },
          negativePrompt: '7 cars',
          enhancePrompt: false,
        },
      },
      dropped: [],
      approximated: ['size'],
    });
    expect((await draw({ outputFormat: 'webp', outputCompression: 80 }, IMAGEN)).dropped).toEqual(['output_compression', 'output_format']);
    expect(lane.countMax(buildTarget(IMAGEN))).toBe(4);
    expect(lane.edits?.(buildTarget(IMAGEN))).toBe(false);
    await expect(draw({ images: [buildFile('image/png')] }, IMAGEN)).rejects.toMatchObject({ details: { field: 'image' } });
  });

  it('are charged as many as came', async () => {
    const predictions = [
      { mimeType: 'image/png', bytesBase64Encoded: 'aGVsbG8=', prompt: 'a big boat' },
      { raiFilteredReason: 'one was held back' },
    ];

    expect(await look({ predictions }, IMAGEN)).toMatchObject({
      images: [{ base64: 'aGVsbG8=', mediaType: 'image/png', revisedPrompt: 'a big boat' }],
      usage: { images: 1 },
    });
    await expect(look({ predictions: predictions.slice(1) }, IMAGEN)).rejects.toMatchObject({
      code: 'provider_content_filtered',
      message: 'one was held back',
    });
    await expect(look({}, IMAGEN)).rejects.toThrow(code('provider_content_filtered'));
  });
});

describe('speech', () => {
  const speak = (more: object = {}) => sayMedia(speechLane, buildSpeechRequest({ format: 'pcm', ...more }), 'gemini-2.5-flash-preview-tts');
  const sound = (data: string, mimeType = 'audio/L16;codec=pcm;rate=24000') => candidate([{ inlineData: { mimeType, data } }]);
  const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 25, candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 25 }] };
  const listen = (body: string, size?: number) => hear(speechLane.createDecoder(buildSent(buildSpeechRequest(), 'm'), {}), body, size);

  it('is asked for with a voice of the provider’s own', async () => {
    expect(await speak()).toEqual({
      path: '/models/gemini-2.5-flash-preview-tts:streamGenerateContent?alt=sse',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
        },
      },
      dropped: [],
      approximated: [],
    });
    expect(speechLane.formats(buildTarget())).toEqual(['pcm']);
    await expect(speak({ voice: 'alloy' })).rejects.toThrow(/zephyr, puck/);
  });

  it('says how to speak before what to speak, and cannot hurry', async () => {
    const call = await speak({ instructions: 'Say cheerfully.', speed: 2, unmapped: { language_code: 'de-DE', x: 1 } });

    expect(call.body).toMatchObject({
      contents: [{ parts: [{ text: 'Say cheerfully:\nHello.' }] }],
      generationConfig: { speechConfig: { languageCode: 'de-DE' } },
    });
    expect([call.dropped, call.approximated]).toEqual([['speed', 'x'], ['instructions']]);
  });

  it.each([1, 2, 7, 1000])('is the same in pieces of %d bytes', (size) => {
    const body = toSse([sound('AAEC'), sound('AwQ='), { ...candidate([], { finishReason: 'STOP' }), usageMetadata }], false);

    expect(listen(body, size)).toEqual({
      sound: '\0\x01\x02\x03\x04',
      usage: expect.objectContaining({ inputTextTokens: 4, outputAudioTokens: 25, outputTextTokens: 0 }) as object,
    });
  });

  it('is refused, cut or unreadable by name', () => {
    expect(() => listen(toSse([candidate([], { finishReason: 'OTHER' })], false))).toThrow(/OTHER/);
    expect(() => listen(toSse([sound('AAEC')], false))).toThrow(code('provider_stream_cut'));
    expect(() => listen(toSse([sound('AAEC', 'audio/L16;rate=16000')], false))).toThrow(code('provider_unreadable'));
    expect(() => listen(toSse([{ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }], false))).toThrow(
      code('provider_overloaded'),
    );
    expect(() => listen('')).toThrow(code('provider_unreadable'));
  });
});

describe('transcription', () => {
  const MODEL = 'gemini-2.5-flash';
  const say = (more: object = {}) => sayMedia(transcriptionLane, buildTranscriptionRequest(more), MODEL);
  const usageMetadata = {
    promptTokenCount: 60,
    candidatesTokenCount: 3,
    promptTokensDetails: [
      { modality: 'AUDIO', tokenCount: 50 },
      { modality: 'TEXT', tokenCount: 10 },
    ],
  };

  it('holds the recording and what to do with it', async () => {
    const call = await say({
      temperature: 0,
      language: 'de',
      prompt: 'Weir',
      include: ['logprobs'],
      unmapped: [{ name: 'x', value: '1' }],
    });

    expect(call).toMatchObject({
      path: `/models/${MODEL}:generateContent`,
      body: {
        contents: [
          {
            role: 'user',
            parts: [{ text: expect.stringMatching(/de\.\n.*Weir/) as string }, { inlineData: { mimeType: 'audio/mp3', data: 'Ynl0ZXM=' } }],
          },
        ],
        generationConfig: { temperature: 0 },
      },
      dropped: ['include', 'x'],
      approximated: ['language', 'prompt'],
    });
    expect((await say({ stream: true })).path).toBe(`/models/${MODEL}:streamGenerateContent?alt=sse`);
    expect(JSON.stringify((await say({ task: 'translate' })).body)).toContain('into English');
  });

  it.each(['srt', 'vtt', 'verbose_json', 'diarized_json'])('cannot be %s', async (format) => {
    await expect(say({ format })).rejects.toMatchObject({ code: 'unsupported_field', details: { field: 'response_format' } });
  });

  it('is the text alone', async () => {
    const read = async (body: unknown) => transcriptionLane.decodeReply(buildReply(body), buildSent(buildTranscriptionRequest(), MODEL));

    expect(await read({ ...candidate([{ text: 'Hel' }, { text: 'lo.\n' }], { finishReason: 'STOP' }), usageMetadata })).toEqual({
      text: 'Hello.',
      usage: expect.objectContaining({ inputAudioTokens: 50, inputTextTokens: 10, outputTextTokens: 3 }) as object,
    });
    expect((await read(candidate([], { finishReason: 'STOP' }))).text).toBe('');
    await expect(read(candidate([], { finishReason: 'SAFETY' }))).rejects.toThrow(code('provider_content_filtered'));
  });

  it.each([1, 5, 1000])('streams the same in pieces of %d bytes', (size) => {
    const body = Buffer.from(
      toSse([candidate([{ text: 'Grüß ' }]), { ...candidate([{ text: 'Gott.' }], { finishReason: 'STOP' }), usageMetadata }], false),
    );
    const decoder = transcriptionLane.createStreamDecoder?.(buildTarget(MODEL));
    const events = [];
    for (let position = 0; position < body.length; position += size)
      events.push(...(decoder?.push(body.subarray(position, position + size)) ?? []));

    expect([...events, ...(decoder?.end() ?? [])]).toEqual([
      { type: 'delta', text: 'Grüß ' },
      { type: 'delta', text: 'Gott.' },
      { type: 'done', text: 'Grüß Gott.', usage: expect.objectContaining({ inputAudioTokens: 50 }) as object },
    ]);
  });
});

describeWithFixtures('captured pictures', () => {
  const read = async (name: string, model: string) =>
    look(String(loadCapture(`FirebaseExtended+vertexai-sdk-test-data/vertexai/${name}`).body), model);

  it('of both families', async () => {
    const drawn = await read('unary-failure-generate-images-base64-some-filtered.json', IMAGEN);
    const reported = await read('unary-success-image-invalid-safety-ratings.json', GEMINI);

    expect(drawn).toMatchObject({ images: [{ mediaType: 'image/png' }, { mediaType: 'image/png' }], usage: { images: 2 } });
    expect(
      reported.images.map(({ base64 }) =>
        Buffer.from(base64 ?? '', 'base64')
          .subarray(1, 4)
          .toString(),
      ),
    ).toEqual(['PNG']);
  });

  it('in a bucket no one asked to be used are unreadable, and a refused request says so', async () => {
    await expect(read('unary-success-generate-images-gcs.json', IMAGEN)).rejects.toThrow(code('provider_unreadable'));
    await expect(read('unary-failure-image-rejected.json', GEMINI)).rejects.toThrow(/invalid argument/);
  });
});
