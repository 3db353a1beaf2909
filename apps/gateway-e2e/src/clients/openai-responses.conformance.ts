import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

type Responses = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Prices = { readonly input: string; readonly output: string };

const SANDBOX: Prices = { input: '1', output: '4' };
const GPT_5_NANO: Prices = { input: '0.05', output: '0.4' };
const GPT_4_1_MINI: Prices = { input: '0.4', output: '1.6' };
/** What the captured replies name: another model would be priced as that one. */
const GPT_4O: Prices = { input: '2.5', output: '10' };
const WEATHER: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export function describeOpenaiResponses(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;
  const costs: string[] = [];

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  /** Checks the reported cost against the tokens reported beside it. */
  const note = ({ usage }: Pick<Responses, 'usage'>, prices: Prices = SANDBOX): void => {
    const { input_tokens, output_tokens, total_tokens, cost } = (usage ?? {}) as OpenAI.Responses.ResponseUsage & { cost?: number };
    const expected = priceByHand([
      [input_tokens, prices.input],
      [output_tokens, prices.output],
    ]);
    expect(output_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(input_tokens + output_tokens);
    expect(usdText(cost)).toBe(expected);
    costs.push(expected);
  };

  const collect = async (body: Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'stream'>): Promise<Event[]> => {
    const events: Event[] = [];
    for await (const event of await client.responses.create({ ...body, stream: true })) events.push(event);
    return events;
  };
  const lastResponse = (events: readonly Event[]): Responses => {
    const last = events.at(-1);
    if (last === undefined || !('response' in last)) throw new Error(`the stream ended with ${String(last?.type)}`);
    return last.response as Responses;
  };

  describe('on a model of another dialect', () => {
    it('creates a response, with usage and cost', async () => {
      const { data, response } = await client.responses
        .create({ model: 'sandbox/chat', instructions: 'Be brief.', input: 'Hello, Weir!' })
        .withResponse();

      expect(data).toMatchObject({ object: 'response', status: 'completed', error: null, incomplete_details: null });
      expect(data.output_text).toBe('Hello, Weir!');
      expect(response.headers.get('x-weir-provider')).toBe('sandbox');
      note(data);
    });

    it('streams every event in its place, and the cost in response.completed', async () => {
      const events = await collect({ model: 'sandbox/chat', input: 'one two three' });
      const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);

      expect(types).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ]);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      expect(events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')).toBe('one two three');
      note(lastResponse(events));
    });

    it('calls tools in parallel and takes their results, whole and streamed alike', async () => {
      const question = { role: 'user' as const, content: '!tool get_weather {"city":"Paris"} !tool get_weather {"city":"Rome"} Warmer?' };
      const body = { model: 'sandbox/chat', tools: [WEATHER], store: false };
      const whole = await client.responses.create({ ...body, input: [question] });
      const stream = client.responses.stream({ ...body, input: [question] });
      const streamed = await stream.finalResponse();
      const callsOf = (response: Responses) => response.output.filter((item) => item.type === 'function_call');

      expect(callsOf(whole).map(({ name, arguments: given }) => [name, given])).toEqual([
        ['get_weather', '{"city":"Paris"}'],
        ['get_weather', '{"city":"Rome"}'],
      ]);
      expect(callsOf(streamed).map(({ arguments: given }) => given)).toEqual(['{"city":"Paris"}', '{"city":"Rome"}']);
      note(whole);
      note(streamed);

      const results = callsOf(whole).map(({ call_id }, index) => ({
        type: 'function_call_output' as const,
        call_id,
        output: index === 0 ? '18 degrees' : '24 degrees',
      }));
      const answer = await client.responses.create({
        ...body,
        input: [question, ...whole.output, ...results] as OpenAI.Responses.ResponseInput,
      });

      expect(answer.output_text).toBe('24 degrees');
      note(answer);
    });

    it('returns structured output of the schema that was asked for', async () => {
      const format = zodTextFormat(z.object({ city: z.string(), degrees: z.number() }), 'weather');
      const parsed = await client.responses.parse({ model: 'sandbox/chat', input: 'Weather?', text: { format } });

      expect(parsed.output_parsed).toEqual({ city: expect.any(String) as string, degrees: expect.any(Number) as number });
      note(parsed);
    });

    it('is incomplete where the limit was reached, whole and streamed', async () => {
      const body = { model: 'sandbox/chat', input: '!tokens 50', max_output_tokens: 3 };
      const whole = await client.responses.create(body);
      const events = await collect(body);

      expect(whole).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
      expect(whole.output_text).toBe('word1 word2 word3');
      expect(events.at(-1)?.type).toBe('response.incomplete');
      expect(lastResponse(events).incomplete_details).toEqual({ reason: 'max_output_tokens' });
      note(whole);
      note(lastResponse(events));
    });

    it('reaches a chat upstream, and returns its refusal as a refusal', async () => {
      harness.upstream.reply(({ bodyText }) => {
        const message = { role: 'assistant', content: null, refusal: 'I cannot help with that.' };
        const { model } = JSON.parse(bodyText) as { model: string };
        const usage = { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 };
        return {
          body: { id: 'c1', object: 'chat.completion', created: 1, model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
        };
      });
      const refused = await client.responses.create({ model: 'openai/gpt-5-nano', input: 'Do harm.' });
      const streamed = await collect({ model: 'openai/gpt-5-nano', input: 'Say it again.' });

      expect(refused.output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] }]);
      expect(harness.readLastCall()).toMatchObject({
        path: '/v1/chat/completions',
        json: { model: 'gpt-5-nano', messages: [{ role: 'user' }], stream_options: { include_usage: true } },
      });
      expect(lastResponse(streamed).output).toMatchObject([{ content: [{ type: 'output_text', text: 'echo: Say it again.' }] }]);
      note(refused, GPT_5_NANO);
      note(lastResponse(streamed), GPT_5_NANO);
    });
  });

  describe('on a model of its own dialect', () => {
    it('passes a tool call and its answer through, event by event', async () => {
      const cassette = 'pydantic+pydantic-ai/openai-responses/test_openai_responses_stream.yaml';
      harness.playCapture(cassette, 0);
      const body = { model: 'openai-responses/gpt-4o', tools: [{ ...WEATHER, name: 'get_capital' }] };
      const first = await collect({ ...body, input: [{ role: 'user', content: 'What is the capital of France?' }] });
      const called = lastResponse(first);

      expect(called.output).toMatchObject([{ type: 'function_call', name: 'get_capital', arguments: '{"country":"France"}' }]);
      expect(harness.readLastCall()).toMatchObject({ path: '/v1/responses', json: { model: 'gpt-4o', stream: true } });
      note(called, GPT_4O);

      harness.playCapture(cassette, 1);
      const [call] = called.output;
      const output = {
        type: 'function_call_output' as const,
        call_id: call?.type === 'function_call' ? call.call_id : '',
        output: 'Paris',
      };
      const second = await collect({ ...body, input: [...called.output, output] as OpenAI.Responses.ResponseInput });
      const reported = second.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');

      expect(reported).toBe('The capital of France is Paris.');
      expect((harness.readLastCall().json['input'] as unknown[])[1]).toEqual(output);
      note(lastResponse(second), GPT_4O);
    });

    it('passes a refusal through', async () => {
      harness.playCapture('agentgateway+agentgateway/responses/res-stream-refusal.json');
      const events = await collect({ model: 'openai-responses/gpt-4.1-mini', input: 'Do harm.' });

      expect(events.map((event) => (event.type === 'response.refusal.delta' ? event.delta : '')).join('')).toBe('I cannot help with that.');
      note(lastResponse(events), GPT_4_1_MINI);
    });

    it('passes a whole reply through, as the provider wrote it', async () => {
      harness.playCapture('vercel+ai/openai/responses--openai-reasoning-encrypted-content.1.json');
      const reply = await client.responses.create({
        model: 'openai-responses/gpt-5-nano',
        input: 'Think.',
        store: false,
        include: ['reasoning.encrypted_content'],
      });
      const reasoning = reply.output.find((item) => item.type === 'reasoning');

      expect(reasoning?.encrypted_content?.length).toBeGreaterThan(100);
      expect(usdText((reply.usage as { cost?: number } | undefined)?.cost)).toMatch(/^0\.0\d+$/);
      costs.push(usdText((reply.usage as { cost?: number } | undefined)?.cost));
    });
  });

  it('finds the same costs in the rollups, to the last digit', async () => {
    const day = await waitForRequests(harness, costs.length);

    expect(costs.length).toBeGreaterThan(10);
    expect(day.completions_requests).toBe(costs.length);
    expect(day.spend).toBe(addUsd(costs));
  });

  it('meets refusals and broken streams as its own errors', async () => {
    const ask = (input: string, model = 'sandbox/chat') => client.responses.create({ model, input });

    await expect(ask('x', 'no-one/nothing')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(ask('!status 429')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('!status 500')).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(client.responses.create({ model: 'sandbox/chat', input: 7 as unknown as string })).rejects.toMatchObject({
      status: 400,
      error: { origin: 'router', param: 'input' },
    });
    const broken = await collect({ model: 'sandbox/chat', input: '!tokens 20 !cut 4' });
    expect(broken.some((event) => event.type === 'response.output_text.delta')).toBe(true);
    expect(broken.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } });
  });
}
