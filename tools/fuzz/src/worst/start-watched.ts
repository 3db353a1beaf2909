import { createThingMaker, startStandalone } from '@weir/gateway-e2e';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBlock, watchBlocksBy } from './read-block';

export type Watched = {
  readonly url: string;
  readonly keys: { readonly plain: string; readonly guarded: string; readonly administrator: string };
  /** A text with ids of new things in place of those of examples. */
  readonly fill: (text: string) => Promise<string>;
  /** See readBlock. */
  readonly readBlock: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

const COMPLETION = {
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const MESSAGE = {
  ...{ id: 'm1', type: 'message', role: 'assistant', model: 'claude-haiku-4-5', content: [{ type: 'text', text: 'ok' }] },
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
};
const RESPONSE = {
  ...{ id: 'r1', object: 'response', created_at: 1, model: 'gpt-4o-mini', status: 'completed' },
  output: [
    { type: 'message', id: 'o1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'ok', annotations: [] }] },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

/** Starts a gateway whose event loop is watched, with limits and a guardrail, in front of a provider that takes anything. */
export async function startWatched(): Promise<Watched> {
  const provider = await startProvider();
  const providerUrl = `http://127.0.0.1:${String((provider.address() as AddressInfo).port)}/v1`;
  const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
  const socket = join(folder, 'socket');
  const gateway = await startStandalone({
    env: {
      LOG_LEVEL: 'error',
      ...{ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: providerUrl, ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: providerUrl },
      ...watchBlocksBy(socket),
    },
  });
  const manage = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const reply = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as Record<string, string>;
  };
  const plain = await manage('/v1/manage/apikey', { name: 'plain', monthly_limit: 1_000_000 });
  const guarded = await manage('/v1/manage/apikey', { name: 'guarded', monthly_limit: 1_000_000 });
  const detectors = ['email', 'phone', 'card', 'iban', 'secret'];
  const guardrail = { name: 'all', detectors, action: 'mask', stage: 'both', on_error: 'closed', api_key_id: guarded['api_key_id'] };
  await manage('/v1/manage/guardrail', guardrail);
  let made = 0;
  const things = createThingMaker(gateway, () => (made += 1));
  return {
    url: gateway.url,
    keys: { plain: plain['api_key'] ?? '', guarded: guarded['api_key'] ?? '', administrator: gateway.apiKey },
    fill: things.fill,
    readBlock: () => readBlock(socket),
    stop: async () => {
      await gateway.process.terminate();
      provider.closeAllConnections();
      provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startProvider(): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = request.url?.endsWith('/messages') ? MESSAGE : request.url?.endsWith('/responses') ? RESPONSE : COMPLETION;
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
