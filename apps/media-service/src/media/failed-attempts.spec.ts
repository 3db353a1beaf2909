import { NO_MEDIA_USAGE, type TranscriptionStreamDecoder } from '@weir/canonical';
import {
  createProviderDirectory,
  createSandboxProvider,
  type Provider,
  type ImageLane,
  type SpeechLane,
  type TranscriptionLane,
} from '@weir/providers';
import { Readable } from 'node:stream';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from './__fixtures__/media-harness';

let harness: MediaHarness;
afterEach(() => harness.stop());

/** The first reply has a usage, and no picture that can be read. */
function breakFirst(): Provider {
  const sandbox = createSandboxProvider();
  const images = sandbox.images as ImageLane;
  let replies = 0;
  return {
    ...sandbox,
    images: {
      ...images,
      decodeReply: async (reply, sent) => {
        const made = await images.decodeReply(reply, sent);
        replies += 1;
        return replies > 1 ? made : { ...made, images: made.images.map((image) => ({ ...image, base64: 'bm90aGluZw==' })) };
      },
    },
  };
}

async function draw(model: string, options: HarnessOptions): Promise<{ cost: number; header: string | null; attempts: string | null }> {
  harness = await startMediaHarness({ ...options, provider: breakFirst(), providerIds: ['sandbox', 'second'] });
  const body = JSON.stringify({ model, prompt: 'a kite', size: '64x64', output_format: 'jpeg' });
  const reply = await fetch(`${harness.url}/v1/images/generations?model=${model}`, { method: 'POST', body });
  const { usage } = (await reply.json()) as { usage: { cost: number } };
  return { cost: usage.cost, header: reply.headers.get('x-weir-cost'), attempts: reply.headers.get('x-weir-attempts') };
}

const exact = (pico: bigint): number => Number(pico) / 1e12;

describe.each(['sandbox/image', 'sandbox/image-tokens'])('an attempt that failed after its provider reported its usage: %s', (model) => {
  it('costs nothing, and its event keeps the usage', async () => {
    const { cost, attempts } = await draw(model, {});
    const [failed, answered] = harness.events;
    expect(attempts).toBe('2');
    expect(failed).toMatchObject({ status: 'upstream_error', error_code: 'provider_unreadable', cost_p: '0', logical: false });
    expect(failed?.units.images).toBe(0);
    expect(failed?.uncharged).toMatchObject({ units: { images: 1 }, cost_p: answered?.cost_p });
    expect(cost).toBe(exact(BigInt(answered?.cost_p ?? 0)));
  });

  it('is charged where the organization pays for failures, and the reply has the sum', async () => {
    const { cost, header } = await draw(model, { passport: { chargesFailures: true } });
    const [failed, answered] = harness.events;
    expect(failed).toMatchObject({ status: 'upstream_error', units: { images: 1 }, cost_p: answered?.cost_p });
    expect(failed).not.toHaveProperty('uncharged');
    const sum = exact(harness.events.reduce((total, { cost_p: pico }) => total + BigInt(pico), 0n));
    expect([cost, Number(header)]).toEqual([sum, sum]);
  });
});

/** The first reply has a usage, and ends without audio. */
function silenceFirst(): Provider {
  const sandbox = createSandboxProvider();
  const speech = sandbox.speech as SpeechLane;
  let replies = 0;
  return {
    ...sandbox,
    speech: {
      ...speech,
      createDecoder: (sent, headers) => {
        replies += 1;
        const usage = { ...NO_MEDIA_USAGE, inputTextTokens: 10, outputAudioTokens: 100, source: 'provider' as const };
        const silent = { reportsUsage: true, push: () => [], end: () => [{ type: 'usage' as const, usage }] };
        return replies > 1 ? speech.createDecoder(sent, headers) : silent;
      },
    },
  };
}

it('a stream that failed is charged once, where failures are: reply and journal agree', async () => {
  harness = await startMediaHarness({ provider: silenceFirst(), providerIds: ['sandbox', 'second'], passport: { chargesFailures: true } });
  const body = JSON.stringify({ model: 'sandbox/speech-tokens', input: 'hello', voice: 'alloy', stream_format: 'sse' });
  const reply = await fetch(`${harness.url}/v1/audio/speech?model=sandbox/speech-tokens`, { method: 'POST', body });
  const cost = Number(/"cost":([\d.e-]+)/.exec(await reply.text())?.[1]);

  const costs = harness.events.map(({ cost_p: pico }) => BigInt(pico));
  expect(costs[0]).toBeGreaterThan(0n);
  expect([costs.length, cost]).toEqual([2, exact(costs.reduce((total, pico) => total + pico, 0n))]);
});

