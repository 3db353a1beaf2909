import { createTopics } from '@weir/kafka';
import { describeWithRealParts } from '@weir/testing';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

/** Where no one listens: what is sent there fails. */
const BROKEN = { GROQ_API_KEY: 'key-of-the-gateway', GROQ_BASE_URL: 'http://127.0.0.1:9/v1' };

type Known = { readonly processes: number | null; readonly provider: Record<string, unknown> | undefined };
type Gateway = { readonly url: string; readonly managementUrl: string; readonly apiKey: string };

async function find({ managementUrl, apiKey }: Gateway, id: string): Promise<Known> {
  const reply = await fetch(`${managementUrl}/v1/manage/provider`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { processes, providers } = (await reply.json()) as { processes: number; providers: { id: string }[] };
  return { processes, provider: providers.find((one) => one.id === id) };
}

async function failAt({ url, apiKey }: Gateway, times: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const { data } = (await (await fetch(`${url}/v1/models/chat`)).json()) as { data: { id: string }[] };
  const model = data.find(({ id }) => id.startsWith('groq/'))?.id;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] });
  for (let index = 0; index < times; index += 1) await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
}

async function waitFor(gateway: Gateway, id: string, isThere: (known: Known) => boolean): Promise<Known> {
  const endMs = Date.now() + 15_000;
  for (;;) {
    const known = await find(gateway, id);
    if (isThere(known) || Date.now() > endMs) return known;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const isEjectedAnywhere = ({ provider }: Known): boolean => (provider?.['health'] as { state: string }).state.includes('ejected');

describe('what several processes of one machine know of providers', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startStandalone({ env: { PROCESSES: '2', ...BROKEN } });
  }, 60_000);
  afterAll(() => harness.process.terminate());

  it('is put together by the one that keeps the books', async () => {
    expect(await find(harness, 'groq')).toMatchObject({
      processes: 2,
      provider: { is_set_up: true, health: { state: 'unknown', seen_by: 2 } },
    });
    expect(await find(harness, 'bedrock')).toMatchObject({
      provider: { is_set_up: false, needs: [[expect.any(String)], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']] },
    });
    await failAt(harness, 12);
    expect(await waitFor(harness, 'groq', isEjectedAnywhere)).toMatchObject({
      provider: { health: { error_share: 1 }, places: [{ provider_credential_id: null }] },
    });
  }, 60_000);
});

describeWithRealParts(['postgres', 'redis', 'kafka'], 'what workers of their own know of providers', () => {
  let harness: DistributedHarness;
  let parts: TakenParts;
  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    harness = await startDistributed(parts, BROKEN);
  }, 180_000);
  afterAll(async () => {
    await harness.stop();
    await parts.stop();
  }, 60_000);

  it('reaches the management-api, and goes with a worker that ends', async () => {
    expect(await find(harness, 'groq')).toMatchObject({
      processes: 2,
      provider: { is_set_up: true, health: { state: 'unknown', seen_by: 2 } },
    });
    await failAt(harness, 6);
    // The media-service has sent nothing there.
    expect(await waitFor(harness, 'groq', isEjectedAnywhere)).toMatchObject({
      provider: { health: { state: 'partly_ejected', error_share: 1 } },
    });
    await harness.services['media-service'].terminate();
    expect(await find(harness, 'groq')).toMatchObject({ processes: 1, provider: { health: { state: 'ejected', seen_by: 1 } } });
  }, 60_000);
});
