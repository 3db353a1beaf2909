import type { TranscriptionReply } from '@weir/canonical';
import { createSandboxProvider, type Provider, type TranscriptionLane } from '@weir/providers';
import OpenAI, { toFile } from 'openai';
import { makeMp4 } from '../recordings/__fixtures__/overstated';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from '../media/__fixtures__/media-harness';

let harness: MediaHarness;
const open = async (options?: HarnessOptions): Promise<void> => {
  harness = await startMediaHarness(options);
};
afterEach(() => harness.stop());

const SAID = 'one two three four five six seven eight nine ten';
const SECONDS = SAID.length * 0.06;
const client = (model: string): OpenAI => new OpenAI({ apiKey: 'k', baseURL: `${harness.url}/v1`, defaultQuery: { model }, maxRetries: 0 });

async function record(format: 'wav' | 'mp3' = 'wav'): Promise<File> {
  const { speech } = client('sandbox/speech').audio;
  const response = await speech.create({ model: 'sandbox/speech', input: SAID, voice: 'alloy', response_format: format });
  const bytes = Buffer.from(await response.arrayBuffer());
  harness.events.length = 0;
  harness.begun.length = 0;
  return toFile(bytes, `said.${format}`) as Promise<File>;
}

async function post(fields: Readonly<Record<string, string | Blob>>, path = 'transcriptions', model = 'sandbox/transcription') {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, ...fields })) form.append(name, value);
  const response = await fetch(`${harness.url}/v1/audio/${path}?model=${model}`, { method: 'POST', body: form });
  const text = await response.text();
  return { response, text };
}

it('is of a bounded length for a recording that states four thousand million packets', async () => {
  await open();
  const file = new File([new Uint8Array(makeMp4({ packets: 0xffffffff }))], 'long.mp4');
  const { response, text } = await post({ file });
  expect(response.status).toBe(200);
  expect(text.length).toBeLessThan(100_000);
});

