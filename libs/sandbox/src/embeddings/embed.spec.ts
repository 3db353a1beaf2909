import { readLimited } from '@weir/upstream-http';
import { createSandboxTransport } from '../create-sandbox-transport';

type Reply = { data: { index: number; embedding: number[] | string }[]; usage?: { prompt_tokens: number; total_tokens: number } };

const transport = createSandboxTransport(() => undefined);
const embed = async (body: object): Promise<{ status: number; reply: Reply }> => {
  const { status, body: stream } = await transport({
    method: 'POST',
    url: 'http://sandbox.invalid/v1/embeddings',
    headers: {},
    body: JSON.stringify({ model: 'embedding', ...body }),
    signal: new AbortController().signal,
    headersTimeoutMs: 1_000,
    idleTimeoutMs: 1_000,
  });
  return { status, reply: JSON.parse((await readLimited(stream, 2 ** 24)).toString('utf8')) as Reply };
};

describe('embeddings of the sandbox', () => {
  it('are unit vectors of 1536 numbers, the same for the same text and different for another', async () => {
    const { reply } = await embed({ input: ['one two', 'three', 'one two'] });
    const [first, second, third] = reply.data.map(({ embedding }) => embedding as number[]);

    expect(reply.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(first).toHaveLength(1536);
    expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
    expect(first).toEqual(third);
    expect(first).not.toEqual(second);
    expect(reply.usage).toEqual({ prompt_tokens: 5, total_tokens: 5 });
  });

  it('are as long as asked, and the same numbers as base64', async () => {
    const numbers = (await embed({ input: 'hello', dimensions: 8 })).reply.data[0]?.embedding as number[];
    const packed = (await embed({ input: 'hello', dimensions: 8, encoding_format: 'base64' })).reply.data[0]?.embedding as string;
    const bytes = Buffer.from(packed, 'base64');

    expect(bytes).toHaveLength(32);
    expect(numbers.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(numbers.map(Math.fround));
  });

  it('count tokens that are given as such', async () => {
    expect((await embed({ input: [1, 2, 3] })).reply).toMatchObject({ data: [{ index: 0 }], usage: { prompt_tokens: 3 } });
    expect((await embed({ input: [[1, 2, 3], [4]] })).reply).toMatchObject({ data: [{}, {}], usage: { prompt_tokens: 4 } });
  });

  it('take directives in their first text', async () => {
    expect((await embed({ input: '!status 503 x' })).status).toBe(503);
    expect((await embed({ input: '!no-usage x' })).reply.usage).toBeUndefined();
  });

  it.each([
    ['no input', {}, 400],
    ['a vector that is too long', { input: 'x', dimensions: 4097 }, 400],
    ['a chat model', { input: 'x', model: 'chat' }, 404],
  ])('are refused for %s', async (_what, body, status) => {
    expect((await embed(body)).status).toBe(status);
  });
});
