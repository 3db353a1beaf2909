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
import { addUsd, priceByHand, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Embedded = OpenAI.CreateEmbeddingResponse & { usage: { cost?: number } };

// USD per million tokens, as the vendors publish them.
const SANDBOX = '0.02';
const SMALL = '0.02';
/** Of the model that the captured reply names: what replies is what is priced. */
const LARGE = '0.13';
const MISTRAL = '0.1';
const GEMINI = '0.15';

describe('embeddings, by the official client', () => {
  let harness: Harness;
  let client: OpenAI;
  const costs: string[] = [];

  beforeAll(async () => {
    harness = await startStandalone();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(() => harness.process.terminate());

  const embed = async (body: Omit<OpenAI.EmbeddingCreateParams, 'model'>): Promise<Embedded> => {
    const reply = (await client.embeddings.create({ model: 'sandbox/embedding', ...body })) as Embedded;
    const cost = priceByHand([[reply.usage.prompt_tokens, SANDBOX]]);
    expect(usdText(reply.usage.cost)).toBe(cost);
    costs.push(cost);
    return reply;
  };

  it('come as numbers of the same value, whether the client asks for numbers or leaves the choice to itself', async () => {
    const plain = await embed({ input: 'The quick brown fox' });
    const numbers = await embed({ input: 'The quick brown fox', encoding_format: 'float' });

    expect(plain).toMatchObject({
      object: 'list',
      data: [{ object: 'embedding', index: 0 }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
    expect(plain.data[0]?.embedding).toHaveLength(1536);
    expect(plain.data[0]?.embedding.map(Math.fround)).toEqual(numbers.data[0]?.embedding.map(Math.fround));
  });

  it('come as base64 when the client asks for that', async () => {
    const packed = await embed({ input: 'The quick brown fox', encoding_format: 'base64', dimensions: 3 });
    const numbers = await embed({ input: 'The quick brown fox', dimensions: 3 });
    const bytes = Buffer.from(packed.data[0]?.embedding as unknown as string, 'base64');

    expect(bytes).toHaveLength(12);
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual(numbers.data[0]?.embedding.map(Math.fround));
  });

  it('of lists, of tokens and of lists of tokens', async () => {
    const list = await embed({ input: ['one', 'two words'], dimensions: 8 });
    const tokens = await embed({ input: [9906, 1917], dimensions: 8 });
    const tokenLists = await embed({ input: [[9906], [1917, 0]], dimensions: 8 });

    expect([list, tokens, tokenLists].map(({ data }) => data.map(({ index, embedding }) => [index, embedding.length]))).toEqual([
      [
        [0, 8],
        [1, 8],
      ],
      [[0, 8]],
      [
        [0, 8],
        [1, 8],
      ],
    ]);
    expect([list, tokens, tokenLists].map(({ usage }) => usage.prompt_tokens)).toEqual([3, 2, 3]);
  });

  it('report cost and provider in headers', async () => {
    const { data, response } = await client.embeddings.create({ model: 'sandbox/embedding', input: 'hello', dimensions: 2 }).withResponse();

    costs.push(priceByHand([[1, SANDBOX]]));
    expect(data.model).toBe('sandbox/embedding');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-weir-model': 'sandbox/embedding',
      'x-weir-provider': 'sandbox',
      'x-weir-attempts': '1',
      'x-weir-cost': priceByHand([[1, SANDBOX]]),
    });
  });

  it.each([
    ['empty text', { input: '' }, 'input'],
    ['empty text among others', { input: ['a', ''] }, 'input[1]'],
    ['no entries', { input: [] }, 'input'],
    ['too many entries', { input: Array<string>(2049).fill('x') }, 'input'],
    ['no dimensions', { input: 'x', dimensions: 0 }, 'dimensions'],
    ['an unknown format', { input: 'x', encoding_format: 'int8' as 'float' }, 'encoding_format'],
  ])('are refused for %s, with the field at fault', async (_what, body, field) => {
    await expect(client.embeddings.create({ model: 'sandbox/embedding', ...body })).rejects.toMatchObject({
      status: 400,
      error: { origin: 'router', code: 'invalid_request', param: field },
    });
  });

  it('are refused for chat models, and for providers without a key', async () => {
    await expect(client.embeddings.create({ model: 'sandbox/chat', input: 'x' })).rejects.toMatchObject({
      status: 404,
      error: { code: 'model_not_found' },
    });
    await expect(client.embeddings.create({ model: 'openai/text-embedding-3-small', input: 'x' })).rejects.toMatchObject({
      status: 404,
      error: { code: 'provider_not_configured' },
    });
  });

  it('are in the usage, each with the cost of its response', async () => {
    const day = await waitForRequests(harness, costs.length);

    expect(day).toMatchObject({ embedding_requests: costs.length, completions_requests: 0, output_tokens: 0, spend: addUsd(costs) });
  });
});

describeWithFixtures('captured embeddings of real providers, by the official client', () => {
  let harness: Harness;
  let upstream: FakeUpstream;
  let client: OpenAI;
  const costs: string[] = [];

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startStandalone({
      env: {
        OPENAI_API_KEY: 'upstream-key',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        MISTRAL_API_KEY: 'upstream-key',
        MISTRAL_BASE_URL: `${upstream.url}/v1`,
        GEMINI_API_KEY: 'upstream-key',
        GEMINI_BASE_URL: `${upstream.url}/v1beta`,
      },
    });
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  afterAll(async () => {
    await upstream.stop();
    await harness.process.terminate();
  });

  const capture = (path: string): Capture => {
    const [found] = listCaptures({ under: path }).flatMap((file) => loadCaptures(file));
    if (found === undefined) throw new Error(`no capture at ${path}`);
    return found;
  };
  const sent = (): Record<string, unknown> => JSON.parse(upstream.requests.at(-1)?.bodyText ?? '') as Record<string, unknown>;
  const pay = (reply: OpenAI.CreateEmbeddingResponse, tokens: number, price: string): void => {
    const cost = priceByHand([[tokens, price]]);
    expect(reply.usage.prompt_tokens).toBe(tokens);
    expect(usdText((reply as Embedded).usage.cost)).toBe(cost);
    costs.push(cost);
  };

  it('numbers, passed on as they came', async () => {
    upstream.reply(replyFromCapture(capture('envoyproxy+ai-gateway/openai/embeddings-basic.yaml')));
    const reply = await client.embeddings.create({
      model: 'openai/text-embedding-3-small',
      input: 'How do I reset my password?',
      encoding_format: 'float',
    });

    expect(reply.data[0]?.embedding.slice(0, 3)).toEqual([0.017608326, -0.045733217, 0.029819995]);
    expect(sent()).toEqual({ model: 'text-embedding-3-small', input: 'How do I reset my password?', encoding_format: 'float' });
    pay(reply, 7, SMALL);
  });

  it('base64, which the client asks for by itself and decodes', async () => {
    upstream.reply(replyFromCapture(capture('envoyproxy+ai-gateway/openai/embeddings-base64.yaml')));
    const reply = await client.embeddings.create({ model: 'openai/text-embedding-3-small', input: 'How do I reset my password?' });

    expect(reply.data[0]?.embedding).toHaveLength(1536);
    expect(reply.data[0]?.embedding[0]).toBeCloseTo(0.0176, 3);
    expect(sent()).toMatchObject({ encoding_format: 'base64' });
    pay(reply, 7, SMALL);
  });

  it('of the length asked for, with what only the gateway knows taken out', async () => {
    upstream.reply(replyFromCapture(capture('envoyproxy+ai-gateway/openai/embeddings-dimensions.yaml')));
    const body = { model: 'openai/text-embedding-3-small', input: 'Generate embeddings with specific dimensions', dimensions: 256 };
    const reply = await client.embeddings.create({ ...body, weir: { tags: ['x'] } } as OpenAI.EmbeddingCreateParams);

    expect(reply.data[0]?.embedding).toHaveLength(256);
    expect(sent()).toEqual({ ...body, model: 'text-embedding-3-small', encoding_format: 'base64' });
    pay(reply, 5, SMALL);
  });

  it('of several texts in several scripts', async () => {
    const captured = capture('envoyproxy+ai-gateway/openai/embeddings-mixed-batch.yaml');
    upstream.reply(replyFromCapture(captured));
    const { input } = captured.request?.body as { input: string[] };
    const reply = await client.embeddings.create({ model: 'openai/text-embedding-3-small', input });

    expect(reply.data.map(({ index, embedding }) => [index, embedding.length])).toEqual(input.map((_, index) => [index, 1536]));
    expect(sent()['input']).toEqual(input);
    pay(reply, reply.usage.prompt_tokens, SMALL);
  });

  it('tokens, to a provider that takes them and to one that does not', async () => {
    upstream.reply(replyFromCapture(capture('openai+openai-node/openai/embeddings-float-response.json')));
    const reply = await client.embeddings.create({ model: 'openai/text-embedding-3-large', input: [[9906]], encoding_format: 'float' });
    expect(sent()['input']).toEqual([[9906]]);
    pay(reply, 1, LARGE);

    await expect(client.embeddings.create({ model: 'mistral/mistral-embed', input: [9906] })).rejects.toMatchObject({
      status: 400,
      error: { origin: 'router', code: 'unsupported_field', param: 'input' },
    });
  });

  it('numbers of a provider that knows nothing else, packed for a client that asks for base64', async () => {
    upstream.reply(replyFromCapture(capture('traceloop+openllmetry/mistralai/test_mistral_embeddings_with_events_with_content.yaml')));
    const reply = await client.embeddings.create({
      model: 'mistral/mistral-embed',
      input: 'A joke about OpenTelemetry',
      encoding_format: 'base64',
      dimensions: 1024,
      user: 'somebody',
    });
    const packed = Buffer.from(reply.data[0]?.embedding as unknown as string, 'base64');

    expect(packed).toHaveLength(1024 * 4);
    expect(packed.readFloatLE(0)).toBe(Math.fround(-0.02264404296875));
    expect(sent()).toEqual({ model: 'mistral-embed', input: 'A joke about OpenTelemetry', output_dimension: 1024 });
    pay(reply, 10, MISTRAL);
  });

  it('of a provider with an API of its own, in several calls, without reported usage', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
    for (const count of [100, 50]) {
      upstream.reply((request) => {
        const { requests } = JSON.parse(request.bodyText) as { requests: { content: { parts: [{ text: string }] } }[] };
        expect([100, 50]).toContain(requests.length);
        return {
          body: { embeddings: requests.map(({ content }) => ({ values: [Number(content.parts[0].text.slice(5)), count * 0, 1] })) },
        };
      });
    }
    const reply = await client.embeddings.create({ model: 'google/gemini-embedding-001', input: texts, dimensions: 3 });

    expect(reply.data.map(({ index }) => index)).toEqual(texts.map((_, index) => index));
    expect(reply.data.map(({ embedding }) => embedding[0])).toEqual(texts.map((_, index) => index));
    expect(reply.model).toBe('google/gemini-embedding-001');
    expect(upstream.requests.at(-1)?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    pay(reply, reply.usage.prompt_tokens, GEMINI);
    expect(reply.usage.prompt_tokens).toBeGreaterThan(texts.length);
  });

  it('a refusal of the provider, reported as the provider’s', async () => {
    const failing = listCaptures({ under: 'envoyproxy+ai-gateway/openai/embeddings-bad-request.yaml' }).flatMap((file) =>
      loadCaptures(file),
    );
    upstream.reply({ status: 400, body: String(failing[0]?.body) });
    await expect(client.embeddings.create({ model: 'openai/text-embedding-3-small', input: 'x' })).rejects.toMatchObject({
      status: 400,
      error: { origin: 'provider', code: 'provider_refused' },
    });
  });

  it('are in the usage with the same cost, to the last digit', async () => {
    const requests = costs.length + 1; // the refusal is a request as well
    const day = await waitForRequests(harness, requests);

    expect(day).toMatchObject({ embedding_requests: requests, spend: addUsd(costs) });
    expect(upstream.unusedReplyCount()).toBe(0);
  });
});
