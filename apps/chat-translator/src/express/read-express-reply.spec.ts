import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { measurePrompt } from '@weir/limits';
import { Readable } from 'node:stream';
import type { ChatSession } from '../session/chat-session';
import type { ExpressExchange } from '../exchange/open-exchange';
import { readExpressReply } from './read-express-reply';

const failureOf = (status: number, text: string) => new GatewayError(status === 529 ? 'provider_overloaded' : 'provider_failed', text);

type Sent = { readonly usages: Usage[]; readonly headers: Record<string, unknown>; readonly text: string };

async function send(dialect: ChatDialect, reply: string, usages: Usage[] = []): Promise<Sent> {
  const headers: Record<string, unknown> = {};
  let text = '';
  const response = {
    setHeader: (name: string, value: unknown) => void (headers[name] = value),
    end: (bytes: Buffer) => void (text = bytes.toString('utf8')),
  };
  const attempt = {
    noteFirstByte: () => undefined,
    progress: () => undefined,
    close: ({ usage }: { usage: Usage }) => {
      usages.push(usage);
      return { costPico: 10_000_000_000n, costUsd: '0.01' };
    },
  };
  const readUsage = (reported: { output_tokens?: number }, tier?: unknown): Usage => ({
    ...NO_USAGE,
    output: reported.output_tokens ?? 0,
    ...(tier === 'flex' ? { source: 'estimate' } : {}),
  });
  const exchange = {
    lane: {
      express: { readUsage },
      provider: { id: 'p', readError: (status: number, _headers: object, text: string) => failureOf(status, text) },
      target: { attempt: { modelId: 'p/m' } },
    },
    upstream: { body: Readable.from([Buffer.from(reply)]) },
    attempt,
    place: { number: 1, endsWith: () => true, attempt: { prices: { kind: 'chat', search: '0.01' } } },
    charges: { chargesFailures: false, earlierPico: 0n },
    estimatePrompt: () => 5,
    most: {
      prompt: () => measurePrompt({}, 100),
      asked: () => ({ tokens: null, choices: 1 }),
      model: { contextWindow: null, maxOutputTokens: null, isReasoning: false, isSearching: true },
    },
  };
  const finish = await readExpressReply(
    {
      dialect,
      response,
      signal: new AbortController().signal,
      forwarded: { passport: { requestId: 'r' }, notes: {} },
    } as unknown as ChatSession,
    exchange as unknown as ExpressExchange,
    { whenDurable: () => null, failPoint: () => undefined },
  );
  await finish();
  return { usages, headers, text };
}

describe('readExpressReply', () => {
  it('sends the provider’s own bytes with the cost in its usage', async () => {
    const reply = '{ "id":"r", "x": 1.0, "output":[], "usage":{"output_tokens":4} }';
    const { usages, headers, text } = await send('responses', reply);

    expect(text).toBe('{ "id":"r", "x": 1.0, "output":[], "usage":{"output_tokens":4,"cost":0.01} }');
    expect(headers).toMatchObject({ 'x-weir-cost': '0.01', 'content-length': String(text.length) });
    expect(usages).toEqual([{ ...NO_USAGE, output: 4 }]);
  });

  it('reads the usage together with the service tier that is reported beside it', async () => {
    const { usages } = await send('responses', '{"output":[],"service_tier":"flex","usage":{"output_tokens":4}}');
    expect(usages).toMatchObject([{ output: 4, source: 'estimate' }]);
  });

  it('settles with the searches a reply of the responses dialect made', async () => {
    const output = '[{"type":"web_search_call","status":"completed"},{"type":"web_search_call","status":"completed"}]';

    expect((await send('responses', `{"output":${output},"usage":{"output_tokens":4}}`)).usages).toEqual([
      { ...NO_USAGE, output: 4, searches: 2 },
    ]);
    expect((await send('messages', `{"content":[],"output":${output},"usage":{"output_tokens":4}}`)).usages).toEqual([
      { ...NO_USAGE, output: 4 },
    ]);
  });

  it('settles at nothing when the reply cannot be read', async () => {
    const usages: Usage[] = [];

    await expect(send('responses', 'not json', usages)).rejects.toMatchObject({ code: 'provider_unreadable' });
    expect(usages).toEqual([NO_USAGE]);
  });

  it.each<[ChatDialect, string, string]>([
    ['chat-completions', '{"error":{"message":"boom","code":502}}', 'provider_failed'],
    ['chat-completions', '{"error":"boom"}', 'provider_failed'],
    ['chat-completions', '{"object":"error","message":"boom","type":"x","code":3505}', 'provider_failed'],
    ['chat-completions', '{}', 'provider_unreadable'],
    ['chat-completions', '{"choices":null,"content":[],"output":[]}', 'provider_unreadable'],
    ['messages', '{"detail":"Not Found"}', 'provider_unreadable'],
    ['responses', '{"object":"response","status":"completed"}', 'provider_unreadable'],
    ['messages', '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}', 'provider_overloaded'],
    [
      'responses',
      '{"id":"r","status":"failed","error":{"code":"server_error","message":"boom"},"output":[],"usage":null}',
      'provider_failed',
    ],
  ])('takes no failure for a %s reply, and charges nothing for it: %s', async (dialect, reply, code) => {
    const usages: Usage[] = [];

    await expect(send(dialect, reply, usages)).rejects.toMatchObject({ code });
    expect(usages).toEqual([NO_USAGE]);
  });

  it('passes on a reply that says it has no error', async () => {
    expect((await send('responses', '{"status":"completed","error":null,"output":[],"usage":{"output_tokens":4}}')).text).toContain(
      '"cost":0.01',
    );
  });
});
