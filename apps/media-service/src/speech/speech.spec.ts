import { NO_MEDIA_USAGE, type SpeechRequest } from '@weir/canonical';
import { createSandboxProvider, type Provider, type SpeechLane } from '@weir/providers';
import { measureSeconds } from '@weir/recordings';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import OpenAI from 'openai';
import { startMediaHarness, type HarnessOptions, type MediaHarness } from '../media/__fixtures__/media-harness';

let harness: MediaHarness;
const open = async (options?: HarnessOptions): Promise<void> => {
  harness = await startMediaHarness(options);
};
afterEach(() => harness.stop());

const INPUT = 'The sun rises in the east and sets in the west.';
const SECONDS = INPUT.length * 0.06;
const client = (model: string): OpenAI => new OpenAI({ apiKey: 'k', baseURL: `${harness.url}/v1`, defaultQuery: { model }, maxRetries: 0 });
const speak = async (model: string, more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) => {
  const response = await client(model).audio.speech.create({ model, input: INPUT, voice: 'alloy', ...more });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const post = async (body: object, model = 'sandbox/speech') => {
  const response = await fetch(`${harness.url}/v1/audio/speech?model=${model}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) as Record<string, unknown> };
};
type Event = { type: string; audio?: string; usage?: Record<string, number> };
const readEvents = (text: string): Event[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Event);

type Costs = {
  readonly final: string | undefined;
  readonly estimate: string | undefined;
  readonly trailers: NodeJS.Dict<string>;
  readonly announced: string | undefined;
};

/** What a reply says of its cost, its trailers as well, which fetch does not show. */
function readCosts(model: string, input = INPUT): Promise<Costs> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${harness.url}/v1/audio/speech?model=${model}`, { method: 'POST' }, (response) => {
      const { headers } = response;
      const [final, estimate] = ['x-weir-cost', 'x-weir-cost-estimate'].map((name) => headers[name] as string | undefined);
      response.resume().once('end', () => resolve({ final, estimate, trailers: response.trailers, announced: headers.trailer }));
    });
    request.once('error', reject).end(JSON.stringify({ model, input, voice: 'alloy' }));
  });
}

/** The sandbox, as a provider that reports how many characters it charges for, or nothing. */
function countCharacters(characters: number | null): Provider {
  const sandbox = createSandboxProvider();
  const speech = sandbox.speech as SpeechLane;
  return {
    ...sandbox,
    speech: {
      ...speech,
      createDecoder: (sent, headers) => {
        const decoder = speech.createDecoder(sent, headers);
        const usage = characters === null ? [] : [{ type: 'usage' as const, usage: { ...NO_MEDIA_USAGE, characters } }];
        return { reportsUsage: true, push: (bytes) => decoder.push(bytes), end: () => [...decoder.end(), ...usage] };
      },
    },
  };
}