describe('transcription', () => {
  it('returns what was said, charged by the second', async () => {
    await open();
    const file = await record('mp3');
    const { data, response } = await client('sandbox/transcription')
      .audio.transcriptions.create({ model: 'sandbox/transcription', file })
      .withResponse();
    expect(data).toEqual({ text: SAID, usage: { type: 'duration', seconds: 3, cost: 0.0003 } });
    expect(response.headers.get('x-weir-cost')).toBe('0.0003');
    expect(harness.events).toMatchObject([
      { modality: 'transcription', units: { ms_audio: 3000 }, cost_p: '300000000', unit_source: 'provider' },
    ]);
  });

  it('is charged by tokens of each kind, with logprobs where they are asked for', async () => {
    await open();
    const file = await record();
    const { transcriptions } = client('sandbox/transcription-tokens').audio;
    const reported = await transcriptions.create({
      model: 'sandbox/transcription-tokens',
      file,
      prompt: 'numbers please',
      include: ['logprobs'],
    });
    expect(reported.usage).toEqual({
      ...{ type: 'tokens', input_tokens: 31, output_tokens: 10, total_tokens: 41 },
      ...{ input_token_details: { text_tokens: 2, audio_tokens: 29 }, cost: 0.0001775 },
    });
    expect(reported.logprobs).toHaveLength(10);
    expect(harness.events[0]).toMatchObject({ units: { in: 31, out: 10, audio_in: 29 }, cost_p: '177500000' });
  });

  it('comes in every format', async () => {
    await open();
    const file = await record();
    const { transcriptions } = client('sandbox/transcription').audio;
    const ask = { model: 'sandbox/transcription', file };
    expect(await transcriptions.create({ ...ask, response_format: 'text' })).toBe(`${SAID}\n`);
    expect(await transcriptions.create({ ...ask, response_format: 'srt' })).toBe(
      '1\n00:00:00,000 --> 00:00:02,304\none two three four five six seven eight\n\n2\n00:00:02,304 --> 00:00:02,880\nnine ten\n\n',
    );
    expect(await transcriptions.create({ ...ask, response_format: 'vtt' })).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.304\none two three four five six seven eight\n\n00:00:02.304 --> 00:00:02.880\nnine ten\n\n',
    );
    const verbose = await transcriptions.create({ ...ask, response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] });
    expect(verbose).toMatchObject({ task: 'transcribe', language: 'english', duration: SECONDS, usage: { seconds: 3, cost: 0.0003 } });
    expect([verbose.segments?.length, verbose.segments?.[0]?.avg_logprob, verbose.words?.length]).toEqual([2, -0.1, 10]);
    const speakers = await transcriptions.create({ ...ask, response_format: 'diarized_json' });
    expect(speakers).toMatchObject({
      segments: [
        { type: 'transcript.text.segment', speaker: 'A' },
        { speaker: 'B', text: ' nine ten' },
      ],
    });
    expect(harness.events).toHaveLength(5);
  });

  it.each(['sandbox/transcription-tokens', 'sandbox/transcription'])('streams at %s', async (model) => {
    await open();
    const file = await record();
    const stream = await client(model).audio.transcriptions.create({ model, file, stream: true });
    const deltas: string[] = [];
    let done: { text: string; usage?: unknown } | undefined;
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta);
      if (event.type === 'transcript.text.done') done = event;
    }
    expect([deltas.join(''), deltas.length, done?.text]).toEqual([SAID, model.endsWith('tokens') ? 10 : 1, SAID]);
    expect(done?.usage).toMatchObject({ cost: Number(harness.events[0]?.cost_p) / 1e12 });
    expect(harness.events).toHaveLength(1);
  });

  it('streams speakers as segments', async () => {
    await open();
    const file = await record();
    for (const model of ['sandbox/transcription-tokens', 'sandbox/transcription']) {
      const stream = await client(model).audio.transcriptions.create({
        ...{ model, file, stream: true as const, response_format: 'diarized_json' as const },
        ...{ known_speaker_names: ['Ada', 'Bob'], known_speaker_references: ['data:audio/wav;base64,AAAA', 'data:audio/wav;base64,BBBB'] },
      });
      const speakers: string[] = [];
      for await (const event of stream) if (event.type === 'transcript.text.segment') speakers.push(event.speaker);
      expect(speakers).toEqual(['Ada', 'Bob']);
    }
  });

  it('translates', async () => {
    await open();
    const file = await record();
    const reported = await client('sandbox/transcription').audio.translations.create({ model: 'sandbox/transcription', file });
    expect(reported).toMatchObject({ text: SAID });
    expect(harness.events).toMatchObject([{ endpoint: 'translations', modality: 'transcription', units: { ms_audio: 3000 } }]);
  });

  it('is charged once when its caller leaves: for the sound it had, and the words that came', async () => {
    await open();
    const file = await record();
    const ended = harness.nextEvent();
    const controller = new AbortController();
    const stream = await client('sandbox/transcription-tokens').audio.transcriptions.create(
      { model: 'sandbox/transcription-tokens', file, stream: true, prompt: '!gap 30' },
      { signal: controller.signal },
    );
    for await (const event of stream) {
      expect(event.type).toBe('transcript.text.delta');
      break;
    }
    controller.abort();
    expect(await ended).toMatchObject({ status: 'client_closed', unit_source: 'estimate', units: { audio_in: Math.ceil(SECONDS * 17) } });
    expect(harness.events).toHaveLength(1);
  });

  it('measures the recording itself where the provider reports nothing', async () => {
    await open();
    const file = await record();
    await client('sandbox/transcription').audio.transcriptions.create({ model: 'sandbox/transcription', file, prompt: '!no-usage' });
    expect(harness.events[0]).toMatchObject({ units: { ms_audio: SECONDS * 1000 }, unit_source: 'tokenizer' });
    const noise = new File([Buffer.alloc(16_000, 1)], 'noise.mp3');
    await client('sandbox/transcription').audio.transcriptions.create({ model: 'sandbox/transcription', file: noise, prompt: '!no-usage' });
    expect(harness.events[1]).toMatchObject({ units: { ms_audio: 2000 }, unit_source: 'estimate' });
  });

  it('is not charged when the format asked for cannot be made of the answer', async () => {
    const reply: TranscriptionReply = { text: 'x', usage: null };
    const own = createSandboxProvider();
    const transcription: TranscriptionLane = { ...(own.transcription as TranscriptionLane), decodeReply: () => reply };
    await open({ provider: { ...own, transcription } as Provider });
    const file = await record();
    await expect(
      client('sandbox/transcription').audio.transcriptions.create({ model: 'sandbox/transcription', file, response_format: 'srt' }),
    ).rejects.toMatchObject({ status: 502 });
    expect(harness.events).toMatchObject([{ cost_p: '0', status: 'upstream_error' }]);
  });

  const wav = new File([Buffer.from('RIFF\0\0\0\0WAVEfmt ')], 'a.wav');
  it.each<[string, Record<string, string | Blob>, string]>([
    ['no file', {}, 'file'],
    ['a file that is text', { file: new File(['hello'], 'a.txt') }, 'file'],
    ['an empty file', { file: new File([], 'a.wav') }, 'file'],
    ['a format that is none', { file: wav, response_format: 'xml' }, 'response_format'],
    ['too hot', { file: wav, temperature: '1.5' }, 'temperature'],
    ['a temperature that is none', { file: wav, temperature: 'warm' }, 'temperature'],
    ['times without a place for them', { file: wav, 'timestamp_granularities[]': 'word' }, 'timestamp_granularities'],
    ['other times', { file: wav, response_format: 'verbose_json', 'timestamp_granularities[]': 'day' }, 'timestamp_granularities'],
    ['other inclusions', { file: wav, 'include[]': 'everything' }, 'include'],
    ['a language that is none', { file: wav, language: "the queen's" }, 'language'],
    ['a strategy that is none', { file: wav, chunking_strategy: 'best' }, 'chunking_strategy'],
    ['a stream that is none', { file: wav, stream: '1' }, 'stream'],
    ['speakers without names', { file: wav, 'known_speaker_references[]': 'x' }, 'known_speaker_references'],
  ])('refuses %s, naming the field', async (_what, fields, field) => {
    await open();
    const { response, text } = await post(fields);
    expect([response.status, (JSON.parse(text) as { field?: string }).field]).toEqual([400, field]);
    expect(harness.begun).toEqual([]);
  });
});