const USED = { ...NO_MEDIA_USAGE, inputTextTokens: 10, outputTextTokens: 7, source: 'provider' as const };
const REFUSED = JSON.stringify({
  candidates: [{ content: {}, finishReason: 'PROHIBITED_CONTENT' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 7 },
});

/** Reads every answer as what the Gemini API says when it makes nothing of a request. */
function refuseAll(): Provider {
  const sandbox = createSandboxProvider();
  const env = (name: string) => (name === 'GEMINI_API_KEY' ? 'a-key' : undefined);
  const directory = createProviderDirectory({ env, transport: () => Promise.reject(new Error('no provider is called')) });
  const { images, speech, transcription } = directory.find('google') as Required<Provider>;
  const reply = { status: 200, headers: {}, bytes: Buffer.from(REFUSED) };
  const event = Buffer.from(`data: ${REFUSED}\n\n`);
  const once = <Event>(decoder: { push(bytes: Uint8Array): Event[]; end(): Event[] }) => ({
    push: () => [],
    end: () => [...decoder.push(event), ...decoder.end()],
  });
  return {
    ...sandbox,
    images: { ...(sandbox.images as ImageLane), decodeReply: (_, sent) => images.decodeReply(reply, sent) },
    speech: {
      ...(sandbox.speech as SpeechLane),
      createDecoder: (sent, headers) => ({ ...once(speech.createDecoder(sent, headers)), reportsUsage: true }),
    },
    transcription: {
      ...(sandbox.transcription as TranscriptionLane),
      decodeReply: (_, sent) => transcription.decodeReply(reply, sent),
      createStreamDecoder: (target) => once(transcription.createStreamDecoder?.(target) as TranscriptionStreamDecoder),
    },
  };
}

describe('a reply without a result that reports its usage', () => {
  const ask = (path: string, body: Record<string, unknown>) =>
    fetch(`${harness.url}/v1/${path}?model=${String(body['model'])}`, { method: 'POST', body: JSON.stringify(body) });
  const listen = (stream: boolean) => {
    const form = new FormData();
    form.append('model', 'sandbox/transcription-tokens');
    form.append('file', new File([Buffer.alloc(100)], 'said.wav'));
    if (stream) form.append('stream', 'true');
    return fetch(`${harness.url}/v1/audio/transcriptions?model=sandbox/transcription-tokens`, { method: 'POST', body: form });
  };

  it.each<[string, () => Promise<Response>, object]>([
    [
      'pictures',
      () => ask('images/generations', { model: 'sandbox/image-tokens', prompt: 'a kite', size: '64x64' }),
      { images: 0, in: 10, out: 7 },
    ],
    ['speech', () => ask('audio/speech', { model: 'sandbox/speech-tokens', input: 'hello', voice: 'alloy' }), { in: 10, out: 7 }],
    ['a recording', () => listen(false), { in: 10, out: USED.outputTextTokens }],
    ['a recording, in a stream', () => listen(true), { in: 10, out: USED.outputTextTokens }],
  ])('%s', async (_, send, units) => {
    harness = await startMediaHarness({ provider: refuseAll(), providerIds: ['sandbox'] });
    await (await send()).text();
    expect(harness.events).toMatchObject([
      { status: 'upstream_error', error_code: 'provider_content_filtered', cost_p: '0', uncharged: { units } },
    ]);
    await harness.stop();

    harness = await startMediaHarness({ provider: refuseAll(), providerIds: ['sandbox'], passport: { chargesFailures: true } });
    await (await send()).text();
    expect(harness.events).toMatchObject([{ status: 'upstream_error', units, unit_source: 'provider' }]);
    expect(Number(harness.events[0]?.cost_p)).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<Response>]>([
    ['speech', () => ask('audio/speech', { model: 'sandbox/speech-tokens', input: 'hello', voice: 'alloy', stream_format: 'sse' })],
    ['a recording', () => listen(true)],
  ])('costs no more where its caller got a heartbeat before: %s', async (_, send) => {
    const reportLate: Provider['transport'] = () => Promise.resolve({ status: 200, headers: {}, body: Readable.from(waitAndReport()) });
    for (const chargesFailures of [false, true]) {
      harness = await startMediaHarness({
        provider: { ...refuseAll(), transport: reportLate },
        passport: { chargesFailures },
        heartbeatMs: 5,
      });
      expect(await (await send()).text()).toMatch(/^:/);
      if (!chargesFailures) {
        expect(harness.events).toMatchObject([
          { status: 'upstream_error', cost_p: '0', logical: true, uncharged: { units: { in: 10, out: 7 } } },
        ]);
        await harness.stop();
      }
    }
    expect(harness.events).toMatchObject([{ status: 'upstream_error', units: { in: 10, out: 7 } }]);
    expect(Number(harness.events[0]?.cost_p)).toBeGreaterThan(0);
  });
});

async function* waitAndReport(): AsyncGenerator<Buffer> {
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  yield Buffer.from('x');
}
