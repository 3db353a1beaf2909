import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

const row = (id: string, more: object) => ({
  id,
  modality: 'chat',
  provider: 'openai',
  upstreamModel: 'gpt-4o-mini',
  vendor: 'acme',
  canonicalName: 'acme/fast',
  prices: [{ version: '2026-11-21', validFrom: '2026-11-21', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] }],
  ...more,
});
const CATALOG = JSON.stringify([
  row('cloud-us/acme/fast', { geolocation: 'US', dataPolicy: { retention: false, retentionDays: 0, training: false } }),
  row('cloud-eu/acme/fast', { geolocation: 'EU', dataPolicy: { retention: true, training: false } }),
  row('cloud/acme/fast', {}),
]);

describe('what an organization allows to be done with its data', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let call: CallHarness;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startStandalone({
      env: {
        CATALOG,
        OPENAI_API_KEY: 'sk-of-the-operator',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        DEPLOYMENT_REGION: 'us',
        REGIONAL_ADDRESSES: 'eu=https://eu.gateway.example',
      },
    });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
  });

  const ask = (model: string, headers: Record<string, string> = {}, more: object = {}): Promise<HarnessReply> =>
    call('POST /v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }], ...more }, headers);
  const messageOf = ({ json }: HarnessReply): string => (json as { error: { message: string } }).error.message;
  const decide = async (settings: object): Promise<void> => {
    expect((await call('PATCH /v1/manage/org', settings)).status).toBe(204);
  };
  const listed = async (): Promise<string[]> => {
    const { data } = (await call('GET /v1/models')).json as { data: { id: string }[] };
    return data.map(({ id }) => id).filter((id) => id.includes('acme') || id.startsWith('sandbox'));
  };

  it('a request may ask for more itself: residency names the address, the model, and where it is allowed', async () => {
    expect((await ask('cloud/acme/fast')).status).toBe(200);
    const elsewhere = await ask('cloud-eu/acme/fast', { 'x-weir-data-policy': 'residency=eu' });
    expect([elsewhere.status, elsewhere.json]).toMatchObject([403, { error: { origin: 'router', code: 'data_policy' } }]);
    expect(messageOf(elsewhere)).toContain('Send the request to https://eu.gateway.example.');

    const abroad = await ask('cloud-eu/acme/fast', {}, { weir: { data_policy: 'residency=us' } });
    expect(abroad.status).toBe(403);
    expect(messageOf(abroad)).toContain('"cloud/acme/fast@us"');
    expect((await ask('cloud-us/acme/fast', { 'x-weir-data-policy': 'residency=us, zero-retention, no-training' })).status).toBe(200);
    expect((await ask('cloud-us/acme/fast', { 'x-weir-data-policy': 'everything' })).status).toBe(400);
    expect(JSON.parse(upstream.requests.at(-1)?.bodyText ?? '{}')).not.toHaveProperty('weir');
  });

  it('residency holds for all of an organization’s requests, lists and estimates', async () => {
    await decide({ data_residency: 'us' });
    const refused = await callUntil(
      () => ask('cloud/acme/fast'),
      ({ status }) => status === 403,
    );

    expect(messageOf(refused)).toContain('does not promise where prompts are processed');
    expect((await ask('cloud-us/acme/fast')).status).toBe(200);
    expect(await listed()).toEqual(['cloud-us/acme/fast']);
    expect((await ask('cloud-us/acme/fast', { 'x-weir-data-policy': 'residency=eu' })).status).toBe(403);
    const estimate = await call('POST /v1/estimate', { model: 'cloud/acme/fast', messages: [] });
    expect(estimate.json).toMatchObject({ allowed: false, refusal: { code: 'data_policy', status: 403 } });
    const messages = await call('POST /v1/messages', {
      model: 'cloud/acme/fast',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(messages.json).toMatchObject({ type: 'error', error: { type: 'permission_error' } });

    await decide({ data_residency: 'eu' });
    const away = await callUntil(
      () => ask('cloud-us/acme/fast'),
      (reply) => reply.status === 403,
    );
    expect(messageOf(away)).toContain('https://eu.gateway.example');
    expect(await listed()).toEqual([]);
    await decide({ data_residency: null });
  }, 30_000);

  it('zero retention takes only models that promise it, and keeps no answer', async () => {
    await decide({ zero_data_retention: true });
    const refused = await callUntil(
      () => ask('cloud-eu/acme/fast'),
      ({ status }) => status === 403,
    );

    expect(messageOf(refused)).toContain('does not promise to keep nothing. The same model is allowed as "cloud/acme/fast@us".');
    expect(await listed()).toEqual(['cloud-us/acme/fast', 'sandbox/chat', 'sandbox/chat-free']);
    const key = { 'idempotency-key': 'one', 'x-weir-cache': 'on' };
    const replies = [await ask('cloud-us/acme/fast', key), await ask('cloud-us/acme/fast', key)];
    for (const { status, headers } of replies) {
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'x-weir-idempotency': 'off; zero-retention', 'x-weir-cache': 'off; zero-retention' });
      expect(headers['idempotency-replayed']).toBeUndefined();
    }
    await decide({ zero_data_retention: false });
  }, 30_000);

  it('data that may not be used for training goes to models that promise so', async () => {
    await decide({ data_used_for_training: false });
    const refused = await callUntil(
      () => ask('cloud/acme/fast'),
      ({ status }) => status === 403,
    );

    expect(messageOf(refused)).toContain('may not be used for training');
    expect((await ask('cloud-eu/acme/fast')).status).toBe(200);
    expect(await listed()).toEqual(['cloud-eu/acme/fast', 'cloud-us/acme/fast', 'sandbox/chat', 'sandbox/chat-free']);
    expect((await call('GET /v1/organization')).json).toMatchObject({ organization: { data_used_for_training: false } });
  }, 30_000);
});
