import Anthropic from '@anthropic-ai/sdk';
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

type Priced = { cost?: number };

const SANDBOX = { input: '1', output: '4' };
const SONNET_4_5 = { input: '3', output: '15' };
const RED_DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WEATHER: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export function describeAnthropicSdk(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: Anthropic;
  const costs: string[] = [];

  beforeAll(async () => {
    harness = await open();
    client = new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  /** Checks a reported cost against the tokens reported beside it. */
  const note = (usage: { input_tokens: number | null; output_tokens: number }, reported: unknown, prices = SANDBOX): void => {
    const cost = priceByHand([
      [usage.input_tokens ?? 0, prices.input],
      [usage.output_tokens, prices.output],
    ]);
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(usdText(reported)).toBe(cost);
    costs.push(cost);
  };

  const textOf = (message: Anthropic.Message): string => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

  describe('on a model of another dialect', () => {
    it('creates a message, with the system prompt, usage and cost', async () => {
      const { data, response } = await client.messages
        .create({ model: 'sandbox/chat', max_tokens: 100, system: 'Be brief.', messages: [{ role: 'user', content: 'Hello, Weir!' }] })
        .withResponse();

      expect(data).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn', stop_sequence: null });
      expect(textOf(data)).toBe('Hello, Weir!');
      expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
      note(data.usage, (data.usage as Priced).cost);
    });

    it('streams, with the input tokens at the start and the cost in the message_delta', async () => {
      const stream = client.messages.stream({
        model: 'sandbox/chat',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'one two three' }],
      });
      let delta: (Anthropic.MessageDeltaUsage & Priced) | undefined;
      stream.on('streamEvent', (event) => {
        if (event.type === 'message_delta') delta = event.usage;
      });
      const final = await stream.finalMessage();

      expect(textOf(final)).toBe('one two three');
      expect(final.stop_reason).toBe('end_turn');
      expect(final.usage.output_tokens).toBe(3);
      note(final.usage, delta?.cost);
    });

    it('calls tools in parallel and takes their results, whole and streamed alike', async () => {
      const question: Anthropic.MessageParam = {
        role: 'user',
        content: '!tool get_weather {"city":"Paris"} !tool get_weather {"city":"Rome"} Where is it warmer?',
      };
      const body = { model: 'sandbox/chat', max_tokens: 200, tools: [WEATHER] };
      const whole = await client.messages.create({ ...body, messages: [question] });
      const stream = client.messages.stream({ ...body, messages: [question] });
      let cost: number | undefined;
      stream.on('streamEvent', (event) => {
        if (event.type === 'message_delta') ({ cost } = event.usage as Priced);
      });
      const streamed = await stream.finalMessage();
      const callsOf = (message: Anthropic.Message) => message.content.filter((block) => block.type === 'tool_use');

      expect(whole.stop_reason).toBe('tool_use');
      expect(callsOf(whole).map(({ name, input }) => [name, input])).toEqual([
        ['get_weather', { city: 'Paris' }],
        ['get_weather', { city: 'Rome' }],
      ]);
      expect(new Set(callsOf(whole).map(({ id }) => id)).size).toBe(2);
      expect(callsOf(streamed).map(({ input }) => input)).toEqual(callsOf(whole).map(({ input }) => input));
      expect(streamed.stop_reason).toBe('tool_use');
      note(whole.usage, (whole.usage as Priced).cost);
      note(streamed.usage, cost);

      const results = callsOf(whole).map(({ id }, index): Anthropic.ToolResultBlockParam => {
        const content = [{ type: 'text' as const, text: index === 0 ? '18 degrees' : '24 degrees' }];
        return { type: 'tool_result', tool_use_id: id, content };
      });
      const answer = await client.messages.create({
        ...body,
        messages: [question, { role: 'assistant', content: whole.content }, { role: 'user', content: results }],
      });

      expect(answer.stop_reason).toBe('end_turn');
      expect(textOf(answer)).toBe('24 degrees');
      note(answer.usage, (answer.usage as Priced).cost);
    });

    it('says when the limit was reached', async () => {
      const cut = await client.messages.create({
        model: 'sandbox/chat',
        max_tokens: 3,
        messages: [{ role: 'user', content: '!tokens 50' }],
      });

      expect(cut).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 3 } });
      note(cut.usage, (cut.usage as Priced).cost);
    });

    it('shows a picture to the provider in its own words', async () => {
      const message = await client.messages.create({
        model: 'openai/gpt-5-nano',
        max_tokens: 50,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: RED_DOT } },
              { type: 'text', text: 'What is it?' },
            ],
          },
        ],
      });

      expect(textOf(message)).toContain('What is it?');
      expect(harness.readLastCall()).toMatchObject({
        path: '/v1/chat/completions',
        json: {
          messages: [{ content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${RED_DOT}` } }, { type: 'text' }] }],
        },
      });
      note(message.usage, (message.usage as Priced).cost, { input: '0.05', output: '0.4' });
    });
  });

  describe('on a model of its own dialect', () => {
    it('reads thinking as it was streamed, and sends it back untouched', async () => {
      harness.playCapture('pydantic+pydantic-ai/anthropic/test_anthropic_model_thinking_part_stream.yaml');
      const body = { model: 'anthropic/claude-sonnet-4-5', max_tokens: 4096, thinking: { type: 'enabled' as const, budget_tokens: 1024 } };
      const stream = client.messages.stream({ ...body, messages: [{ role: 'user', content: 'How do I cross the street?' }] });
      let cost: number | undefined;
      stream.on('streamEvent', (event) => {
        if (event.type === 'message_delta') ({ cost } = event.usage as Priced);
      });
      const final = await stream.finalMessage();
      const [thinking, text] = final.content;

      expect(thinking).toMatchObject({ type: 'thinking', thinking: expect.stringContaining('pedestrian safety') as string });
      expect(thinking?.type === 'thinking' && thinking.signature.length).toBeGreaterThan(100);
      expect(text?.type).toBe('text');
      expect(harness.readLastCall().json).toMatchObject({ model: 'claude-sonnet-4-5', thinking: body.thinking });
      note(final.usage, cost, SONNET_4_5);

      const next = await client.messages.create({
        ...body,
        messages: [
          { role: 'user', content: 'How do I cross the street?' },
          { role: 'assistant', content: final.content },
          { role: 'user', content: 'And back?' },
        ],
      });

      expect(textOf(next)).toBe('echo: And back?');
      expect((harness.readLastCall().json['messages'] as unknown[])[1]).toEqual({ role: 'assistant', content: final.content });
      note(next.usage, (next.usage as Priced).cost, SONNET_4_5);
    });

    it('reads parallel tool calls of a whole reply', async () => {
      harness.playCapture('pydantic+pydantic-ai/anthropic/test_multiple_parallel_tool_calls.yaml');

      const reply = await client.messages.create({
        model: 'anthropic/claude-haiku-4-5',
        max_tokens: 4096,
        tools: [WEATHER],
        messages: [{ role: 'user', content: 'Who is the youngest?' }],
      });

      expect(reply.content.map((block) => (block.type === 'tool_use' ? block.input : block.type))).toEqual([
        'text',
        { name: 'Alice' },
        { name: 'Bob' },
        { name: 'Charlie' },
        { name: 'Daisy' },
      ]);
      note(reply.usage, (reply.usage as Priced).cost, { input: '1', output: '5' });
    });

    it('carries its own preview headers on, and no credentials of ours', async () => {
      const reply = await client.beta.messages.create({
        model: 'anthropic/claude-sonnet-4-5',
        max_tokens: 10,
        betas: ['interleaved-thinking-2025-05-14'],
        messages: [{ role: 'user', content: 'Hi.' }],
      });
      const { headers } = harness.readLastCall();

      expect(headers).toMatchObject({ 'anthropic-beta': 'interleaved-thinking-2025-05-14', 'x-api-key': 'upstream-key' });
      expect(headers.authorization).toBeUndefined();
      note(reply.usage, (reply.usage as Priced).cost, SONNET_4_5);
    });
  });

  it('finds the same costs in the rollups, to the last digit', async () => {
    const day = await waitForRequests(harness, costs.length);

    expect(costs.length).toBeGreaterThan(10);
    expect(day.completions_requests).toBe(costs.length);
    expect(day.spend).toBe(addUsd(costs));
  });

  describe('meets refusals as its own classes', () => {
    const ask = (content: string, more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}, by = client) =>
      by.messages.create({ model: 'sandbox/chat', max_tokens: 50, messages: [{ role: 'user', content }], ...more });

    it.each([
      ['a request no one can serve', Anthropic.BadRequestError, 'invalid_request_error', () => ask('x', { messages: [] })],
      ['a temperature out of range', Anthropic.BadRequestError, 'invalid_request_error', () => ask('x', { temperature: 3 } as object)],
      ['an unknown model', Anthropic.NotFoundError, 'not_found_error', () => ask('x', { model: 'no-one/nothing' })],
      ['a provider’s rate limit', Anthropic.RateLimitError, 'rate_limit_error', () => ask('!status 429')],
      ['a provider that is overloaded', Anthropic.ServiceUnavailableError, 'overloaded_error', () => ask('!status 503')],
      ['a provider that refuses our credentials', Anthropic.InternalServerError, 'api_error', () => ask('!status 401')],
    ])('%s', async (_name, kind, type, act) => {
      const error = (await act().catch((thrown: unknown) => thrown)) as InstanceType<typeof Anthropic.APIError>;

      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ type, requestID: expect.stringMatching(/^\S+$/) as string });
    });

    it('a key no one knows and no key at all', async () => {
      const other = (options: ConstructorParameters<typeof Anthropic>[0]) =>
        new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey, maxRetries: 0, ...options });

      await expect(ask('x', {}, other({ apiKey: 'some-unknown-key-0000' }))).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError);
      const withoutKey: typeof fetch = (url, init) => {
        const headers = new Headers(init?.headers);
        headers.delete('authorization');
        return fetch(url, { ...init, headers });
      };
      await expect(ask('x', {}, other({ fetch: withoutKey }))).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    });

    it('a stream that broke, after the text that was there', async () => {
      const stream = await client.messages.create({
        model: 'sandbox/chat',
        max_tokens: 50,
        stream: true,
        messages: [{ role: 'user', content: '!tokens 20 !cut 4' }],
      });
      let text = '';
      const read = async () => {
        for await (const event of stream)
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
      };

      await expect(read()).rejects.toBeInstanceOf(Anthropic.APIError);
      expect(text).toContain('word1');
    });

    it('takes the key in x-api-key as well', async () => {
      const old = new Anthropic({ baseURL: harness.url, apiKey: null, authToken: null, defaultHeaders: { 'x-api-key': harness.apiKey } });

      expect(textOf(await ask('by the older header', {}, old))).toBe('by the older header');
    });
  });
}
