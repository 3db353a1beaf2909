import { buildReply, buildSent, buildSpeechRequest, buildTranscriptionRequest, hear, sayMedia } from '../../__fixtures__/build-media';
import { buildTarget } from '../../__fixtures__/build-target';
import { createElevenlabsProvider } from './index';
import { readError } from './read-error';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';

const code = (name: string) => expect.objectContaining({ code: name }) as Error;

it('has no chat, and sends its key in a header of its own', () => {
  const provider = createElevenlabsProvider({
    apiKey: 'own',
    baseUrl: 'https://api.elevenlabs.io/v1',
    transport: () => Promise.reject(new Error('no network here')),
    hasRegions: true,
  });

  expect(provider).toMatchObject({ id: 'elevenlabs', modalities: ['speech', 'transcription'], codec: null, express: null });
  expect(provider.authorize({ path: '/', body: '' }, buildTarget())).toEqual({ 'xi-api-key': 'own' });
});

describe('speech', () => {
  const speak = (more: object = {}) => sayMedia(speechLane, buildSpeechRequest({ voice: 'George', ...more }), 'eleven_multilingual_v2');

  it('names a voice by its identifier, and the kind of file in the address', async () => {
    expect(await speak()).toEqual({
      path: '/text-to-speech/JBFqnCBsd6RMkjVDRZzb/stream?output_format=mp3_44100_128',
      body: { text: 'Hello.', model_id: 'eleven_multilingual_v2' },
      dropped: [],
      approximated: [],
    });
    expect((await speak({ format: 'pcm', voice: '21m00Tcm4TlvDq8ikWAM' })).path).toBe(
      '/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream?output_format=pcm_24000',
    );
    expect(speechLane.formats(buildTarget())).toEqual(['mp3', 'opus', 'pcm']);
    await expect(speak({ voice: 'alloy' })).rejects.toThrow(/roger, sarah.*identifier/);
    await expect(speak({ voice: '../../user' })).rejects.toMatchObject({ details: { field: 'voice' } });
  });

  it('sends what the provider knows, and reports the rest as lost', async () => {
    const unmapped = { voice_settings: { stability: 0.5 }, seed: 7, language_code: 'de', x: 1 };

    expect(await speak({ speed: 2, instructions: 'softly', unmapped })).toMatchObject({
      body: { voice_settings: { stability: 0.5, speed: 1.2 }, seed: 7, language_code: 'de' },
      dropped: ['instructions', 'x'],
      approximated: ['speed'],
    });
  });

  it('reports unusable settings as lost', async () => {
    expect((await speak({ unmapped: { voice_settings: 'calm' } })).dropped).toEqual(['voice_settings']);
  });

  it('is the bytes that come', () => {
    const listen = (type: string) =>
      hear(speechLane.createDecoder(buildSent(buildSpeechRequest(), 'm'), { 'content-type': type }), 'abc', 2);

    expect(listen('audio/mpeg')).toEqual({ sound: 'abc', usage: undefined });
    expect(() => listen('application/json')).toThrow(code('provider_unreadable'));
  });
});

describe('transcription', () => {
  const MODEL = 'scribe_v2';
  const say = (more: object = {}) => sayMedia(transcriptionLane, buildTranscriptionRequest(more), MODEL);
  const read = (body: unknown) => transcriptionLane.decodeReply(buildReply(body), buildSent(buildTranscriptionRequest(), MODEL));

  it('is a form with the file at its end', async () => {
    const unmapped = [
      { name: 'num_speakers', value: '2' },
      { name: 'keyterms', value: 'Weir' },
      { name: 'keyterms', value: 'Nx' },
      { name: 'use_multi_channel', value: 'true' },
    ];
    const call = await say({ language: 'de', temperature: 0.2, format: 'diarized_json', prompt: 'p', unmapped });

    expect(call).toMatchObject({ path: '/speech-to-text', dropped: ['prompt', 'use_multi_channel'], approximated: [] });
    expect((call.body as { parts: { name: string; value?: string }[] }).parts.map(({ name, value }) => [name, value])).toEqual([
      ['model_id', MODEL],
      ['language_code', 'de'],
      ['temperature', '0.2'],
      ['timestamps_granularity', 'word'],
      ['diarize', 'true'],
      ['num_speakers', '2'],
      ['keyterms', 'Weir'],
      ['keyterms', 'Nx'],
      ['file', undefined],
    ]);
    await expect(say({ task: 'translate' })).rejects.toThrow(code('unsupported_field'));
  });

  it('returns words, segments, speakers and seconds', async () => {
    const word = (text: string, start: number, speaker_id: string, type = 'word') => ({
      text,
      start,
      end: start + 0.5,
      type,
      speaker_id,
      logprob: -0.1,
    });
    const words = [
      word(' ', 0, 'speaker_0', 'spacing'),
      word('Hello', 0.2, 'speaker_0'),
      word(' ', 0.7, 'speaker_0', 'spacing'),
      word('there.', 0.8, 'speaker_0'),
      word(' ', 1.3, 'speaker_0', 'spacing'),
      word('(laughs)', 1.4, 'speaker_1', 'audio_event'),
    ];

    expect(
      await read({ language_code: 'eng', language_probability: 0.9, text: 'Hello there. (laughs)', words, audio_duration_secs: 2.5 }),
    ).toEqual({
      text: 'Hello there. (laughs)',
      language: 'eng',
      durationSeconds: 2.5,
      segments: [
        { id: 0, start: 0.2, end: 1.3, text: 'Hello there.', speaker: 'speaker_0' },
        { id: 1, start: 1.4, end: 1.9, text: '(laughs)', speaker: 'speaker_1' },
      ],
      words: [
        { word: 'Hello', start: 0.2, end: 0.7, speaker: 'speaker_0' },
        { word: 'there.', start: 0.8, end: 1.3, speaker: 'speaker_0' },
        { word: '(laughs)', start: 1.4, end: 1.9, speaker: 'speaker_1' },
      ],
      usage: expect.objectContaining({ seconds: 2.5 }) as object,
    });
    expect(await read({ text: '', words: [] })).toMatchObject({ text: '', segments: [], usage: null });
    expect(() => read({ transcripts: [] })).toThrow(code('provider_unreadable'));
  });
});

describe('failures', () => {
  const explain = (status: number, body: unknown) => readError(status, {}, { text: JSON.stringify(body), secrets: ['own-key'] });

  it.each([
    [401, { detail: { status: 'invalid_api_key', message: 'Invalid API key' } }, 'provider_credentials'],
    [401, { detail: { status: 'quota_exceeded', message: 'This request exceeds your quota.' } }, 'provider_quota_exhausted'],
    [404, { detail: { status: 'voice_not_found', message: 'A voice was not found.' } }, 'provider_refused'],
    [429, { detail: { status: 'too_many_concurrent_requests', message: 'slow' } }, 'provider_rate_limited'],
    [422, { detail: [{ loc: ['body', 'text'], msg: 'Field required', type: 'missing' }] }, 'provider_unprocessable'],
    [500, {}, 'provider_failed'],
  ])('%d %j', (status, body, expected) => {
    expect(explain(status, body).code).toBe(expected);
  });

  it('carry the provider’s message, without keys', () => {
    expect(explain(400, { detail: { status: 'x', message: 'not own-key' } }).message).toBe('not [removed]');
    expect(explain(422, { detail: [{ msg: 'Field required' }] }).message).toBe('Field required');
    expect(readError(502, {}, { text: '<html>', secrets: [] }).code).toBe('provider_failed');
  });
});
