import OpenAI, { toFile } from 'openai';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';

const SAID = 'one two three four five six seven eight nine ten';
const BY_SECOND = 'sandbox/transcription';
const BY_TOKENS = 'sandbox/transcription-tokens';

type Priced = { readonly usage?: { readonly cost?: number } };

/** Transcriptions and translations by the official client, of what the gateway said itself. */
export function describeOpenaiTranscription(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let audio: OpenAI.Audio;
  let file: File;
  let requests = 0;

  beforeAll(async () => {
    harness = await open();
    ({ audio } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 }));
    requests += 1;
    const said = await audio.speech.create({ model: 'sandbox/speech', input: SAID, voice: 'alloy', response_format: 'mp3' });
    file = (await toFile(Buffer.from(await said.arrayBuffer()), 'said.mp3')) as File;
  });
  afterAll(() => harness.stop());

  const ask = <Model extends string>(model: Model) => {
    requests += 1;
    return { model, file };
  };

  it('gives the words back, by the second and by tokens', async () => {
    const bySecond = await audio.transcriptions.create(ask(BY_SECOND));
    expect(bySecond).toMatchObject({ text: SAID, usage: { type: 'duration', seconds: 3 } });
    expect(usdText((bySecond as Priced).usage?.cost)).toBe('0.0003');
    const byTokens = await audio.transcriptions.create({ ...ask(BY_TOKENS), prompt: 'numbers', language: 'en' });
    expect(byTokens).toMatchObject({ text: SAID, usage: { type: 'tokens', input_tokens: 30, output_tokens: 10 } });
    expect(usdText((byTokens as Priced).usage?.cost)).toBe(
      priceByHand([
        [30, '2.5'],
        [10, '10'],
      ]),
    );
  });

  it('comes in every format', async () => {
    expect(await audio.transcriptions.create({ ...ask(BY_SECOND), response_format: 'text' })).toBe(`${SAID}\n`);
    expect(await audio.transcriptions.create({ ...ask(BY_SECOND), response_format: 'srt' })).toMatch(
      /^1\n00:00:00,000 --> 00:00:02,304\none/,
    );
    expect(await audio.transcriptions.create({ ...ask(BY_SECOND), response_format: 'vtt' })).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
    const times = { response_format: 'verbose_json' as const, timestamp_granularities: ['word' as const] };
    expect((await audio.transcriptions.create({ ...ask(BY_SECOND), ...times })).words).toHaveLength(10);
    const speakers = await audio.transcriptions.create({ ...ask(BY_SECOND), response_format: 'diarized_json' });
    expect(speakers).toMatchObject({ segments: [{ speaker: 'A' }, { speaker: 'B' }] });
  });

  it('streams', async () => {
    const deltas: string[] = [];
    let done: OpenAI.Audio.TranscriptionTextDoneEvent | undefined;
    for await (const event of await audio.transcriptions.create({ ...ask(BY_TOKENS), stream: true })) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta);
      if (event.type === 'transcript.text.done') done = event;
    }
    expect([deltas.length, deltas.join('')]).toEqual([10, SAID]);
    expect((done?.usage as Priced['usage'])?.cost).toBeGreaterThan(0);
  });

  it('translates', async () => {
    expect(await audio.translations.create(ask(BY_SECOND))).toMatchObject({ text: SAID });
  });

  it('is refused naming the field', async () => {
    const refused = audio.transcriptions.create({ model: BY_SECOND, file, timestamp_granularities: ['word'] });
    await expect(refused).rejects.toThrow(/^400 timestamp_granularities/);
    const text = await toFile(Buffer.from('hello'), 'a.txt');
    await expect(audio.transcriptions.create({ model: BY_SECOND, file: text })).rejects.toThrow(/^400 file/);
  });

  it('is counted as requests for transcriptions', async () => {
    expect(await waitForRequests(harness, requests)).toMatchObject({ transcription_requests: requests - 1, speech_requests: 1 });
  });
}
