import OpenAI from 'openai';
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

type Priced = { cost?: number };
const SANDBOX = { input: '1', output: '4' };

export function describeOpenaiChat(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;
  const costs: string[] = [];
  let requests = 0;

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  const note = (usage: (OpenAI.CompletionUsage & Priced) | null | undefined): void => {
    expect(usage).toBeTruthy();
    if (!usage) return;
    const expected = priceByHand([
      [usage.prompt_tokens, SANDBOX.input],
      [usage.completion_tokens, SANDBOX.output],
    ]);
    expect(usdText(usage.cost)).toBe(expected);
    costs.push(expected);
    requests += 1;
  };

  it('echoes the last user message and reports its exact cost', async () => {
    const { data, response } = await client.chat.completions
      .create({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello, Weir!' }] })
      .withResponse();

    expect(data.choices[0]?.message.content).toContain('Hello, Weir!');
    expect(data.choices[0]?.finish_reason).toBe('stop');
    expect(data.model).toBe('sandbox/chat');
    expect(response.headers.get('x-weir-provider')).toBe('sandbox');
    expect(response.headers.get('x-weir-cost')).toBe(usdText((data.usage as Priced).cost));
    note(data.usage);
  });

  it('streams the same answer, with usage only for those who ask', async () => {
    const quiet = await client.chat.completions.create({
      model: 'sandbox/chat',
      stream: true,
      messages: [{ role: 'user', content: 'one two three' }],
    });
    let text = '';
    for await (const chunk of quiet) {
      expect(chunk.usage ?? null).toBeNull();
      expect(chunk.choices).toHaveLength(1);
      text += chunk.choices[0]?.delta.content ?? '';
    }
    const asked = await client.chat.completions.create({
      model: 'sandbox/chat',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'one two three' }],
    });
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of asked) if (chunk.usage) usage = chunk.usage;

    expect(text).toContain('one two three');
    note(usage);
    note(usage); // the quiet stream was the same request: it costs the same
  });

  it('obeys max_tokens and says so', async () => {
    const reply = await client.chat.completions.create({
      model: 'sandbox/chat',
      max_tokens: 3,
      messages: [{ role: 'user', content: '!tokens 50' }],
    });

    expect(reply.choices[0]?.finish_reason).toBe('length');
    expect(reply.usage?.completion_tokens).toBe(3);
    note(reply.usage);
  });

  it('calls an offered tool when asked to', async () => {
    const reply = await client.chat.completions.create({
      model: 'sandbox/chat',
      tool_choice: 'required',
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
        },
      ],
      messages: [{ role: 'user', content: 'What is the weather?' }],
    });
    const call = reply.choices[0]?.message.tool_calls?.[0];

    expect(reply.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call?.type === 'function' && call.function.name).toBe('get_weather');
    expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toHaveProperty('city');
    note(reply.usage);
  });

  it('still bills, flagged as an estimate, when the provider reports no usage', async () => {
    const reply = await client.chat.completions.create({ model: 'sandbox/chat', messages: [{ role: 'user', content: '!no-usage' }] });

    expect(reply.usage?.total_tokens).toBeGreaterThan(0);
    note(reply.usage);
  });

  it('puts every one of these requests into the rollups at the same cost, to the last digit', async () => {
    const day = await waitForRequests(harness, requests);

    expect(day.completions_requests).toBe(requests);
    expect(day.spend).toBe(addUsd(costs));
    const byModel = await waitForRequests(harness, requests, { group_by: ['model_used', 'provider_used'] });
    expect(byModel.grouped_data).toEqual([
      expect.objectContaining({ spend: addUsd(costs), group_by_values: { model_used: 'sandbox/chat', provider_used: 'sandbox' } }),
    ]);
  });

  it('simulates failures: statuses, cut connections and free replies', async () => {
    const ask = (content: string, more: object = {}) =>
      client.chat.completions.create({ model: 'sandbox/chat', messages: [{ role: 'user', content }], ...more });

    await expect(ask('!status 429')).rejects.toMatchObject({ status: 429, error: { origin: 'provider' } });
    await expect(ask('!status 503')).rejects.toMatchObject({ status: 503, error: { origin: 'provider' } });
    await expect(ask('!status 401')).rejects.toMatchObject({ status: 502, error: { origin: 'provider' } });
    await expect(
      (async () => {
        const stream = (await ask('!tokens 20 !cut 3', { stream: true })) as unknown as AsyncIterable<unknown>;
        for await (const chunk of stream) expect(chunk).toBeTruthy();
      })(),
    ).rejects.toThrow(/broke|complete/);
    const free = await client.chat.completions.create({ model: 'sandbox/chat-free', messages: [{ role: 'user', content: 'hi' }] });
    expect((free.usage as Priced | undefined)?.cost).toBe(0);
  });
}
