import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateObject, generateText, stepCountIs, streamText, tool, type LanguageModel, type ModelMessage } from 'ai';
import { z } from 'zod';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { createRequesty } from './requesty-sdk';

/** One try, and a limit: without one @ai-sdk/anthropic warns of models it does not know. */
const once = { maxRetries: 0, maxOutputTokens: 4096 };

type ModelMaker = (id: string, key?: string) => LanguageModel;

export function describeAiSdk(open: OpenClientHarness): void {
  let harness: ClientHarness;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  const settings = (key = harness.apiKey) => ({ baseURL: `${harness.url}/v1`, apiKey: key });
  const clients: [name: string, make: ModelMaker][] = [
    ['@ai-sdk/openai, responses', (id, key) => createOpenAI(settings(key)).responses(id)],
    ['@ai-sdk/openai, chat', (id, key) => createOpenAI(settings(key)).chat(id)],
    ['@ai-sdk/anthropic', (id, key) => createAnthropic(settings(key))(id)],
    [
      '@ai-sdk/openai-compatible',
      (id, key) => createOpenAICompatible({ name: 'weir', includeUsage: true, supportsStructuredOutputs: true, ...settings(key) })(id),
    ],
    ['@requesty/ai-sdk', (id, key) => createRequesty(settings(key))(id)],
  ];

  const weather = tool({
    description: 'The weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => Promise.resolve(`sunny in ${city}`),
  });
  const call = '!tool weather {"city":"Paris"} !tool weather {"city":"Rome"} How is it?';

  describe.each(clients)('%s', (name, make) => {
    // This client keeps the usage fields it knows and forgets the others; the cost of a whole reply is in a header as well.
    const keepsCost = name !== '@ai-sdk/openai, chat';

    const ask = (prompt: string, model = make('sandbox/chat')) => generateText({ model, prompt, ...once });

    it('generates text', async () => {
      const result = await generateText({ model: make('sandbox/chat'), system: 'Be brief.', prompt: 'Hello, Weir!', ...once });

      expect(result.text).toBe('Hello, Weir!');
      expect(result.finishReason).toBe('stop');
      expect(result.usage).toMatchObject({ inputTokens: 4, outputTokens: 2, totalTokens: 6 });
      expect(result.usage.raw?.['cost']).toBe(keepsCost ? 0.000012 : undefined);
      expect(result.response.headers?.['x-weir-cost']).toBe('0.000012');
      expect(result.warnings ?? []).toEqual([]);
    });

    it('streams text', async () => {
      const result = streamText({ model: make('sandbox/chat'), prompt: 'one two three', ...once });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);

      expect(pieces.join('')).toBe('one two three');
      expect(pieces.length).toBeGreaterThan(1);
      expect(await result.finishReason).toBe('stop');
      expect(await result.usage).toMatchObject({ inputTokens: 3, outputTokens: 3, raw: keepsCost ? { cost: 0.000015 } : {} });
    });

    it('runs a loop of tool calls to its end', async () => {
      const result = await generateText({
        model: make('sandbox/chat'),
        prompt: call,
        tools: { weather },
        stopWhen: stepCountIs(4),
        ...once,
      });

      expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(result.steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ city: 'Paris' }, { city: 'Rome' }]);
      expect(result.text).toContain('sunny in Rome');
    });

    it('runs a loop of streamed tool calls to its end', async () => {
      const result = streamText({
        model: make('sandbox/chat'),
        prompt: call,
        tools: { weather },
        stopWhen: stepCountIs(4),
        ...once,
      });
      const errors: unknown[] = [];
      for await (const part of result.fullStream) if (part.type === 'error' || part.type === 'tool-error') errors.push(part);

      expect(errors).toEqual([]);
      expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(await result.text).toContain('sunny in Rome');
    });

    it('goes on with a conversation', async () => {
      const conversation = (prompt: string, before: ModelMessage[] = []): Parameters<typeof generateText>[0] => ({
        model: make('sandbox/chat'),
        messages: [...before, { role: 'user', content: prompt }],
        // The client would name earlier items instead of sending them.
        providerOptions: { openai: { store: false } },
        ...once,
      });
      const first = await generateText(conversation('one'));
      const second = await generateText(conversation('two', [{ role: 'user', content: 'one' }, ...first.response.messages]));

      expect(second.text).toBe('two');
      expect(second.usage.inputTokens).toBe(3);
    });

    it('generates an object of a schema', async () => {
      const whole = z.object({ city: z.string(), degrees: z.number() });
      // This client asks for JSON without naming the schema.
      const schema = name === '@requesty/ai-sdk' ? whole.partial() : whole;
      const { object } = await generateObject({ model: make('sandbox/chat'), schema, prompt: 'Weather?', ...once });

      expect(object).toEqual(schema === whole ? { city: expect.any(String) as string, degrees: expect.any(Number) as number } : {});
    });

    it('says when the limit was reached', async () => {
      const result = await generateText({ model: make('sandbox/chat'), prompt: '!tokens 50', ...once, maxOutputTokens: 3 });

      expect(result).toMatchObject({ finishReason: 'length', usage: { outputTokens: 3 } });
    });

    it.each([
      ['an unknown model', 404, false, () => ask('x', make('no-one/nothing'))],
      ['an unknown key', 403, false, () => ask('x', make('sandbox/chat', 'some-unknown-key-0000'))],
      ['a rate limit of the provider', 429, true, () => ask('!status 429')],
      ['a provider that is overloaded', 503, true, () => ask('!status 503')],
    ])('meets %s as an APICallError with its status and message', async (_what, statusCode, isRetryable, act) => {
      const error: unknown = await act().catch((thrown: unknown) => thrown);

      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode, isRetryable, message: expect.stringMatching(/model|key|sandbox/i) as string });
    });

    it('meets a stream that breaks as an error in the stream', async () => {
      const result = streamText({ model: make('sandbox/chat'), prompt: '!tokens 20 !cut 5', ...once, onError: () => undefined });
      const parts: string[] = [];
      for await (const part of result.fullStream) parts.push(part.type);

      expect(parts).toContain('text-delta');
      expect(parts).toContain('error');
    });
  });

  it('reads a real stream of its own vendor, with thinking and its signature', async () => {
    harness.playCapture('pydantic+pydantic-ai/anthropic/test_anthropic_model_thinking_part_stream.yaml');
    const result = streamText({
      model: createAnthropic(settings())('anthropic/claude-sonnet-4-5'),
      prompt: 'How do I cross the street?',
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
      ...once,
    });
    await result.consumeStream();
    const [reasoning] = await result.reasoning;

    expect(reasoning?.text).toContain('pedestrian safety');
    expect(String(reasoning?.providerMetadata?.['anthropic']?.['signature']).length).toBeGreaterThan(100);
    expect((await result.text).length).toBeGreaterThan(100);
  });

  it('reads a real stream of the Responses API', async () => {
    harness.playCapture('pydantic+pydantic-ai/openai-responses/test_openai_responses_stream.yaml', 1);
    const result = streamText({ model: createOpenAI(settings())('openai-responses/gpt-4.1'), prompt: 'Capital?', ...once });

    expect(await result.text).toBe('The capital of France is Paris.');
  });

  it('was metered throughout', async () => {
    // In each of five clients: 2 texts, 2 loops of 2 steps, a conversation of 2 turns, an object, a cut answer, 2 refusals of the provider, a broken stream; 2 captures.
    const day = await waitForRequests(harness, 5 * (2 + 4 + 1 + 2 + 1 + 2 + 1) + 2);

    expect(day.total_requests).toBe(67);
  });
}
