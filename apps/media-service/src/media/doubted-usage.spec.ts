import { NO_MEDIA_USAGE, type MediaUsage } from '@weir/canonical';
import type { UsageEvent } from '@weir/contracts';
import { createSandboxProvider, type Provider, type ImageLane, type SpeechLane, type TranscriptionLane } from '@weir/providers';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from './__fixtures__/media-harness';

let harness: MediaHarness;
afterEach(() => harness.stop());

/** A provider that serves a request and reports this usage. */
function reportAlways(reported: Partial<MediaUsage>, repeats = 1): Provider {
  const sandbox = createSandboxProvider();
  const usage: MediaUsage = { ...NO_MEDIA_USAGE, ...reported };
  const images = sandbox.images as ImageLane;
  const speech = sandbox.speech as SpeechLane;
  const transcription = sandbox.transcription as TranscriptionLane;
  return {
    ...sandbox,
    images: {
      ...images,
      decodeReply: async (reply, sent) => {
        const made = await images.decodeReply(reply, sent);
        return { ...made, usage, images: made.images.flatMap((image) => Array.from({ length: repeats }, () => image)) };
      },
    },
    speech: {
      ...speech,
      createDecoder: (sent, headers) => {
        const decoder = speech.createDecoder(sent, headers);
        const silence = (events: ReturnType<typeof decoder.push>) => events.filter(({ type }) => type !== 'usage');
        return {
          reportsUsage: true,
          push: (bytes) => silence(decoder.push(bytes)),
          end: () => [...silence(decoder.end()), { type: 'usage', usage }],
        };
      },
    },
    transcription: { ...transcription, decodeReply: async (reply, sent) => ({ ...(await transcription.decodeReply(reply, sent)), usage }) },
  };
}

type Reported = { readonly cost: number; readonly event: UsageEvent };

async function finish(reply: Response): Promise<Reported> {
  const text = await reply.text();
  expect([reply.status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
  const header = reply.headers.get('x-weir-cost');
  const cost = Number(/"cost":([\d.e-]+)/.exec(text)?.[1] ?? header);
  return { cost, event: harness.events.at(-1) as UsageEvent };
}

async function open(provider: Provider | undefined, more: HarnessOptions = {}): Promise<void> {
  harness = await startMediaHarness({ ...(provider === undefined ? {} : { provider }), ...more });
}

const draw = async (model: string): Promise<Reported> =>
  finish(
    await fetch(`${harness.url}/v1/images/generations?model=${model}`, {
      ...{ method: 'POST', body: JSON.stringify({ model, prompt: 'a kite', size: '64x64' }) },
    }),
  );

const speak = async (model: string, input = 'The sun rises.'): Promise<Reported> =>
  finish(
    await fetch(`${harness.url}/v1/audio/speech?model=${model}`, {
      ...{ method: 'POST', body: JSON.stringify({ model, input, voice: 'alloy', stream_format: 'sse' }) },
    }),
  );

async function transcribe(model: string): Promise<Reported> {
  const said = { model: 'sandbox/speech', input: 'one two three', voice: 'alloy', response_format: 'wav' };
  const recording = await fetch(`${harness.url}/v1/audio/speech?model=sandbox/speech`, { method: 'POST', body: JSON.stringify(said) });
  const form = new FormData();
  form.append('model', model);
  form.append('file', new File([Buffer.from(await recording.arrayBuffer())], 'said.wav'));
  return finish(await fetch(`${harness.url}/v1/audio/transcriptions?model=${model}`, { method: 'POST', body: form }));
}

const ASKS: readonly [what: string, ask: () => Promise<Reported>, absurd: Partial<MediaUsage>, possible: Partial<MediaUsage>][] = [
  [
    'pictures by the token',
    () => draw('sandbox/image-tokens'),
    { inputTextTokens: 9, outputImageTokens: 2 ** 40 },
    { inputTextTokens: 9, outputImageTokens: 4_000 },
  ],
  [
    'what went in for pictures',
    () => draw('sandbox/image-tokens'),
    { inputImageTokens: 10 ** 9 },
    { inputTextTokens: 40, outputImageTokens: 9 },
  ],
  ['speech by the character', () => speak('sandbox/speech'), { characters: 100 }, { characters: 14 }],
  [
    'speech by the token',
    () => speak('sandbox/speech-tokens'),
    { outputAudioTokens: 10 ** 9 },
    { inputTextTokens: 9, outputAudioTokens: 300 },
  ],
  ['recordings by the second', () => transcribe('sandbox/transcription'), { seconds: 60 }, { seconds: 1 }],
  [
    'recordings by the token',
    () => transcribe('sandbox/transcription-tokens'),
    { inputAudioTokens: 2 ** 40 },
    { inputAudioTokens: 90, outputTextTokens: 9 },
  ],
  [
    'words without what was heard',
    () => transcribe('sandbox/transcription-tokens'),
    { outputTextTokens: 5, isDoubtful: true },
    { inputAudioTokens: 15, outputTextTokens: 5 },
  ],
  [
    'a count below nothing',
    () => transcribe('sandbox/transcription-tokens'),
    { inputAudioTokens: 5, isDoubtful: true },
    { inputAudioTokens: 5 },
  ],
];

describe.each(ASKS)('%s that a provider reported', (_, ask, absurd, possible) => {
  it('are charged as an estimate where they are not plausible; the reply, the event and its flag agree', async () => {
    await open(reportAlways(absurd));
    const doubted = await ask();
    await harness.stop();
    await open(undefined);
    const usual = await ask();

    expect(doubted.cost).toBe(Number(doubted.event.cost_p) / 1e12);
    expect(doubted.cost).toBeGreaterThan(0);
    expect(doubted.cost).toBeLessThan(1);
    expect(doubted.event.doubted).toBeDefined();
    expect(doubted.event.unit_source).not.toBe('provider');
    expect(usual.event).not.toHaveProperty('doubted');
  });

  it('are charged as reported where they are plausible', async () => {
    await open(reportAlways(possible));
    const { cost, event } = await ask();
    expect(event).not.toHaveProperty('doubted');
    expect(event.unit_source).toBe('provider');
    expect(cost).toBe(Number(event.cost_p) / 1e12);
  });
});

it('what a provider left out is estimated, what it reported stands', async () => {
  await open(reportAlways({ outputTextTokens: 5, isDoubtful: true }));
  const { event } = await transcribe('sandbox/transcription-tokens');
  expect(event).toMatchObject({ units: { out: 5 }, unit_source: 'estimate' });
  expect(event.units.audio_in).toBeGreaterThan(0);
});

it('more pictures than were asked for are not charged', async () => {
  await open(reportAlways({}, 3));
  const { event } = await draw('sandbox/image');
  expect(event).toMatchObject({ units: { images: 1 }, doubted: { images: 3 } });
});
