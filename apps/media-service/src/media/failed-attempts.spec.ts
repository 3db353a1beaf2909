import { NO_MEDIA_USAGE } from '@weir/canonical';
import { createSandboxProvider, type ChatProvider, type ImageLane, type SpeechLane } from '@weir/providers';
import { startMediaHouse, type HouseOptions, type MediaHouse } from './__fixtures__/media-house';

let house: MediaHouse;
afterEach(() => house.stop());

/** The first reply tells its use, and no picture that anybody could read. */
function breakFirst(): ChatProvider {
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

async function draw(model: string, options: HouseOptions): Promise<{ cost: number; header: string | null; attempts: string | null }> {
  house = await startMediaHouse({ ...options, provider: breakFirst(), providerIds: ['sandbox', 'second'] });
  const body = JSON.stringify({ model, prompt: 'a kite', size: '64x64', output_format: 'jpeg' });
  const reply = await fetch(`${house.url}/v1/images/generations?model=${model}`, { method: 'POST', body });
  const { usage } = (await reply.json()) as { usage: { cost: number } };
  return { cost: usage.cost, header: reply.headers.get('x-weir-cost'), attempts: reply.headers.get('x-weir-attempts') };
}

const exact = (pico: bigint): number => Number(pico) / 1e12;

describe.each(['sandbox/image', 'sandbox/image-tokens'])('an attempt that failed after its provider told what it used: %s', (model) => {
  it('costs nothing, and keeps that with it', async () => {
    const { cost, attempts } = await draw(model, {});
    const [failed, answered] = house.events;
    expect(attempts).toBe('2');
    expect(failed).toMatchObject({ status: 'upstream_error', error_code: 'provider_unreadable', cost_p: '0', logical: false });
    expect(failed?.units.images).toBe(0);
    expect(failed?.uncharged).toMatchObject({ units: { images: 1 }, cost_p: answered?.cost_p });
    expect(cost).toBe(exact(BigInt(answered?.cost_p ?? 0)));
  });

  it('is charged where the organization wants that, and the reply tells the sum', async () => {
    const { cost, header } = await draw(model, { passport: { chargesFailures: true } });
    const [failed, answered] = house.events;
    expect(failed).toMatchObject({ status: 'upstream_error', units: { images: 1 }, cost_p: answered?.cost_p });
    expect(failed).not.toHaveProperty('uncharged');
    const sum = exact(house.events.reduce((total, { cost_p: pico }) => total + BigInt(pico), 0n));
    expect([cost, Number(header)]).toEqual([sum, sum]);
  });
});

/** The first reply tells its use, and ends without a sound. */
function silenceFirst(): ChatProvider {
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
        const silent = { push: () => [], end: () => [{ type: 'usage' as const, usage }] };
        return replies > 1 ? speech.createDecoder(sent, headers) : silent;
      },
    },
  };
}

it('a stream that failed is charged once, where failures are: the reply tells what the journal does', async () => {
  house = await startMediaHouse({ provider: silenceFirst(), providerIds: ['sandbox', 'second'], passport: { chargesFailures: true } });
  const body = JSON.stringify({ model: 'sandbox/speech-tokens', input: 'hello', voice: 'alloy', stream_format: 'sse' });
  const reply = await fetch(`${house.url}/v1/audio/speech?model=sandbox/speech-tokens`, { method: 'POST', body });
  const cost = Number(/"cost":([\d.e-]+)/.exec(await reply.text())?.[1]);

  const costs = house.events.map(({ cost_p: pico }) => BigInt(pico));
  expect(costs[0]).toBeGreaterThan(0n);
  expect([costs.length, cost]).toEqual([2, exact(costs.reduce((total, pico) => total + pico, 0n))]);
});