describe('speech', () => {
  it.each([
    ['mp3', 'audio/mpeg', 0.03],
    ['opus', 'audio/opus', 0.03],
    ['aac', 'audio/aac', 0.05],
    ['flac', 'audio/flac', 0.01],
    ['wav', 'audio/wav', 0.01],
  ] as const)('comes as %s, as long as the text takes at its speed', async (format, type, within) => {
    await open();
    const { response, bytes } = await speak('sandbox/speech', { response_format: format, speed: 2 });
    expect(response.headers.get('content-type')).toBe(type);
    expect(Math.abs(((await measureSeconds(bytes)) ?? 0) - SECONDS / 2)).toBeLessThan(within);
    expect(response.headers.get('x-weir-cost')).toBe('0.000705');
    expect(harness.events).toMatchObject([
      { modality: 'speech', units: { chars: INPUT.length }, cost_p: '705000000', unit_source: 'tokenizer', status: 'ok' },
    ]);
  });

  it('counts signs, not their halves, and comes as samples', async () => {
    await open();
    const { response, bytes } = await speak('sandbox/speech', { input: '🙂é', response_format: 'pcm' });
    expect([response.headers.get('content-type'), bytes.length % 2]).toEqual(['audio/pcm', 0]);
    expect(harness.events[0]?.units.chars).toBe(2);
  });

  it('is the same as bytes and as events, and both cost what the provider says', async () => {
    await open();
    const { bytes } = await speak('sandbox/speech-tokens', { response_format: 'wav' });
    const { text } = await post(
      { model: 'm', input: INPUT, voice: 'alloy', response_format: 'wav', stream_format: 'sse' },
      'sandbox/speech-tokens',
    );
    const events = readEvents(text);
    const audio = Buffer.concat(events.flatMap((event) => (event.audio === undefined ? [] : [Buffer.from(event.audio, 'base64')])));
    expect(audio.equals(bytes)).toBe(true);
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 11, output_tokens: 57, total_tokens: 68, cost: 0.0006906 },
    });
    const [first, second] = harness.events;
    expect([first?.cost_p, first?.units.audio_out, first?.unit_source]).toEqual(['690600000', 57, 'provider']);
    expect([second?.cost_p, second?.units]).toEqual([first?.cost_p, first?.units]);
  });

  it('sends its cost as a trailer where it is not known before', async () => {
    await open();
    const byTokens = await readCosts('sandbox/speech-tokens');
    expect(byTokens).toMatchObject({
      ...{ final: undefined, estimate: expect.stringMatching(/^0\.\d+$/) as string },
      ...{ trailers: { 'x-weir-cost': '0.0006906' }, announced: 'x-weir-cost, x-weir-usage' },
    });
    const unknown = await readCosts('sandbox/speech-tokens', `${INPUT} !no-usage`);
    expect(unknown.trailers).toEqual({ 'x-weir-cost': expect.any(String) as string, 'x-weir-usage': 'estimated' });
    expect(await readCosts('sandbox/speech')).toEqual({ final: '0.000705', estimate: undefined, trailers: {}, announced: undefined });
  });

  it.each<[what: string, input: string, reported: number | null, chars: number, estimated: string, cost: string]>([
    ['two signs that count as four', '\u4f60\u597d', 4, 4, '0.00003', '0.00006'],
    ['more than the text can be', 'abcde', 7, 5, '0.000075', '0.000075'],
    ['fewer than there are', 'abcde', 3, 3, '0.000075', '0.000045'],
    ['none after all', 'abcde', null, 5, '0.000075', '0.000075'],
  ])('has one cost where its provider reports characters: %s', async (_what, input, reported, chars, estimate, cost) => {
    await open({ provider: countCharacters(reported) });
    const costs = await readCosts('sandbox/speech', input);
    expect(costs).toMatchObject({ final: undefined, estimate, trailers: { 'x-weir-cost': cost } });
    const { text } = await post({ model: 'm', input, voice: 'alloy', stream_format: 'sse' });
    expect(readEvents(text).at(-1)?.usage?.['cost']).toBe(Number(cost));
    for (const event of harness.events) expect([event.units.chars, Number(event.cost_p)]).toEqual([chars, Number(cost) * 1e12]);
  });

  it('reaches a caller that knows no chunks, without trailers', async () => {
    await open();
    const body = JSON.stringify({ model: 'sandbox/speech-tokens', input: INPUT, voice: 'alloy' });
    const { port } = new URL(harness.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST /v1/audio/speech?model=sandbox/speech-tokens HTTP/1.0\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece as Buffer);
    const head = Buffer.concat(pieces).toString('latin1').split('\r\n\r\n')[0] ?? '';
    expect(head).toMatch(/^HTTP\/1\.1 200 [^]*x-weir-cost-estimate: 0\.\d+/);
    expect(head).not.toMatch(/^trailer:/im);
    expect(harness.events).toMatchObject([{ status: 'ok', cost_p: '690600000' }]);
  });

  it('comes as events also at a provider that has none', async () => {
    await open();
    const { text } = await post({ model: 'm', input: INPUT, voice: 'alloy', stream_format: 'sse' });
    expect(readEvents(text).at(-1)).toMatchObject({ type: 'speech.audio.done', usage: { cost: 0.000705 } });
  });

  it('is estimated, and marked so, where the provider reports no usage', async () => {
    await open();
    await speak('sandbox/speech-tokens', { input: `${INPUT} !no-usage`, response_format: 'pcm' });
    expect(harness.events[0]).toMatchObject({ unit_source: 'estimate', units: { out: Math.ceil(SECONDS * 21) } });
  });

  it('is charged once when its caller leaves: whole by the character, so far by tokens', async () => {
    await open();
    for (const model of ['sandbox/speech', 'sandbox/speech-tokens']) {
      const ended = harness.nextEvent();
      const controller = new AbortController();
      const input = `${INPUT.repeat(4)} !gap 30`;
      const response = await client(model).audio.speech.create(
        { model, input, voice: 'alloy', response_format: 'pcm' },
        { signal: controller.signal },
      );
      await (response.body as ReadableStream<Uint8Array>).getReader().read();
      controller.abort();
      expect(await ended).toMatchObject({ status: 'client_closed', logical: true });
    }
    const [whole, part] = harness.events;
    expect(whole?.units.chars).toBe(INPUT.length * 4 + ' !gap 30'.length);
    expect(part?.units.out).toBeGreaterThan(0);
    expect(part?.units.out).toBeLessThan(SECONDS * 4 * 21);
    expect(harness.events).toHaveLength(2);
  });

  it('breaks off with its provider, and fails whole when that sends nothing', async () => {
    await open();
    await expect(speak('sandbox/speech', { input: `${INPUT.repeat(9)} !cut 2`, response_format: 'pcm' })).rejects.toThrow();
    await expect(speak('sandbox/speech', { input: 'x !cut 0' })).rejects.toMatchObject({ status: 502 });
    expect(harness.events).toMatchObject([
      { status: 'upstream_cut', cost_p: expect.stringMatching(/^[1-9]/) },
      { status: 'upstream_cut', cost_p: '0' },
    ]);
    const { text } = await post({
      model: 'm',
      input: `${INPUT.repeat(9)} !cut 2`,
      voice: 'a',
      stream_format: 'sse',
      response_format: 'pcm',
    });
    expect(text).toMatch(/event: error\ndata: \{"error":\{"origin":"provider"/);
  });

  it('makes a WAV file of samples, and no other format of another', async () => {
    const asked: SpeechRequest[] = [];
    const speech: SpeechLane = {
      formats: () => ['pcm'],
      encodeRequest: (request, target, losses) => {
        asked.push(request);
        return (createSandboxProvider().speech as SpeechLane).encodeRequest(request, target, losses);
      },
      createDecoder: () => ({
        reportsUsage: true,
        push: (bytes) => [{ type: 'audio', bytes }],
        end: () => [{ type: 'usage', usage: { ...NO_MEDIA_USAGE, characters: 40 } }],
      }),
    };
    await open({ provider: { ...createSandboxProvider(), speech } as Provider });
    const { bytes } = await speak('sandbox/speech', { response_format: 'wav' });
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(bytes.length).toBe(44 + Math.round(SECONDS * 24_000) * 2);
    expect(asked[0]?.format).toBe('pcm');
    expect(harness.events[0]).toMatchObject({ units: { chars: 40 }, unit_source: 'provider' });
    await expect(speak('sandbox/speech', { response_format: 'mp3' })).rejects.toMatchObject({ status: 400 });
    const unasked = await speak('sandbox/speech');
    expect([unasked.response.headers.get('content-type'), unasked.bytes.toString('latin1', 0, 4)]).toEqual(['audio/wav', 'RIFF']);
  });

  it.each<[string, object, string]>([
    ['no text', { input: '' }, 'input'],
    ['text that is none', { input: ['x'] }, 'input'],
    ['no voice', { voice: null }, 'voice'],
    ['a voice that is none', { voice: 7 }, 'voice'],
    ['a voice without an id', { voice: {} }, 'voice.id'],
    ['a voice in a list', { voice: [] }, 'voice.id'],
    ['too slow', { speed: 0.2 }, 'speed'],
    ['too fast', { speed: 4.01 }, 'speed'],
    ['a speed that is none', { speed: '1' }, 'speed'],
    ['a format that is none', { response_format: 'ogg' }, 'response_format'],
    ['a stream that is none', { stream_format: true }, 'stream_format'],
    ['instructions that are none', { instructions: {} }, 'instructions'],
  ])('refuses %s, naming the field', async (_what, fields, field) => {
    await open();
    const { status, json } = await post({ model: 'sandbox/speech', input: INPUT, voice: 'alloy', ...fields });
    expect([status, json()['field']]).toEqual([400, field]);
    expect(harness.begun).toEqual([]);
  });
});
