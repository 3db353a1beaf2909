import type { PassportHold, UsageEvent } from '@weir/contracts';
import { createCrashCloser } from '@weir/meter';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from './__fixtures__/media-harness';

const HELD: PassportHold = { id: 'h', reservedPico: '0', scopes: [], bounds: [], beginByMs: Number.MAX_SAFE_INTEGER, isLeased: false };
const close = createCrashCloser({ now: Date.now });

let harness: MediaHarness;
const open = async (options: HarnessOptions = {}): Promise<void> => {
  harness = await startMediaHarness(options);
};
afterEach(() => harness.stop());

const ask = (path: string, model: string, body: object): Promise<Response> =>
  fetch(`${harness.url}${path}?model=${model}`, { method: 'POST', body: JSON.stringify({ model, ...body }) });
const speak = (input: string): Promise<Response> =>
  ask('/v1/audio/speech', 'sandbox/speech', { input, voice: 'alloy', response_format: 'wav' });

async function transcribe(model: string, file: File): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, prompt: '!no-usage' })) form.append(name, value);
  form.append('file', file);
  return fetch(`${harness.url}/v1/audio/transcriptions?model=${model}`, { method: 'POST', body: form });
}

async function record(): Promise<File> {
  const bytes = Buffer.from(await (await speak('one two three four five six seven eight nine ten')).arrayBuffer());
  harness.events.length = 0;
  harness.drafts.length = 0;
  return new File([bytes], 'said.wav');
}

/** The event that a crash right after the dispatch would have left. */
const crash = (): UsageEvent => close(harness.drafts[0] ?? '', undefined);

describe('a crash after a request was sent', () => {
  it('is charged what certainly was used: pictures asked for, characters, seconds', async () => {
    await open();
    await (await ask('/v1/images/generations', 'sandbox/image', { prompt: 'x', n: 3, size: '64x64' })).arrayBuffer();
    expect(crash()).toMatchObject({ units: { images: 3 }, unit_source: 'estimate', cost_p: harness.events[0]?.cost_p });
    const file = await record();
    await (await transcribe('sandbox/transcription', file)).text();
    expect(crash()).toMatchObject({ units: { ms_audio: 2880 }, unit_source: 'estimate', cost_p: harness.events[0]?.cost_p });
    harness.drafts.length = 0;
    await (await speak('über ☀️')).arrayBuffer();
    expect(crash()).toMatchObject({ units: { chars: 7 }, unit_source: 'estimate', cost_p: harness.events[1]?.cost_p });
  });

  it('is charged tokens where those are priced: never more than the reply would have been', async () => {
    await open();
    await (await ask('/v1/images/generations', 'sandbox/image-tokens', { prompt: 'two words !no-usage', n: 2 })).arrayBuffer();
    expect(crash()).toMatchObject({ units: { images: 2, out: 544, image_out: 544 }, status: 'aborted_crash' });
    expect(BigInt(crash().cost_p)).toBeGreaterThan(0n);
    expect(BigInt(crash().cost_p) <= BigInt(harness.events[0]?.cost_p ?? 0)).toBe(true);
    const file = await record();
    await (await transcribe('sandbox/transcription-tokens', file)).text();
    expect(crash()).toMatchObject({ units: { audio_in: 49, out: 0 } });
    expect(BigInt(crash().cost_p)).toBeGreaterThan(0n);
  });
});

describe('usage beyond the hold', () => {
  it('is not charged, before or after a crash, and a warning is logged', async () => {
    await open();
    const file = await record();
    await harness.stop();
    const warn = jest.fn();
    await open({ passport: { hold: { ...HELD, reservedPico: '100000000' } }, log: { warn } });
    const heard = await transcribe('sandbox/transcription', file);
    expect(await heard.json()).toMatchObject({ usage: { seconds: 1, cost: 0.0001 } });
    expect(heard.headers.get('x-weir-cost')).toBe('0.0001');
    expect(harness.events).toMatchObject([{ units: { ms_audio: 1000 }, cost_p: '100000000', unit_source: 'estimate' }]);
    expect(crash()).toMatchObject({ units: { ms_audio: 1000 }, cost_p: '100000000' });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ eventId: 'req-1:1' }), expect.any(String));
  });

  it('pictures: whole ones, or none; reported usage not beyond it either', async () => {
    await open({ passport: { hold: { ...HELD, reservedPico: '15000000000' } } });
    await (await ask('/v1/images/generations', 'sandbox/image', { prompt: 'x', n: 2, size: '64x64' })).arrayBuffer();
    expect(harness.events[0]).toMatchObject({ units: { images: 1 }, cost_p: '10000000000' });
    await harness.stop();
    await open({ passport: { hold: { ...HELD, reservedPico: '1' } } });
    await (await ask('/v1/images/generations', 'sandbox/image', { prompt: 'x', size: '64x64' })).arrayBuffer();
    expect(harness.events[0]).toMatchObject({ units: { images: 0 }, cost_p: '0', status: 'ok' });
    await (await ask('/v1/images/generations', 'sandbox/image-tokens', { prompt: 'x', size: '64x64' })).arrayBuffer();
    expect(harness.events[1]?.cost_p).toBe('0');
    expect(harness.events[1]?.doubted?.image_out).toBeGreaterThan(0);
  });

  it('speech: the header with its cost stays within the hold', async () => {
    await open({ passport: { hold: { ...HELD, reservedPico: '150000000' } } });
    const spoken = await speak('x'.repeat(100));
    await spoken.arrayBuffer();
    expect(harness.events[0]?.cost_p).toBe(String(BigInt(Math.round(Number(spoken.headers.get('x-weir-cost')) * 1e12))));
    expect(BigInt(harness.events[0]?.cost_p ?? 0) <= 150_000_000n).toBe(true);
  });
});
