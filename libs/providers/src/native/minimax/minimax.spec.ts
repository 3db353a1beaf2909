import { buildReply, buildSent, buildSpeechRequest, hear, sayMedia } from '../../__fixtures__/build-media';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { toSse } from '../../__fixtures__/decode-in-pieces';
import { toEncodedCall } from '../../provider/media-provider';
import { createMinimaxProvider } from './index';

const provider = createMinimaxProvider({
  apiKey: 'own-key',
  baseUrl: 'https://api.minimax.io/anthropic/v1',
  transport: () => Promise.reject(new Error('no network here')),
  hasRegions: true,
});
const lane =
  provider.speech ??
  (() => {
    throw new Error('there is no lane');
  })();
const MODEL = 'speech-2.6-hd';
const speak = (more: object = {}) => sayMedia(lane, buildSpeechRequest({ voice: 'Wise_Woman', ...more }), MODEL);
const listen = (body: string, { size, type = 'text/event-stream' }: { readonly size?: number; readonly type?: string } = {}) =>
  hear(lane.createDecoder(buildSent(buildSpeechRequest(), MODEL), buildReply('', { 'content-type': type }).headers), body, size);
const piece = (text: string, status = 1) => ({
  data: { audio: Buffer.from(text).toString('hex'), status },
  base_resp: { status_code: 0, status_msg: 'success' },
});
const LAST = { data: { status: 2 }, extra_info: { usage_characters: 26, audio_format: 'mp3' }, base_resp: { status_code: 0 } };
const failure = (status_code: number, status_msg = 'words') => ({ base_resp: { status_code, status_msg } });
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

it('chat keeps its dialect and its key, speech has an address and a key of its own', () => {
  const losses = { dropped: new Set<string>(), approximated: new Set<string>() };
  const target = buildTarget(MODEL);
  const chat = provider.codec?.encodeRequest(buildRequest(), target, losses);
  const speech = lane.encodeRequest(buildSpeechRequest({ voice: 'Abbess' }), target, losses);
  if (chat === undefined) throw new Error('there is no chat');

  expect([provider.id, provider.modalities, chat.path, speech.baseUrl, speech.path]).toEqual([
    'minimax',
    ['chat', 'speech'],
    '/messages',
    'https://api.minimax.io/v1',
    '/t2a_v2',
  ]);
  expect(provider.authorize(chat, target)).toMatchObject({ 'x-api-key': 'own-key' });
  expect(provider.authorize(toEncodedCall(speech), target)).toEqual({ authorization: 'Bearer own-key' });
});

describe('speech', () => {
  it('is asked for as a stream without the whole at its end', async () => {
    expect(
      await speak({ format: 'pcm', speed: 4, instructions: 'softly', unmapped: { emotion: 'happy', language_boost: 'English', x: 1 } }),
    ).toMatchObject({
      body: {
        model: MODEL,
        text: 'Hello.',
        stream: true,
        stream_options: { exclude_aggregated_audio: true },
        output_format: 'hex',
        voice_setting: { voice_id: 'Wise_Woman', speed: 2, emotion: 'happy' },
        audio_setting: { format: 'pcm', channel: 1, sample_rate: 24_000 },
        language_boost: 'English',
      },
      dropped: ['instructions', 'x'],
      approximated: ['speed'],
    });
    expect(lane.formats(buildTarget(MODEL))).toEqual(['mp3', 'pcm', 'flac']);
  });

  it('takes the provider’s own voices and longer identifiers, and no others', async () => {
    expect((await speak({ voice: 'abbess' })).body).toMatchObject({ voice_setting: { voice_id: 'Abbess' } });
    expect((await speak({ voice: 'English_Graceful_Lady' })).body).toMatchObject({ voice_setting: { voice_id: 'English_Graceful_Lady' } });
    for (const voice of ['alloy', 'shimmer', '']) await expect(speak({ voice })).rejects.toMatchObject({ details: { field: 'voice' } });
  });

  it.each([1, 3, 1000])('is the same in pieces of %d bytes, and counts what the provider charges', (size) => {
    expect(listen(toSse([piece('ab'), piece('c'), LAST], false), { size })).toEqual({
      sound: 'abc',
      usage: expect.objectContaining({ characters: 26 }) as object,
    });
  });

  it('is not heard twice where the whole comes at the end all the same, and heard once where only the whole comes', () => {
    expect(listen(toSse([piece('ab'), piece('c'), { ...LAST, ...piece('abc', 2) }], false)).sound).toBe('abc');
    expect(listen(toSse([{ ...LAST, ...piece('abc', 2) }], false)).sound).toBe('abc');
    expect(listen(JSON.stringify({ ...LAST, ...piece('abc', 2) }), { type: 'application/json' }).sound).toBe('abc');
  });

  it.each([
    [1002, 'provider_rate_limited'],
    [1004, 'provider_credentials'],
    [1008, 'provider_quota_exhausted'],
    [1026, 'provider_content_filtered'],
    [2013, 'provider_refused'],
    [2054, 'unsupported_field'],
    [1000, 'provider_failed'],
  ])('that fails with %d is %s, in a stream and without one', (status, expected) => {
    expect(() => listen(toSse([failure(status)], false))).toThrow(code(expected));
    expect(() => listen(JSON.stringify(failure(status)), { type: 'application/json; charset=utf-8' })).toThrow(code(expected));
  });

  it('that breaks off, is empty or cannot be read has an error that names the provider', () => {
    expect(() => listen(toSse([piece('ab')], false))).toThrow(code('provider_stream_cut'));
    expect(() => listen(toSse([LAST], false))).toThrow(code('provider_unreadable'));
    expect(() => listen(toSse([{ data: { audio: 'xyz', status: 1 } }], false))).toThrow(code('provider_unreadable'));
    expect(() => listen('nothing', { type: 'application/json' })).toThrow(code('provider_unreadable'));
  });

  it('shows no key in the words of a failure', () => {
    expect(() => listen(toSse([failure(2013, 'wrong key own-key')], false))).toThrow('wrong key [removed]');
  });
});
