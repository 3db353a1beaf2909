import { createLossReport, createMediaFile, type ImageRequest, type SpeechRequest, type TranscriptionRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { buildTarget } from '../../__fixtures__/build-target';
import type { Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import type { MediaCall } from '../../provider/media-provider';
import { openAzureProvider } from '../../native/azure';
import { createProviderDirectory } from '../../directory/provider-directory';

const providers = createProviderDirectory({
  env: (name) => (/^(OPENAI|TOGETHER|GROQ|XAI|MISTRAL|FIREWORKS)_API_KEY$/.test(name) ? 'key' : undefined),
  transport: () => Promise.reject(new Error('nothing is sent')),
});
const find = (id: string): Provider => {
  const provider = providers.find(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider;
};
const target = (upstreamModel: string, units: Record<string, string> = { image: '0.04' }): ProviderTarget => {
  const built = buildTarget();
  return { ...built, attempt: { ...built.attempt, upstreamModel, prices: { kind: 'units', version: 'v', units } } };
};
const png = createMediaFile(Buffer.from('png'), { name: 'a.png', type: 'image/png' });
const wav = createMediaFile(Buffer.from('wav'), { name: 'a.wav', type: 'audio/wav' });
const bytesOf = (value: unknown): { bytes: Buffer; status: number; headers: object } => ({
  ...{ status: 200, headers: {} },
  bytes: Buffer.from(JSON.stringify(value)),
});
const jsonOf = ({ body }: MediaCall): unknown => (body.kind === 'json' ? (JSON.parse(body.text) as unknown) : undefined);
const fieldsOf = ({ body }: MediaCall): string[] =>
  body.kind === 'form' ? body.parts.map((part) => `${part.name}=${part.kind === 'field' ? part.value : part.file.name}`) : [];
const follow = () => Promise.reject(new Error('nothing to follow'));
const sse = (...events: object[]): Buffer => Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

describe('pictures', () => {
  const request: ImageRequest = { model: 'm', prompt: 'a kite', count: 1, stream: false, images: [] };
  const encode = async (id: string, model: string, more: Partial<ImageRequest> = {}) => {
    const losses = createLossReport();
    const call = await find(id).images?.encodeRequest({ ...request, ...more }, target(model), losses);
    if (call === undefined) throw new Error(`${id} makes no pictures`);
    return { call, dropped: [...losses.dropped] };
  };

  it('are asked for in the vendor’s words, with what no one here knows', async () => {
    const { call } = await encode('openai', 'gpt-image-1', {
      ...{ count: 3, size: '1024x1024', outputFormat: 'webp', outputCompression: 40, responseFormat: 'url', endUserId: 'u' },
      ...{ stream: true, partialImages: 2, unmapped: { seed: 7 } },
    });
    expect(call.path).toBe('/images/generations');
    expect(jsonOf(call)).toEqual({
      ...{ model: 'gpt-image-1', prompt: 'a kite', n: 3, size: '1024x1024', output_format: 'webp', output_compression: 40 },
      ...{ user: 'u', stream: true, partial_images: 2, seed: 7 },
    });
  });

  it('are asked for with fields of any name, also those that every object has', async () => {
    const unmapped = { constructor: 1, toString: '3' };
    const json = await encode('openai', 'gpt-image-1', { unmapped });
    expect(json.call.body).toMatchObject({ text: expect.stringMatching(/"constructor":1,"toString":"3"/) as string });
    const form = await encode('openai', 'gpt-image-1', { unmapped, images: [png] });
    expect(fieldsOf(form.call)).toEqual(expect.arrayContaining(['constructor=1', 'toString=3']));
  });

  it('are edited by a form, one file by one name and several by another', async () => {
    const one = await encode('openai', 'gpt-image-1', { images: [png], mask: png, inputFidelity: 'high' });
    expect(one.call.path).toBe('/images/edits');
    expect(fieldsOf(one.call)).toEqual(['model=gpt-image-1', 'prompt=a kite', 'input_fidelity=high', 'image=a.png', 'mask=a.png']);
    const two = await encode('openai', 'gpt-image-1', { images: [png, png] });
    expect(fieldsOf(two.call).slice(2)).toEqual(['image[]=a.png', 'image[]=a.png']);
  });

  it('follow the rules of each model and provider', async () => {
    const lane = find('openai').images;
    expect([lane?.countMax(target('dall-e-3')), lane?.countMax(target('gpt-image-1')), lane?.edits?.(target('dall-e-3'))]).toEqual([
      1,
      10,
      false,
    ]);
    expect(lane?.createStreamDecoder?.(target('dall-e-3'))).toBeNull();
    const dalle = await encode('openai', 'dall-e-3', { responseFormat: 'b64_json', quality: 'hd', outputFormat: 'png' });
    expect([jsonOf(dalle.call), dalle.dropped]).toEqual([
      { model: 'dall-e-3', prompt: 'a kite', quality: 'hd', response_format: 'b64_json' },
      ['output_format'],
    ]);
    const together = await encode('together', 'flux', { size: '512x256', responseFormat: 'b64_json', quality: 'low' });
    expect([jsonOf(together.call), together.dropped]).toEqual([
      { model: 'flux', prompt: 'a kite', width: 512, height: 256, response_format: 'base64' },
      ['quality'],
    ]);
    await expect(encode('openai', 'dall-e-3', { prompt: 'x'.repeat(4001) })).rejects.toMatchObject({ details: { field: 'prompt' } });
    await expect(encode('openai', 'dall-e-3', { images: [png] })).rejects.toMatchObject({ details: { field: 'image' } });
  });

  it('are drawn by a workflow whose address names the model', async () => {
    const model = 'accounts/fireworks/models/flux-1-schnell-fp8';
    const { call, dropped } = await encode('fireworks', model, { size: '1536x1024', quality: 'low', unmapped: { seed: '7' }, count: 1 });
    expect(call).toMatchObject({ path: `/workflows/${model}/text_to_image`, headers: { accept: 'application/json' } });
    expect([jsonOf(call), dropped]).toEqual([{ prompt: 'a kite', aspect_ratio: '3:2', seed: 7 }, ['quality']]);
    const lane = find('fireworks').images;
    expect([lane?.countMax(target(model)), lane?.edits?.(target(model)), lane?.createStreamDecoder]).toEqual([1, undefined, undefined]);
    await expect(encode('fireworks', model, { images: [png] })).rejects.toMatchObject({ details: { field: 'image' } });
    const read = (value: unknown) =>
      Promise.resolve().then(() => lane?.decodeReply(bytesOf(value) as never, { request, target: target(model), follow }));
    for (const base64 of ['QQ==', ['data:image/png;base64,QQ==']]) {
      expect(await read({ base64, finishReason: 'SUCCESS', seed: 7 })).toMatchObject({
        images: [{ base64: 'QQ==' }],
        unmapped: { seed: 7 },
      });
    }
    await expect(read({ base64: ['QQ=='], finishReason: 'CONTENT_FILTERED' })).rejects.toMatchObject({
      details: { upstream: { status: 400 } },
    });
    for (const wrong of [null, {}, { base64: [] }, { base64: [5] }, { base64: '!' }]) {
      await expect(read(wrong)).rejects.toMatchObject({ code: 'provider_unreadable' });
    }
  });

  it('are read with their tokens by kind, and with what no one here knows', async () => {
    const usage = { input_tokens: 30, output_tokens: 100, total_tokens: 130, input_tokens_details: { text_tokens: 10, image_tokens: 20 } };
    const sent = { request, target: target('gpt-image-1'), follow };
    const reply = await find('openai').images?.decodeReply(
      bytesOf({ created: 5, data: [{ b64_json: 'QQ==', revised_prompt: 'p', id: 'i' }], size: '1x1', usage, extra: 1 }) as never,
      sent,
    );
    expect(reply).toMatchObject({
      created: 5,
      images: [{ base64: 'QQ==', revisedPrompt: 'p', unmapped: { id: 'i' } }],
      usage: { inputTextTokens: 10, inputImageTokens: 20, outputImageTokens: 100, outputTextTokens: 0, images: 1 },
      facts: { size: '1x1' },
      unmapped: { extra: 1 },
    });
    const read = (value: unknown) => Promise.resolve().then(() => find('openai').images?.decodeReply(bytesOf(value) as never, sent));
    for (const wrong of [null, {}, { data: [] }, { data: [{}] }, { data: 'x' }, [1]]) {
      await expect(read(wrong)).rejects.toMatchObject({ code: 'provider_unreadable' });
    }
  });

  it('stream in events, however their bytes are cut', () => {
    const bytes = sse(
      { type: 'image_generation.partial_image', b64_json: 'QQ==', partial_image_index: 0, created_at: 9, size: '1x1' },
      { type: 'unknown' },
      { type: 'image_generation.completed', b64_json: 'Qg==', usage: { input_tokens: 1, output_tokens: 2 } },
    );
    for (const step of [1, 7, bytes.length]) {
      const decoder = find('openai').images?.createStreamDecoder?.(target('gpt-image-1'));
      const events = [];
      for (let at = 0; at < bytes.length; at += step) events.push(...(decoder?.push(bytes.subarray(at, at + step)) ?? []));
      expect(events).toMatchObject([
        { type: 'partial', index: 0, base64: 'QQ==', created: 9, facts: { size: '1x1' } },
        { type: 'completed', base64: 'Qg==', usage: { inputTextTokens: 1, outputImageTokens: 2 } },
      ]);
    }
    const failing = find('openai').images?.createStreamDecoder?.(target('gpt-image-1'));
    expect(() => failing?.push(sse({ type: 'error', error: { message: 'no', type: 'rate_limit_error' } }))).toThrow(GatewayError);
  });
});

describe('speech', () => {
  const request: SpeechRequest = { model: 'm', input: 'hello', voice: 'alloy', format: 'mp3', speed: 1, streamFormat: 'audio' };
  const encode = (
    id: string,
    model: string,
    more: Partial<SpeechRequest> = {},
    units: Record<string, string> = { character: '0.00001' },
  ) => {
    const losses = createLossReport();
    const call = find(id).speech?.encodeRequest({ ...request, ...more }, target(model, units), losses);
    if (call === undefined) throw new Error(`${id} does not speak`);
    return { json: jsonOf(call), dropped: [...losses.dropped] };
  };

  it('is asked for as events where only those report the tokens that are charged', () => {
    expect(encode('openai', 'gpt-4o-mini-tts', {}, { input_token: '0.1', output_token: '0.2' }).json).toMatchObject({
      stream_format: 'sse',
    });
    expect(encode('openai', 'tts-1', { instructions: 'slowly', speed: 2, unmapped: { a: 1 } })).toEqual({
      json: { model: 'tts-1', input: 'hello', voice: 'alloy', response_format: 'mp3', speed: 2, a: 1 },
      dropped: ['instructions'],
    });
    expect(encode('openai', 'gpt-4o-mini-tts', { voice: 'voice_1', isVoiceId: true }).json).toMatchObject({ voice: { id: 'voice_1' } });
  });

  it.each<[string, string, Partial<SpeechRequest>, string]>([
    ['a voice that is not there', 'tts-1', { voice: 'unheard-of' }, 'voice'],
    ['too long a text', 'tts-1', { input: 'x'.repeat(4097) }, 'input'],
    ['too long instructions', 'gpt-4o-mini-tts', { instructions: 'x'.repeat(4097) }, 'instructions'],
    ['events of a model without', 'tts-1-hd', { streamFormat: 'sse' }, 'stream_format'],
  ])('refuses %s', (_what, model, more, field) => {
    expect(() => encode('openai', model, more)).toThrow(expect.objectContaining({ details: expect.objectContaining({ field }) as object }));
  });

  it('is read as bytes or from events', () => {
    const sent = { request, target: target('gpt-4o-mini-tts') };
    const events = find('openai').speech?.createDecoder(sent, { 'content-type': 'text/event-stream; charset=utf-8' });
    const done = { type: 'speech.audio.done', usage: { input_tokens: 3, output_tokens: 40, total_tokens: 43 } };
    expect(events?.push(sse({ type: 'speech.audio.delta', audio: Buffer.from('ab').toString('base64') }, done))).toMatchObject([
      { type: 'audio', bytes: Buffer.from('ab') },
      { type: 'usage', usage: { inputTextTokens: 3, outputAudioTokens: 40 } },
    ]);
    expect(events?.end()).toEqual([]);
    const plain = find('openai').speech?.createDecoder(sent, { 'content-type': 'audio/mpeg' });
    expect(plain?.push(Buffer.from('x'))).toEqual([{ type: 'audio', bytes: Buffer.from('x') }]);
  });
});

describe('speech in events', () => {
  const open = () => {
    const request: SpeechRequest = { model: 'm', input: 'hello', voice: 'alloy', format: 'mp3', speed: 1, streamFormat: 'sse' };
    const decoder = find('openai').speech?.createDecoder(
      { request, target: target('gpt-4o-mini-tts') },
      { 'content-type': 'text/event-stream' },
    );
    if (decoder === undefined) throw new Error('openai does not speak');
    return decoder;
  };
  const delta = { type: 'speech.audio.delta', audio: 'QQ==' };

  it('is cut off when its provider never says that it is done', () => {
    const decoder = open();
    decoder.push(sse(delta));
    expect(() => decoder.end()).toThrow(expect.objectContaining({ code: 'provider_stream_cut' }) as Error);
  });

  it('is whole when it says so, in its last bytes too, and without a word of what was used', () => {
    const decoder = open();
    decoder.push(sse(delta));
    decoder.push(Buffer.from('data: {"type":"speech.audio.done"}'));
    expect(decoder.end()).toEqual([]);
  });

  it.each([
    [
      { type: 'image_generation_user_error', code: 'moderation_blocked', param: 'input' },
      'provider_content_filtered',
      { code: 'moderation_blocked', param: 'input' },
    ],
    [{ type: 'authentication_error', message: 'Incorrect API key: abc' }, 'provider_credentials', { status: 401 }],
    [{ type: 'server_error' }, 'provider_failed', { type: 'server_error' }],
  ])('fails in the provider’s words: %j', (error, code, upstream) => {
    let thrown: unknown;
    try {
      open().push(sse({ type: 'error', error: { message: 'no', ...error } }));
    } catch (failure) {
      thrown = failure;
    }
    expect(thrown).toMatchObject({ code, details: { upstream } });
    expect(String(thrown)).not.toContain('Incorrect API key');
  });
});

describe('transcriptions', () => {
  const request: TranscriptionRequest = {
    ...{ model: 'm', file: wav, task: 'transcribe', format: 'json', timestampGranularities: [], include: [], stream: false },
  };
  const encode = async (id: string, model: string, more: Partial<TranscriptionRequest> = {}) => {
    const losses = createLossReport();
    const call = await find(id).transcription?.encodeRequest({ ...request, ...more }, target(model), losses);
    if (call === undefined) throw new Error(`${id} does not listen`);
    return { call, fields: fieldsOf(call), dropped: [...losses.dropped] };
  };

  it('are asked for by a form, whose file comes last', async () => {
    const { call, fields } = await encode('openai', 'gpt-4o-transcribe', {
      ...{ language: 'de', temperature: 0.2, include: ['logprobs'], stream: true, chunkingStrategy: { type: 'server_vad' } },
      ...{ unmapped: [{ name: 'keywords[]', value: 'k' }] },
    });
    expect(call.path).toBe('/audio/transcriptions');
    expect(fields).toEqual([
      ...['model=gpt-4o-transcribe', 'language=de', 'response_format=json', 'temperature=0.2', 'include[]=logprobs'],
      ...['chunking_strategy={"type":"server_vad"}', 'stream=true', 'keywords[]=k', 'file=a.wav'],
    ]);
  });

  it('are asked for with fields of any name, also those that every object has', async () => {
    const unmapped = ['constructor', '__proto__', 'toString'].map((name) => ({ name, value: 'x' }));
    const { fields } = await encode('mistral', 'voxtral-mini-latest', { unmapped });
    expect(fields).toEqual(expect.arrayContaining(['constructor=x', '__proto__=x', 'toString=x']));
  });

  it('are asked for in a format that reports what is charged', async () => {
    expect((await encode('openai', 'whisper-1', { format: 'srt' })).fields).toContain('response_format=verbose_json');
    expect((await encode('openai', 'whisper-1', { format: 'text' })).fields).toContain('response_format=json');
    expect((await encode('groq', 'whisper-large-v3')).fields).toContain('response_format=verbose_json');
    expect((await encode('openai', 'whisper-1', { task: 'translate', language: 'de' })).call.path).toBe('/audio/translations');
  });

  it('follow the rules of each model and provider', async () => {
    await expect(encode('openai', 'gpt-4o-transcribe', { format: 'srt' })).rejects.toMatchObject({ details: { field: 'response_format' } });
    await expect(encode('openai', 'whisper-1', { format: 'diarized_json' })).rejects.toMatchObject({
      details: { field: 'response_format' },
    });
    await expect(encode('openai', 'gpt-4o-transcribe-diarize', { format: 'diarized_json' })).resolves.toBeDefined();
    const large = { ...wav, size: 26 * 1024 ** 2 };
    await expect(encode('openai', 'whisper-1', { file: large })).rejects.toMatchObject({ code: 'body_too_large' });
    const voxtral = await encode('mistral', 'voxtral-mini-latest', { prompt: 'p' });
    expect([voxtral.fields, voxtral.dropped]).toEqual([
      ['model=voxtral-mini-latest', 'file=a.wav'],
      ['prompt', 'response_format'],
    ]);
  });

  it.each<[string, object, object]>([
    ['seconds', { text: 'x', usage: { type: 'duration', seconds: 7 } }, { usage: { seconds: 7 } }],
    [
      'the length of the recording',
      { text: 'x', duration: 7.32, x_groq: { id: 1 } },
      { usage: { seconds: 7.32 }, unmapped: { x_groq: { id: 1 } } },
    ],
    [
      'tokens',
      {
        text: 'x',
        usage: { type: 'tokens', input_tokens: 14, input_token_details: { text_tokens: 4, audio_tokens: 10 }, output_tokens: 45 },
      },
      { usage: { inputTextTokens: 4, inputAudioTokens: 10, outputTextTokens: 45 } },
    ],
    [
      'tokens and seconds of a prompt',
      { text: 'x', usage: { prompt_audio_seconds: 3, prompt_tokens: 4, completion_tokens: 5 } },
      { usage: { seconds: 3, inputAudioTokens: 4, outputTextTokens: 5 } },
    ],
    ['nothing', { text: 'x' }, { usage: null }],
  ])('are read where they report %s', async (_what, body, expected) => {
    const sent = { request, target: target('whisper-1'), follow };
    expect(await find('openai').transcription?.decodeReply(bytesOf(body) as never, sent)).toMatchObject(expected);
  });
});

it('go to the account’s own host where the models are another vendor’s', async () => {
  const env: Readonly<Record<string, string>> = {
    ...{
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_ENDPOINT: 'https://own.openai.azure.com',
      PROVIDER_AZURE_EU_BASE_URL: 'https://eu.openai.azure.com',
    },
  };
  const azure = openAzureProvider(
    'azure',
    (name) => env[name],
    () => Promise.reject(new Error('nothing is sent')),
  );
  const speech: SpeechRequest = { model: 'm', input: 'x', voice: 'alloy', format: 'mp3', speed: 1, streamFormat: 'audio' };
  const place = (modelId: string): MediaCall | undefined => {
    const { attempt, ...rest } = target('tts-1');
    return azure?.speech?.encodeRequest(speech, { ...rest, attempt: { ...attempt, modelId } }, createLossReport());
  };
  expect(place('azure/openai/tts-1')).toMatchObject({ path: '/audio/speech', baseUrl: 'https://own.openai.azure.com/openai/v1' });
  expect(place('azure-eu/openai/tts-1')).toMatchObject({ baseUrl: 'https://eu.openai.azure.com/openai/v1' });
  await expect(
    Promise.resolve(
      azure?.images?.encodeRequest(
        { model: 'm', prompt: 'x', count: 1, stream: false, images: [] },
        target('gpt-image-1'),
        createLossReport(),
      ),
    ),
  ).resolves.toMatchObject({ path: '/images/generations' });
});
