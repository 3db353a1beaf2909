import { buildReply, buildSent, buildSpeechRequest, buildTranscriptionRequest, hear, sayMedia } from '../../__fixtures__/build-media';
import { buildTarget } from '../../__fixtures__/build-target';
import { createDeepgramProvider } from './index';
import { readError } from './read-error';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';

const code = (name: string) => expect.objectContaining({ code: name }) as Error;
const queryOf = (path: string) => Object.fromEntries(new URL(path, 'https://x').searchParams);

it('has no chat, and sends its key as a token', () => {
  const provider = createDeepgramProvider({
    apiKey: 'own',
    baseUrl: 'https://api.deepgram.com/v1',
    transport: () => Promise.reject(new Error('no network here')),
    hasRegions: true,
  });

  expect(provider).toMatchObject({ id: 'deepgram', modalities: ['speech', 'transcription'], codec: null, express: null });
  expect(provider.authorize({ path: '/', body: '' }, buildTarget())).toEqual({ authorization: 'Token own' });
});

describe('speech', () => {
  const speak = (more: object = {}, model = 'aura-2') => sayMedia(speechLane, buildSpeechRequest({ voice: 'thalia', ...more }), model);

  it.each([
    ['mp3', { encoding: 'mp3' }],
    ['opus', { encoding: 'opus', container: 'ogg' }],
    ['aac', { encoding: 'aac' }],
    ['flac', { encoding: 'flac' }],
    ['wav', { encoding: 'linear16', container: 'wav', sample_rate: '24000' }],
    ['pcm', { encoding: 'linear16', container: 'none', sample_rate: '24000' }],
  ])('as %s stands in the address, with its voice in the name of the model', async (format, expected) => {
    const call = await speak({ format });

    expect(call.path.startsWith('/speak?')).toBe(true);
    expect(queryOf(call.path)).toEqual({ model: 'aura-2-thalia-en', ...expected });
    expect(call.body).toEqual({ text: 'Hello.' });
  });

  it.each([
    ['aura-2', 'Celeste', 'aura-2-celeste-es'],
    ['aura-2', 'aura-2-agathe-fr', 'aura-2-agathe-fr'],
    ['aura', 'stella', 'aura-stella-en'],
    ['aura-2-thalia-en', 'thalia', 'aura-2-thalia-en'],
    ['aura-2-thalia-en', 'aura-2-thalia-en', 'aura-2-thalia-en'],
  ])('of %s by %s is the model %s', async (model, voice, expected) => {
    expect(queryOf((await speak({ voice }, model)).path)['model']).toBe(expected);
  });

  it.each([
    ['aura-2', 'alloy'],
    ['aura', 'thalia'],
    ['aura', 'aura-2-thalia-en'],
    ['aura-2-thalia-en', 'zeus'],
  ])('of %s does not know %s', async (model, voice) => {
    await expect(speak({ voice }, model)).rejects.toMatchObject({ code: 'unsupported_field', details: { field: 'voice' } });
  });

  it('of a family no one knows takes whole names only, and other names are no models', async () => {
    expect(queryOf((await speak({ voice: 'aura-3-thalia-en', speed: 1.2 }, 'aura-3')).path)).toMatchObject({
      model: 'aura-3-thalia-en',
      speed: '1.2',
    });
    await expect(speak({}, 'aura-3')).rejects.toThrow(/has voices by their identifiers/);
    await expect(speak({}, 'aura(')).rejects.toMatchObject({ details: { field: 'model' } });
  });

  it('has no speed with models of the first generation, and reports what is lost', async () => {
    const second = await speak({ speed: 2, instructions: 'softly', unmapped: { tag: 'a&b', mip_opt_out: true, x: 1, bit_rate: {} } });
    const first = await speak({ speed: 2, voice: 'luna' }, 'aura');

    expect(queryOf(second.path)).toMatchObject({ speed: '1.5', tag: 'a&b', mip_opt_out: 'true' });
    expect([second.dropped, second.approximated]).toEqual([['bit_rate', 'instructions', 'x'], ['speed']]);
    expect([queryOf(first.path)['speed'], first.dropped]).toEqual([undefined, ['speed']]);
  });

  it('counts the characters that a header reports', () => {
    const decoder = speechLane.createDecoder(buildSent(buildSpeechRequest(), 'm'), { 'content-type': 'audio/mpeg', 'dg-char-count': '6' });

    expect(hear(decoder, 'abc', 1)).toMatchObject({ sound: 'abc', usage: { characters: 6 } });
  });
});

