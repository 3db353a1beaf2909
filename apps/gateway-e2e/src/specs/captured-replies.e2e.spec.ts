import {
  describeWithFixtures,
  listCaptures,
  loadCaptures,
  replyFromCapture,
  startFakeUpstream,
  type Capture,
  type FakeUpstream,
} from '@weir/testing';
import OpenAI from 'openai';
import { pointAt } from '../harness/client-harness';
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Priced = { cost?: number };

// Prices of the models as their vendors publish them, USD per million tokens: [input, cached input, output].
const GPT_5_NANO = ['0.05', '0.005', '0.4'] as const;
const SONNET = { input: '3', cacheWrite5m: '3.75', cacheRead: '0.3', output: '15' };
/** Of the models that captured replies name: what replies is what is priced. */
const HAIKU = { input: '1', output: '5', cacheRead: '0.1', cacheWrite5m: '1.25' };
const OPUS = { input: '5', output: '25', cacheRead: '0.5', cacheWrite5m: '6.25' };

describeWithFixtures('captured replies of real providers, read by the official client', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let client: OpenAI;
  const costs: string[] = [];

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startStandalone({ env: pointAt(upstream) });
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(async () => {
    await harness.process.terminate();
    await upstream.stop();
  });

  const capture = (path: string): Capture => {
    const [found] = listCaptures({ under: path }).flatMap((file) => loadCaptures(file));
    if (found === undefined) throw new Error(`no capture at ${path}`);
    return found;
  };

  it('OpenAI, whole reply: text, finish reason, usage with reasoning, and the cost', async () => {
    upstream.reply(replyFromCapture(capture('envoyproxy+ai-gateway/openai/chat-basic.yaml')));

    const reply = await client.chat.completions.create({ model: 'openai/gpt-5-nano', messages: [{ role: 'user', content: 'Hello!' }] });

    expect(reply.id).toBe('chatcmpl-C4Gm9xikLXbgE8He0BHWeoM03aa72');
    expect(reply.choices[0]?.message.content).toMatch(/^Hi there! How can I help you today\?/);
    expect(reply.choices[0]?.message.content).toContain('what you’d like to do');
    expect(reply.choices[0]?.finish_reason).toBe('stop');
    expect(reply.usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 377, completion_tokens_details: { reasoning_tokens: 320 } });
    const cost = priceByHand([
      [8, GPT_5_NANO[0]],
      [377, GPT_5_NANO[2]],
    ]);
    expect(usdText((reply.usage as Priced).cost)).toBe(cost);
    costs.push(cost);
    expect(JSON.parse(upstream.requests.at(-1)?.bodyText ?? '')).toMatchObject({
      model: 'gpt-5-nano',
      messages: [{ role: 'user', content: 'Hello!' }],
    });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer upstream-key');
  });

  it('OpenAI, stream with usage', async () => {
    upstream.reply(replyFromCapture(capture('envoyproxy+ai-gateway/openai/chat-streaming-detailed-usage.yaml')));

    const stream = await client.chat.completions.create({
      model: 'openai/gpt-5-nano',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'developer', content: "Hello, I'm a developer!" }],
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);

    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason ?? null)).toEqual([null, 'length', null]);
    const cost = priceByHand([
      [12, GPT_5_NANO[0]],
      [100, GPT_5_NANO[2]],
    ]);
    expect(usdText((chunks.at(-1)?.usage as Priced).cost)).toBe(cost);
    costs.push(cost);
  });

  it('OpenAI, tool call: the arguments as the model wrote them', async () => {
    const captured = capture('envoyproxy+ai-gateway/openai/chat-parallel-tools.yaml');
    upstream.reply(replyFromCapture(captured));

    const reply = await client.chat.completions.create({
      model: 'openai/gpt-5-nano',
      messages: [{ role: 'user', content: 'What is the weather like in San Francisco?' }],
      tools: [{ type: 'function', function: { name: 'get_current_weather', parameters: { type: 'object', properties: {} } } }],
    });
    const [call] = reply.choices[0]?.message.tool_calls ?? [];

    expect(reply.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call?.type === 'function' && call.function.arguments).toBe('{"location":"San Francisco, CA"}');
    costs.push(checkNanoCost(reply.usage));
  });

  it('Anthropic, whole reply with text blocks and a tool call, translated to the caller’s dialect', async () => {
    upstream.reply(replyFromCapture(capture('agentgateway+agentgateway/anthropic/res-tool.json')));

    const reply = await client.chat.completions.create({
      model: 'anthropic/claude-opus-4-6',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
      ],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }],
    });
    const message = reply.choices[0]?.message;

    expect(reply.choices[0]?.finish_reason).toBe('tool_calls');
    expect(message?.tool_calls?.length).toBeGreaterThan(0);
    const sent = JSON.parse(upstream.requests.at(-1)?.bodyText ?? '') as Record<string, unknown>;
    expect(sent).toMatchObject({ model: 'claude-opus-4-6', max_tokens: expect.any(Number) as number });
    expect(JSON.stringify(sent['system'])).toContain('Be brief.');
    costs.push(checkCost(reply.usage, OPUS));
  });

  it.each([
    ['res-stream_basic.json', 'stop', /\w/, 'claude-haiku-4-5-20251001', HAIKU],
    ['res-stream_tool.json', 'tool_calls', /^.*\{[\s\S]*\}$/, 'claude-haiku-4-5-20251001', HAIKU],
    // Usage grows between start and end, and the answer is empty.
    ['res-stream_message_delta_usage.json', 'stop', /^$/, 'claude-sonnet-4-5', SONNET],
  ])('Anthropic, stream %s', async (path, finish, content, model, prices) => {
    upstream.reply(replyFromCapture(capture(`agentgateway+agentgateway/anthropic/${path}`)));

    const stream = await client.chat.completions.create({
      model: `anthropic/${model}`,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Go on.' }],
    });
    let usage: OpenAI.CompletionUsage | undefined;
    const finishes: string[] = [];
    let written = '';
    for await (const chunk of stream) {
      const choice = chunk.choices[0];
      if (choice?.finish_reason) finishes.push(choice.finish_reason);
      written += choice?.delta.content ?? choice?.delta.tool_calls?.[0]?.function?.arguments ?? '';
      if (chunk.usage) usage = chunk.usage;
    }

    expect(finishes).toEqual([finish]);
    expect(written).toMatch(content);
    costs.push(checkCost(usage, prices));
  });

  it('puts the same requests into the rollups with the same cost, to the last digit', async () => {
    const day = await waitForRequests(harness, costs.length);

    expect(day.total_requests).toBe(costs.length);
    expect(day.spend).toBe(addUsd(costs));
  });

  it('passes the provider’s own refusals on as its own, and keeps our credentials out of them', async () => {
    upstream.reply({
      status: 400,
      body: { error: { message: 'max_tokens is too large: sk-proj-abcdefgh12345678', type: 'invalid_request_error', code: null } },
    });
    const ask = () => client.chat.completions.create({ model: 'openai/gpt-5-nano', messages: [{ role: 'user', content: 'x' }] });

    await expect(ask()).rejects.toMatchObject({
      status: 400,
      error: { origin: 'provider', message: expect.stringContaining('max_tokens is too large') as string },
    });
    upstream.reply({ status: 401, body: { error: { message: 'Incorrect API key provided: upstream-key' } } });
    await expect(ask()).rejects.toMatchObject({
      status: 502,
      error: { origin: 'provider', message: expect.not.stringContaining('upstream-key') as string },
    });
    upstream.reply({ status: 200, body: 'not json' });
    await expect(ask()).rejects.toMatchObject({ status: 502, error: { code: 'provider_unreadable' } });
  });

  function checkNanoCost(usage: OpenAI.CompletionUsage | undefined): string {
    const { prompt_tokens: prompt = 0, completion_tokens: completion = 0, prompt_tokens_details: details } = usage ?? {};
    const cached = details?.cached_tokens ?? 0;
    const cost = priceByHand([
      [prompt - cached, GPT_5_NANO[0]],
      [cached, GPT_5_NANO[1]],
      [completion, GPT_5_NANO[2]],
    ]);
    expect(completion).toBeGreaterThan(0);
    expect(usdText((usage as Priced | undefined)?.cost)).toBe(cost);
    return cost;
  }

  function checkCost(usage: OpenAI.CompletionUsage | undefined, prices: typeof HAIKU): string {
    expect(usage).toBeTruthy();
    const details = usage?.prompt_tokens_details as { cached_tokens?: number; cache_write_tokens?: number } | undefined;
    const read = details?.cached_tokens ?? 0;
    const write = details?.cache_write_tokens ?? 0;
    const cost = priceByHand([
      [(usage?.prompt_tokens ?? 0) - read - write, prices.input],
      [read, prices.cacheRead],
      [write, prices.cacheWrite5m],
      [usage?.completion_tokens ?? 0, prices.output],
    ]);
    expect(usage?.completion_tokens).toBeGreaterThan(0);
    expect(usdText((usage as Priced | undefined)?.cost)).toBe(cost);
    return cost;
  }
});
