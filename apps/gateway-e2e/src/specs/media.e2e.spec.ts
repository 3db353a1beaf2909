import { describeWithFixtures } from '@weir/testing';
import OpenAI, { toFile } from 'openai';
import { describeOpenaiImages } from '../clients/openai-images.conformance';
import { describeOpenaiSpeech } from '../clients/openai-speech.conformance';
import { describeOpenaiTranscription } from '../clients/openai-transcription.conformance';
import { callUntil, createCallHarness, type CallHarness } from '../harness/call-harness';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { startClientHarness } from '../harness/start-client-harness';

/** One gateway for all: each suite has a key of its own, which counts nothing but the suite. */
describe('pictures, speech and transcriptions in one process', () => {
  let harness: ClientHarness;
  let call: CallHarness;

  beforeAll(async () => {
    harness = await startClientHarness();
    call = createCallHarness(harness);
  });
  afterAll(() => harness.stop());

  const createKey = async (more: object = {}): Promise<{ apiKey: string; id: string }> => {
    const { status, json } = await call('POST /v1/manage/apikey', { name: 'a suite', permissions: { completions: 'write' }, ...more });
    if (status !== 201) throw new Error(`no key: ${status}`);
    return { apiKey: String(json['api_key']), id: String(json['api_key_id']) };
  };
  const open: OpenClientHarness = async () => ({
    ...harness,
    apiKey: (await createKey()).apiKey,
    countsKeyOnly: true,
    stop: () => Promise.resolve(),
  });

  describe('images', () => describeOpenaiImages(open));
  describe('speech', () => describeOpenaiSpeech(open));
  describe('transcription', () => describeOpenaiTranscription(open));

  it('obey the month’s limit of a key, before anything is made', async () => {
    const { apiKey } = await createKey({ monthly_limit: 0.005 });
    const { images, audio } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey, maxRetries: 0 });
    await expect(images.generate({ model: 'sandbox/image', prompt: 'x' })).rejects.toMatchObject({ status: 412 });
    await expect(audio.speech.create({ model: 'sandbox/speech', input: 'x'.repeat(400), voice: 'alloy' })).rejects.toMatchObject({
      status: 412,
    });
    await expect(audio.speech.create({ model: 'sandbox/speech', input: 'short', voice: 'alloy' })).resolves.toBeDefined();
  });

  it('obey access lists, each kind its own', async () => {
    const { apiKey, id } = await createKey();
    const list = await call('POST /v1/manage/access-list', { name: 'pictures', auto_approve: false, image: ['sandbox/image'] });
    await call(`POST /v1/manage/apikey/${id}/access-list`, { access_list_id: list.json['id'] });
    const ask = (path: string, body: object) => call(`POST ${path}`, body, { authorization: `Bearer ${apiKey}` });
    const speech = { model: 'sandbox/speech', input: 'x', voice: 'alloy' };
    await callUntil(
      () => ask('/v1/audio/speech', speech),
      ({ status }) => status === 403,
    );
    expect((await ask('/v1/images/generations', { model: 'sandbox/image-tokens', prompt: 'x' })).status).toBe(403);
    expect((await ask('/v1/images/generations', { model: 'sandbox/image', prompt: 'x', size: '64x64' })).status).toBe(200);
  });

  it('find no model of another kind, and none of which nothing is set up', async () => {
    const speech = { input: 'x', voice: 'alloy' };
    expect((await call('POST /v1/audio/speech', { ...speech, model: 'sandbox/image' })).status).toBe(404);
    expect((await call('POST /v1/audio/speech', { ...speech, model: 'minimax/speech-2.6-hd' })).status).toBe(404);
  });

  describeWithFixtures('at the vendor, as it was captured', () => {
    it('a picture, by its address', async () => {
      harness.playCapture('envoyproxy+ai-gateway/openai/image-generation-basic.yaml');
      const { images } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
      const ask = { prompt: 'A simple drawing', size: '1024x1024', quality: 'low' } as const;
      const made = await images.generate({ model: 'openai/gpt-image-1-mini', ...ask });
      expect(made.created).toBe(1760092079);
      expect(made.data?.[0]?.url).toMatch(/^https:\/\/oaidalleapiprodscus\.blob\.core\.windows\.net\//);
      expect(harness.readLastCall()).toMatchObject({ path: '/v1/images/generations', json: { model: 'gpt-image-1-mini', ...ask } });
    });

    it('a transcription, with the seconds that are charged', async () => {
      harness.playCapture('envoyproxy+ai-gateway/openai/audio-transcription-basic.yaml');
      const { audio } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
      // As long as the captured reply says: what is reported beyond the recording is not charged.
      const said = { model: 'sandbox/speech', input: 'x'.repeat(115), voice: 'alloy', response_format: 'wav' as const };
      const file = await toFile(Buffer.from(await (await audio.speech.create(said)).arrayBuffer()), 'a.wav');
      const reported = await audio.transcriptions.create({ model: 'openai/whisper-1', file, language: 'en' });
      expect(reported).toMatchObject({
        text: /^The sun rises/.exec(reported.text)?.input,
        usage: { type: 'duration', seconds: 7, cost: 0.0007 },
      });
      expect(harness.upstream.requests.at(-1)?.bodyText).toMatch(
        /name="model"\r\n\r\nwhisper-1\r\n[\s\S]*filename="a.wav"\r\ncontent-type: audio\/wav/i,
      );
    });
  });
});