describe('transcription', () => {
  const MODEL = 'nova-3';
  const say = (more: object = {}) => sayMedia(transcriptionLane, buildTranscriptionRequest(more), MODEL);
  const read = (body: unknown, more: object = {}) =>
    transcriptionLane.decodeReply(buildReply(body), buildSent(buildTranscriptionRequest(more), MODEL));

  it('is the file as the whole body, and everything else in the address', async () => {
    const call = await say();

    expect(call.body).toMatchObject({ kind: 'file', file: { type: 'audio/mpeg' } });
    expect(queryOf(call.path)).toEqual({ model: MODEL, smart_format: 'true', detect_language: 'true' });
  });

  it('asks for speakers and times where the format needs them, and reports what is lost', async () => {
    const unmapped = [
      { name: 'keyterm', value: 'Weir' },
      { name: 'keyterm', value: 'a&b' },
      { name: 'smart_format', value: 'false' },
      { name: 'callback', value: 'https://elsewhere.example' },
    ];
    const call = await say({ format: 'diarized_json', language: 'de', prompt: 'p', temperature: 0, unmapped });
    const query = new URL(call.path, 'https://x').searchParams;

    expect(queryOf(call.path)).toMatchObject({ language: 'de', utterances: 'true', diarize: 'true', smart_format: 'false' });
    expect(query.getAll('keyterm')).toEqual(['Weir', 'a&b']);
    expect([call.dropped, query.has('detect_language')]).toEqual([['callback', 'prompt', 'temperature'], false]);
    expect(queryOf((await say({ format: 'srt' })).path)).toMatchObject({ utterances: 'true' });
    await expect(say({ task: 'translate' })).rejects.toThrow(code('unsupported_field'));
  });

  const WORDS = [
    { word: 'hello', punctuated_word: 'Hello', start: 0.1, end: 0.5, confidence: 0.99, speaker: 0 },
    { word: 'there', punctuated_word: 'there.', start: 0.5, end: 0.9, confidence: 0.99, speaker: 0 },
  ];
  const reply = (more: object = {}) => ({
    metadata: { request_id: 'r', duration: 36.744, channels: 1 },
    results: {
      channels: [{ alternatives: [{ transcript: 'Hello there.', confidence: 0.99, words: WORDS }], detected_language: 'en' }],
      ...more,
    },
  });

  it('returns words, segments and seconds', async () => {
    expect(await read(reply())).toEqual({
      text: 'Hello there.',
      language: 'en',
      durationSeconds: 36.744,
      segments: [{ id: 0, start: 0.1, end: 0.9, text: 'Hello there.', speaker: 'speaker_0' }],
      words: [
        { word: 'Hello', start: 0.1, end: 0.5, speaker: 'speaker_0' },
        { word: 'there.', start: 0.5, end: 0.9, speaker: 'speaker_0' },
      ],
      usage: expect.objectContaining({ seconds: 36.744 }) as object,
    });
  });

  it('takes the provider’s own segments where there are any, and the language that was asked for', async () => {
    const utterances = [{ start: 0.1, end: 0.9, transcript: 'Hello there.', speaker: 1, words: [] }, { start: 'x' }];
    const bare = { results: { channels: [{ alternatives: [{ transcript: '' }] }] } };

    expect((await read(reply({ utterances }))).segments).toEqual([
      { id: 0, start: 0.1, end: 0.9, text: 'Hello there.', speaker: 'speaker_1' },
    ]);
    expect(await read(bare, { language: 'de' })).toEqual({ text: '', language: 'de', segments: [], words: [], usage: null });
    expect(() => read({ results: {} })).toThrow(code('provider_unreadable'));
  });
});

describe('failures', () => {
  const explain = (status: number, body: unknown) => readError(status, {}, { text: JSON.stringify(body), secrets: [] });

  it.each([
    [401, { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.', request_id: 'r' }, 'provider_credentials'],
    [402, { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: 'Project does not have enough credits.' }, 'provider_quota_exhausted'],
    [400, { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data' }, 'provider_refused'],
    [429, { category: 'TOO_MANY_REQUESTS', message: 'Too many requests.', details: 'Slow down.' }, 'provider_rate_limited'],
    [503, '', 'provider_overloaded'],
  ])('%d %j', (status, body, expected) => {
    expect(explain(status, body).code).toBe(expected);
  });

  it('carry the provider’s message', () => {
    expect(explain(400, { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data' }).message).toBe('corrupt or unsupported data');
    expect(explain(429, { category: 'X', message: 'Too many requests.', details: 'Slow down.' }).message).toBe(
      'Too many requests. Slow down.',
    );
  });
});
