import { type AIMessageChunk, HumanMessage, SystemMessage, type ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

export function describeLangchain(open: OpenClientHarness): void {
  let harness: ClientHarness;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  const weather = tool(({ city }: { city: string }) => `sunny in ${city}`, {
    name: 'weather',
    description: 'The weather in a city.',
    schema: z.object({ city: z.string() }),
  });

  describe.each([
    ['chat completions', false],
    ['responses', true],
  ])('over %s', (_name, useResponsesApi) => {
    const openModel = (model = 'sandbox/chat', apiKey = harness.apiKey) =>
      new ChatOpenAI({ model, apiKey, useResponsesApi, maxRetries: 0, configuration: { baseURL: `${harness.url}/v1` } });

    it('invokes', async () => {
      const reply = await openModel().invoke([new SystemMessage('Be brief.'), new HumanMessage('Hello, Weir!')]);

      expect(reply.text).toBe('Hello, Weir!');
      expect(reply.usage_metadata).toMatchObject({ input_tokens: 4, output_tokens: 2, total_tokens: 6 });
    });

    it('streams, with usage at the end', async () => {
      let whole: AIMessageChunk | undefined;
      let pieces = 0;
      for await (const chunk of await openModel().stream('one two three')) {
        pieces += 1;
        whole = whole === undefined ? chunk : whole.concat(chunk);
      }

      expect(whole?.text).toBe('one two three');
      expect(pieces).toBeGreaterThan(2);
      expect(whole?.usage_metadata).toMatchObject({ input_tokens: 3, output_tokens: 3, total_tokens: 6 });
      expect(whole?.response_metadata).toMatchObject({ usage: { cost: 0.000015 } });
    });

    it.each(['invoked', 'streamed'])('calls tools in parallel and takes their results, %s', async (way) => {
      const model = openModel().bindTools([weather]);
      const messages: BaseMessage[] = [new HumanMessage('!tool weather {"city":"Paris"} !tool weather {"city":"Rome"} How is it?')];
      const ask = async (): Promise<AIMessageChunk> => {
        if (way === 'invoked') return model.invoke(messages);
        let whole: AIMessageChunk | undefined;
        for await (const chunk of await model.stream(messages)) whole = whole === undefined ? chunk : whole.concat(chunk);
        return whole as AIMessageChunk;
      };
      const calling = await ask();
      messages.push(calling);
      for (const call of calling.tool_calls ?? []) messages.push((await weather.invoke(call)) as ToolMessage);
      const answer = await ask();

      expect(calling.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
        ['weather', { city: 'Paris' }],
        ['weather', { city: 'Rome' }],
      ]);
      expect(messages).toHaveLength(4);
      expect(answer.text).toBe('sunny in Rome');
    });

    it('returns structured output of the schema that was asked for', async () => {
      const structured = openModel().withStructuredOutput(z.object({ city: z.string(), degrees: z.number() }), { method: 'jsonSchema' });

      expect(await structured.invoke('Weather?')).toEqual({ city: expect.any(String) as string, degrees: expect.any(Number) as number });
    });

    it('rejects with the status of a refusal', async () => {
      await expect(openModel('no-one/nothing').invoke('x')).rejects.toMatchObject({ status: 404 });
      await expect(openModel('sandbox/chat', 'some-unknown-key-0000').invoke('x')).rejects.toMatchObject({ status: 403 });
      await expect(openModel().invoke('!status 429')).rejects.toMatchObject({ status: 429 });
    });
  });

  it('was metered throughout', async () => {
    // Over each of two interfaces: an answer, a stream, two loops of two steps, an object and a refusal of the provider.
    const day = await waitForRequests(harness, 2 * (1 + 1 + 4 + 1 + 1));

    expect(day.total_requests).toBe(16);
    expect(Number(day.spend)).toBeGreaterThan(0);
    expect(day.spend).toBe(usdText(Number(day.spend)));
  });
}
