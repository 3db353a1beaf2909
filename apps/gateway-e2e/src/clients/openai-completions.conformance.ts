import OpenAI from 'openai';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';

type Priced = OpenAI.CompletionUsage & { cost?: number };
const SANDBOX = { input: '1', output: '4' };
const model = 'sandbox/chat';

export function describeOpenaiCompletions(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;
  const costs: string[] = [];

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.stop());

  const note = (usage: OpenAI.CompletionUsage | undefined): void => {
    const { prompt_tokens: input, completion_tokens: output, cost } = usage as Priced;
    const expected = priceByHand([
      [input, SANDBOX.input],
      [output, SANDBOX.output],
    ]);
    expect(usdText(cost)).toBe(expected);
    costs.push(expected);
  };

  it('returns a whole text completion with its exact cost', async () => {
    const { data, response } = await client.completions.create({ model, prompt: 'Hello, Weir!', max_tokens: 64 }).withResponse();

    expect(data).toMatchObject({ object: 'text_completion', model, choices: [{ index: 0, logprobs: null, finish_reason: 'stop' }] });
    expect(data.id).toMatch(/^cmpl-/);
    expect(data.choices[0]?.text).toContain('Hello, Weir!');
    expect(response.headers.get('x-weir-cost')).toBe(usdText((data.usage as Priced).cost));
    note(data.usage);
  });

  it('streams the same text, with usage for those who ask', async () => {
    const stream_options = { include_usage: true };
    const stream = await client.completions.create({ model, prompt: ['one two three'], max_tokens: 64, stream: true, stream_options });
    let text = '';
    const finishes: unknown[] = [];
    const usages: OpenAI.CompletionUsage[] = [];
    for await (const chunk of stream) {
      expect(chunk.object).toBe('text_completion');
      text += chunk.choices[0]?.text ?? '';
      finishes.push(...chunk.choices.map((choice) => choice.finish_reason).filter((reason) => reason !== null));
      if (chunk.usage !== undefined) usages.push(chunk.usage);
    }
    expect([text.includes('one two three'), finishes, usages.length]).toEqual([true, ['stop'], 1]);
    note(usages[0]);
  });

  it('ends after 16 tokens where no limit is given, and makes as many choices as asked', async () => {
    const { choices, usage } = await client.completions.create({ model, prompt: 'word '.repeat(100), n: 2 });

    expect(choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'length'],
      [1, 'length'],
    ]);
    expect(usage?.completion_tokens).toBe(32);
    note(usage);
  });

  it('reaches a provider as a chat completion, and returns its reply as text', async () => {
    harness.upstream.reply({
      body: {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
        choices: [{ index: 0, message: { role: 'assistant', content: ' END' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
      },
    });
    const { choices, usage } = await client.completions.create({
      model: 'openai/gpt-4o-mini',
      prompt: 'Begin',
      stop: '!',
      logit_bias: { 5: 1 },
    });

    expect(choices).toEqual([{ text: ' END', index: 0, logprobs: null, finish_reason: 'length' }]);
    const { path, json } = harness.readLastCall();
    expect([path, json['messages'], json['prompt']]).toEqual(['/v1/chat/completions', [{ role: 'user', content: 'Begin' }], undefined]);
    expect(json).toMatchObject({ stop: ['!'], logit_bias: { 5: 1 } });
    expect(json['max_completion_tokens'] ?? json['max_tokens']).toBe(16);
    costs.push(usdText((usage as Priced).cost));
  });

  it.each<[string, object]>([
    ['suffix', { suffix: 'end' }],
    ['echo', { echo: true }],
    ['logprobs', { logprobs: 0 }],
    ['best_of', { best_of: 2 }],
    ['prompt', { prompt: [1, 2] }],
    ['prompt', { prompt: [[1], [2]] }],
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: null }],
    ['messages', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['n', { n: 0 }],
    ['max_tokens', { max_tokens: 0 }],
  ])('refuses what a chat model cannot do, by name: %s in %j', async (param, more) => {
    const asked = client.completions.create({ model, prompt: 'Hello', ...more });
    await expect(asked).rejects.toMatchObject({ status: 400, param, type: 'invalid_request_error' });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  it('adds up in usage to what the replies said', async () => {
    const entry = await waitForRequests(harness, costs.length);
    expect(entry.total_requests).toBe(costs.length);
    expect(entry.spend).toBe(addUsd(costs));
  });
}
