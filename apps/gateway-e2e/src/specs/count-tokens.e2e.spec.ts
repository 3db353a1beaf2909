import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describeWithFixtures } from '@weir/testing';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness } from '../harness/client-harness';
import { startClientHarness } from '../harness/start-client-harness';

/** A thousand words of one token each. */
const LONG = 'hello '.repeat(1000);

/** An estimate differs by family of models, and by what stands around a prompt. */
function expectAround(estimate: number, tokens: number): void {
  expect(estimate).toBeGreaterThanOrEqual(tokens * 0.8);
  expect(estimate).toBeLessThanOrEqual(tokens * 1.5);
}

describeWithFixtures('requests that clients of the messages dialect send before they start', () => {
  let harness: ClientHarness;
  let client: Anthropic;

  beforeAll(async () => {
    harness = await startClientHarness();
    client = new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'How long is this prompt, roughly?' }];

  it('returns the count of a provider that can count tokens', async () => {
    harness.playCapture('agentgateway+agentgateway/anthropic/res-count_tokens.json');
    const counted = await client.messages.countTokens({ model: 'anthropic/claude-sonnet-4-5', messages }).withResponse();

    expect(counted.data.input_tokens).toBe(42);
    expect(counted.response.headers.get('x-weir-count-source')).toBe('provider');
    expect(harness.readLastCall()).toMatchObject({ path: '/v1/messages/count_tokens', json: { model: 'claude-sonnet-4-5', messages } });
  });

  it('returns an estimate where the provider cannot count, which does not count pictures by their bytes', async () => {
    const ask = (content: Anthropic.MessageParam['content'], model = 'sandbox/chat') =>
      client.messages.countTokens({ model, messages: [{ role: 'user', content }] });
    harness.upstream.reply({ status: 404, body: { type: 'error', error: { type: 'not_found_error', message: 'no such path' } } });

    const words = 'The river rises. '.repeat(100);
    const plain = (await ask(words)).input_tokens;
    expect([plain > 400, plain < 440]).toEqual([true, true]);
    // A model of another family makes more tokens of the same text.
    expect((await ask(words, 'anthropic/claude-sonnet-4-5')).input_tokens).toBeGreaterThan(plain);
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'A'.repeat(40_000) },
    };
    expect((await ask([image])).input_tokens).toBe(1607);
  });

  describe('of the responses dialect, through the official client', () => {
    const count = (body: OpenAI.Responses.InputTokenCountParams) =>
      new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 }).responses.inputTokens.count(body).withResponse();
    const input = 'How long is this prompt, roughly?';

    it('returns the count of the provider that counts, and sends it nothing about the reply', async () => {
      harness.upstream.reply({ body: { object: 'response.input_tokens', input_tokens: 42 } });
      const model = 'openai-responses/gpt-4.1';
      const aboutReply = { max_output_tokens: 16, stream: true, store: false, temperature: 0 };
      const { data, response } = await count({ model, input, instructions: 'Be brief.', ...aboutReply } as never);

      expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 42 });
      expect(response.headers.get('x-weir-count-source')).toBe('provider');
      expect(response.headers.get('x-weir-provider')).toBe('openai-responses');
      const { path, json } = harness.readLastCall();
      expect([path, json]).toEqual(['/v1/responses/input_tokens', { model: 'gpt-4.1', input, instructions: 'Be brief.' }]);
    });

    it('returns an estimate where the provider does not count', async () => {
      const { data, response } = await count({ model: 'sandbox/chat', input: LONG });
      expect(data.object).toBe('response.input_tokens');
      expectAround(data.input_tokens, 1000);
      expect(response.headers.get('x-weir-count-source')).toBe('estimate');
      const withoutInput = await count({ model: 'sandbox/chat', instructions: LONG });
      expectAround(withoutInput.data.input_tokens, 1000);
    });

    it('refuses what cannot be counted, in the words of the dialect', async () => {
      const stored = count({ model: 'sandbox/chat', input, previous_response_id: 'resp_1' });
      await expect(stored).rejects.toMatchObject({ status: 400, error: { param: 'previous_response_id' } });
      await expect(count({ model: 'no-one/nothing', input })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      await expect(count({ input })).rejects.toMatchObject({ status: 400, error: { param: 'model' } });
    });
  });

  it('refuses to count a request that no model would accept', async () => {
    await expect(client.messages.countTokens({ model: 'sandbox/chat', messages: [] })).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(client.messages.countTokens({ model: 'no-one/nothing', messages })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('bills nothing for counting', async () => {
    await client.messages.create({ model: 'sandbox/chat', max_tokens: 5, messages });

    // Events are shipped in order: if counting had made one, it would be in the sum by now.
    expect(await waitForRequests(harness, 1)).toMatchObject({ total_requests: 1 });
  });

  it('returns 200 without a body for HEAD /', async () => {
    const probe = await fetch(`${harness.url}/`, { method: 'HEAD' });

    expect(probe.status).toBe(200);
    expect(await probe.text()).toBe('');
  });
});
