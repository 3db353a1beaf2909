import { createLossReport } from '@weir/canonical';
import { startFakeUpstream } from '@weir/testing';
import { createUpstreamTransport } from '@weir/upstream-http';
import { buildFile, buildImageRequest, buildSpeechRequest, buildTranscriptionRequest, hear } from '../__fixtures__/build-media';
import { buildTarget } from '../__fixtures__/build-target';
import { askForMedia } from '../calls/dispatch-media-call';
import type { Provider } from '../provider/provider';
import type { MediaCall, MediaReply } from '../provider/media-provider';
import { createProviderDirectory } from '../directory/provider-directory';

const ERRAND = { headersTimeoutMs: 5000, idleTimeoutMs: 5000, signal: AbortSignal.timeout(20_000) };

describe('providers of pictures and sound over HTTP', () => {
  const transport = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 2 });
  let upstream: Awaited<ReturnType<typeof startFakeUpstream>>;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(async () => {
    await transport.close();
    await upstream.stop();
  });

  function find(id: string): Provider {
    const prefix = `PROVIDER_${id.toUpperCase()}`;
    const env: Record<string, string> = { [`${prefix}_API_KEY`]: 'own-key', [`${prefix}_BASE_URL`]: upstream.url };
    const provider = createProviderDirectory({ env: (name) => env[name], transport: transport.send }).find(id);
    if (provider === undefined) throw new Error(`${id} is not configured`);
    return provider;
  }
  const send = (provider: Provider, call: MediaCall | undefined): Promise<MediaReply> => {
    if (call === undefined) throw new Error('there is no lane');
    return askForMedia({ provider, target: buildTarget() }, call, ERRAND);
  };
  const last = () => {
    const [request] = upstream.requests.slice(-1);
    return { path: request?.path, headers: request?.headers, text: request?.bodyText };
  };

  it('are sent a form with the file in it', async () => {
    upstream.reply({ body: { text: 'Hello.', words: [], audio_duration_secs: 1.5 } });
    const provider = find('elevenlabs');
    const request = buildTranscriptionRequest({ file: buildFile('audio/mpeg', Buffer.from('the sound')) });
    const target = buildTarget('scribe_v2');
    const reply = await send(provider, await provider.transcription?.encodeRequest(request, target, createLossReport()));

    expect(last()).toMatchObject({
      path: '/v1/speech-to-text',
      headers: { 'xi-api-key': 'own-key', 'content-type': expect.stringMatching(/^multipart\/form-data/) as string },
    });
    expect(last().text).toMatch(/name="model_id"\r\n\r\nscribe_v2\r\n[^]*name="file"[^]*audio\/mpeg\r\n\r\nthe sound\r\n/);
    expect(
      await provider.transcription?.decodeReply(reply, { request, target, follow: () => Promise.reject(new Error('no')) }),
    ).toMatchObject({
      text: 'Hello.',
      usage: { seconds: 1.5 },
    });
  });

  it('are sent the file as the whole body', async () => {
    upstream.reply({ body: { results: { channels: [{ alternatives: [{ transcript: 'Hello.' }] }] } } });
    const provider = find('deepgram');
    const request = buildTranscriptionRequest({ file: buildFile('audio/wav', Buffer.from('the sound')), language: 'en' });
    await send(provider, await provider.transcription?.encodeRequest(request, buildTarget('nova-3'), createLossReport()));

    expect(last()).toMatchObject({
      path: '/v1/listen?model=nova-3&smart_format=true&language=en',
      headers: { authorization: 'Token own-key', 'content-type': 'audio/wav', 'content-length': '9' },
      text: 'the sound',
    });
  });

  it('send sound as it comes, or in pieces of their own', async () => {
    upstream.reply({ headers: { 'content-type': 'audio/mpeg' }, stream: ['ab', 'c'] });
    upstream.reply({
      headers: { 'content-type': 'text/event-stream' },
      stream: ['data: {"data":{"audio":"6162","status":1}}\n\n', 'data: {"data":{"status":2},"extra_info":{"usage_characters":6}}\n\n'],
    });
    const heard = [];
    for (const [id, voice] of [
      ['elevenlabs', 'sarah'],
      ['minimax', 'Abbess'],
    ] as const) {
      const provider = find(id);
      const request = buildSpeechRequest({ voice });
      const reply = await send(provider, provider.speech?.encodeRequest(request, buildTarget('m'), createLossReport()));
      const decoder = provider.speech?.createDecoder({ request, target: buildTarget('m') }, reply.headers);
      heard.push([last().path, decoder && hear(decoder, reply.bytes)]);
    }

    expect(heard).toEqual([
      ['/v1/text-to-speech/EXAVITQu4vr4xnSDxMaL/stream?output_format=mp3_44100_128', { sound: 'abc', usage: undefined }],
      ['/v1/t2a_v2', { sound: 'ab', usage: expect.objectContaining({ characters: 6 }) as object }],
    ]);
    expect(last().headers).toMatchObject({ authorization: 'Bearer own-key', 'content-type': 'application/json' });
  });

  it('refuse in their own words', async () => {
    upstream.reply({ status: 400, body: { error: { code: 400, message: 'Imagen is gone.', status: 'INVALID_ARGUMENT' } } });
    const provider = find('google');
    const call = await provider.images?.encodeRequest(buildImageRequest(), buildTarget('imagen-4.0-generate-001'), createLossReport());

    await expect(send(provider, call)).rejects.toMatchObject({ code: 'provider_refused', message: 'Imagen is gone.' });
    expect(last()).toMatchObject({ path: '/v1beta/models/imagen-4.0-generate-001:predict', headers: { 'x-goog-api-key': 'own-key' } });
  });
});
