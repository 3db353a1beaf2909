import Anthropic from '@anthropic-ai/sdk';
import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import OpenAI from 'openai';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { ANTHROPIC, createRoutes, explainReply, OPENAI } from '../harness/create-routes';
import { startStandalone, type Harness } from '../harness/start-standalone';

const HELLO = [{ role: 'user', content: 'Hello there' }];

describe('names of models', () => {
  let upstream: FakeUpstream;
  let harness: Harness;
  let call: CallHarness;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    harness = await startStandalone({ env: pointAt(upstream) });
    call = createCallHarness(harness);
    await createRoutes(call);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const ask = (model: string, more: object = {}, headers: Record<string, string> = {}): Promise<HarnessReply> =>
    call('POST /v1/chat/completions', { model, max_tokens: 50, messages: HELLO, ...more }, headers);
  const explain = (reply: HarnessReply): Promise<unknown> => explainReply(call, reply);
  const keyWith = async (chat: string[]): Promise<Record<string, string>> => {
    const list = await call('POST /v1/manage/access-list', { name: `of ${chat.join()}`, chat });
    const made = await call('POST /v1/manage/apikey', { name: chat.join(), permissions: { completions: 'write' } });
    await call(`POST /v1/manage/apikey/${String(made.json['api_key_id'])}/access-list`, { access_list_id: list.json['id'] });
    return { authorization: `Bearer ${String(made.json['api_key'])}` };
  };

  it.each([
    ['/v1/chat/completions', 'gpt-4o-mini', OPENAI, undefined],
    ['/v1/messages', 'claude-sonnet-4-5-20250929', `${ANTHROPIC}-20250929`, undefined],
    ['/v1/messages', 'claude-sonnet-4-5[1m]', ANTHROPIC, 'context-1m-2025-08-07'],
  ])("takes a vendor's own name at %s: %s", async (path, model, id, beta) => {
    const before = upstream.requests.length;
    const reply = await call(`POST ${path}`, { model, max_tokens: 50, messages: HELLO });

    expect([reply.status, reply.headers['x-weir-model']]).toEqual([200, id]);
    expect(await explain(reply)).toMatchObject({ model_requested: id, model: id });
    expect(upstream.requests[before]?.headers['anthropic-beta']).toBe(beta);
    expect((JSON.parse(String(upstream.requests[before]?.body)) as { model: string }).model).toBe(id.split('/')[1]);
  });

  it('refuses an unknown name with near ones, and a model whose provider is not set up with its setting', async () => {
    expect((await ask('gpt-4o-mni')).text).toContain('Did you mean \\"openai/gpt-4o-mini\\"');
    expect(await ask('grok-4.3-none')).toMatchObject({ status: 404 });
    const missing = await ask('groq/openai/gpt-oss-20b');
    expect([missing.status, missing.text.includes('GROQ_API_KEY is not set')]).toEqual([404, true]);
  });

  it('lets a key use what the policies and aliases of its access list lead to, by their names alone', async () => {
    const key = await keyWith(['policy/main', 'mini']);
    await callUntil(
      () => ask('policy/main', {}, key),
      ({ status }) => status === 200,
    );
    expect((await ask('mini', {}, key)).headers['x-weir-model']).toBe(OPENAI);
    expect((await ask(OPENAI, {}, key)).status).toBe(403);
    expect((await ask('gpt-4o-mini', {}, key)).status).toBe(403);
    const listed = (await call('GET /v1/models', undefined, key)).json['data'] as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(['best', 'mini', 'policy/main', 'policy/outer']);
  });

  it('shows its lists to official clients of both shapes, page by page, and to keys that may not infer', async () => {
    const anthropic = new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey, maxRetries: 0 });
    const openai = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
    const walked: string[] = [];
    for await (const { id } of anthropic.models.list({ limit: 5 })) walked.push(id);
    const listed: string[] = [];
    for await (const { id } of openai.models.list()) listed.push(id);
    const made = await call('POST /v1/manage/apikey', { name: 'looks only', permissions: { completions: 'none' } });
    const looksOnly = { authorization: `Bearer ${String(made.json['api_key'])}` };

    expect([...walked].sort()).toEqual([...listed].sort());
    expect(walked).toContain(ANTHROPIC);
    expect((await anthropic.models.retrieve('claude-sonnet-4-5')).id).toBe(ANTHROPIC);
    expect((await openai.models.retrieve(OPENAI)).id).toBe(OPENAI);
    await expect(anthropic.models.retrieve('claude-none')).rejects.toMatchObject({ status: 404, error: { type: 'error' } });
    expect((await call('GET /v1/models', undefined, looksOnly)).status).toBe(200);
    const strangers = (await call('GET /v1/models/all', undefined, { authorization: '' })).json['data'] as { id: string }[];
    expect(strangers.some(({ id }) => id.startsWith('groq/'))).toBe(false);
  });
});
