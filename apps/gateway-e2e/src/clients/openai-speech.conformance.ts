import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import OpenAI from 'openai';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';

const INPUT = 'The sun rises in the east and sets in the west.';
/** How long the sandbox speaks. */
const SECONDS = INPUT.length * 0.06;
const BY_CHARACTER = 'sandbox/speech';
const BY_TOKENS = 'sandbox/speech-tokens';

/** Speech by the official client. */
export function describeOpenaiSpeech(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let speech: OpenAI.Audio.Speech;
  let requests = 0;

  beforeAll(async () => {
    harness = await open();
    ({ speech } = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 }).audio);
  });
  afterAll(() => harness.stop());

  const speak = async (model: string, more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) => {
    requests += 1;
    const reply = await speech.create({ model, input: INPUT, voice: 'alloy', ...more });
    return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
  };
  const measure = (bytes: Buffer): Promise<number> =>
    new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).computeDuration();

  it.each(['mp3', 'opus', 'aac', 'flac', 'wav'] as const)('comes as %s that can be read, as long as it should be', async (format) => {
    const { reply, bytes } = await speak(BY_CHARACTER, { response_format: format, speed: 0.5 });
    expect(Math.abs((await measure(bytes)) - SECONDS * 2)).toBeLessThan(0.05);
    expect(reply.headers.get('x-weir-cost')).toBe(priceByHand([[INPUT.length, '15']]));
  });

  it('is the same as bytes and as events, which report its cost', async () => {
    const { bytes } = await speak(BY_TOKENS, { response_format: 'pcm' });
    const { bytes: events } = await speak(BY_TOKENS, { response_format: 'pcm', stream_format: 'sse' });
    const frames = [...events.toString('utf8').matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as { type: string; audio?: string; usage?: { cost?: number } },
    );
    const audio = Buffer.concat(frames.flatMap((frame) => (frame.audio === undefined ? [] : [Buffer.from(frame.audio, 'base64')])));
    expect(audio.equals(bytes)).toBe(true);
    const done = frames.at(-1);
    expect(done).toMatchObject({ type: 'speech.audio.done', usage: { input_tokens: 11, output_tokens: 57, total_tokens: 68 } });
    expect(usdText(done?.usage?.cost)).toBe(
      priceByHand([
        [11, '0.6'],
        [57, '12'],
      ]),
    );
  });

  it('is counted once when its caller leaves in the middle', async () => {
    requests += 1;
    const controller = new AbortController();
    const input = `${INPUT.repeat(6)} !gap 50`;
    const reply = await speech.create(
      { model: BY_CHARACTER, input, voice: 'alloy', response_format: 'pcm' },
      { signal: controller.signal },
    );
    await (reply.body as ReadableStream<Uint8Array>).getReader().read();
    controller.abort();
    expect(await waitForRequests(harness, requests)).toMatchObject({ speech_requests: requests, total_requests: requests });
  });

  it('is refused naming the field', async () => {
    await expect(speech.create({ model: BY_CHARACTER, input: '', voice: 'alloy' })).rejects.toThrow(/^400 input/);
    await expect(speech.create({ model: BY_CHARACTER, input: 'x', voice: 'alloy', speed: 5 })).rejects.toThrow(/^400 speed/);
  });
}
