import Anthropic from '@anthropic-ai/sdk';
import { encodeSseFrame, startFakeUpstream, type FakeUpstream } from '@weir/testing';
import OpenAI from 'openai';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { ANTHROPIC, createRoutes, createRule, explainReply, OPENAI } from '../harness/create-routes';
import { BEGUN, FAILED, scriptOutages, type Outages } from '../harness/script-outages';
import { startStandalone, type Harness } from '../harness/start-standalone';

const MESSAGES = [{ role: 'user' as const, content: 'Hello there' }];
const DIALECTS = [
  ['/v1/chat/completions', { max_tokens: 50, messages: MESSAGES, stream: true, stream_options: { include_usage: true } }],
  ['/v1/responses', { max_output_tokens: 50, input: 'Hello there', stream: true }],
  ['/v1/messages', { max_tokens: 50, messages: MESSAGES, stream: true }],
] as const;

const TEXT_BEGUN = encodeSseFrame(
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  'content_block_start',
);

describe('a provider that begins its reply and does not go on', () => {
  let upstream: FakeUpstream;
  let outages: Outages;
  let harness: Harness;
  let call: CallHarness;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    outages = scriptOutages(upstream);
    harness = await startStandalone({ env: { ...pointAt(upstream), STREAM_HEARTBEAT_MS: '200', REQUEST_TIMEOUT_MS: '20000' } });
    call = createCallHarness(harness);
    const quick = { name: 'quick', strategy: 'fallback', models: [ANTHROPIC, OPENAI], first_content_ms: 600, idle_ms: 900 };
    await createRule(call, '/v1/manage/policy', quick);
    await createRule(call, '/v1/manage/policy', { ...quick, name: 'responses-first', models: ['openai-responses/gpt-5', OPENAI] });
    await createRoutes(call);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  /** So that a provider which was made to fail is not thought to be down. */
  const recover = async (): Promise<void> => {
    for (const model of [ANTHROPIC, ANTHROPIC, ANTHROPIC, OPENAI])
      expect((await call('POST /v1/chat/completions', { model, max_tokens: 50, messages: MESSAGES })).status).toBe(200);
  };
  const attemptsOf = async (reply: HarnessReply) => ((await explainReply(call, reply)) as { attempts: object[] }).attempts;

  it.each(DIALECTS)('%s: is given up when it has no content in time, while comments keep the caller waiting', async (path, body) => {
    await recover();
    for (const script of [{ stream: [BEGUN], hang: true }, { hang: true }]) {
      outages.next('/messages', script);
      const reply = await call(`POST ${path}`, { ...body, model: 'policy/quick' });
      expect(reply.status).toBe(200);
      if ('stream' in script) {
        expect([reply.text.slice(0, 8), reply.headers['x-weir-model']]).toEqual([': ping\n\n', undefined]);
        expect(reply.text).toContain(`: x-weir-model: ${OPENAI}\n: x-weir-provider: openai\n: x-weir-attempts: 2\n\n`);
      } else expect([reply.headers['x-weir-model'], reply.headers['x-weir-attempts']]).toEqual([OPENAI, '2']);
      expect([reply.text.includes('echo'), reply.text.includes('msg_1')]).toEqual([true, false]);
      const [first, second] = await attemptsOf(reply);
      expect(first).toMatchObject({
        why_left: 'provider_timeout',
        cost: '0',
        uncharged: 'stream' in script ? { tokens: { input: 300 } } : null,
      });
      expect(second).toMatchObject({ model: OPENAI, why_left: null });
    }
  });

  it.each(DIALECTS)('%s: is followed where its response fails as it begins', async (path, body) => {
    const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5', output: [], usage: null };
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } },
      { type: 'response.in_progress', sequence_number: 1, response: { ...response, status: 'in_progress' } },
      {
        ...{ type: 'response.failed', sequence_number: 2 },
        response: { ...response, status: 'failed', error: { code: 'server_error', message: 'broken' } },
      },
    ];
    outages.next('/responses', { stream: events.map((event) => encodeSseFrame(event, event.type)), gapMs: 20 });
    const reply = await call(`POST ${path}`, { ...body, model: 'policy/responses-first' });
    expect([reply.status, reply.headers['x-weir-attempts'], reply.headers['x-weir-model']]).toEqual([200, '2', OPENAI]);
    expect([reply.text.includes('echo'), reply.text.includes('resp_1')]).toEqual([true, false]);
  });

  it.each(DIALECTS)('%s: is passed on, and not asked for elsewhere, when its content and its failure come at once', async (path, body) => {
    await recover();
    const data = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half a word' } };
    for (const model of ['policy/quick', ANTHROPIC]) {
      outages.next('/messages', { stream: [BEGUN + TEXT_BEGUN + encodeSseFrame(data, data.type) + FAILED] });
      const reply = await call(`POST ${path}`, { ...body, model });
      expect([reply.status, reply.text.includes('half a word'), reply.text.includes('echo')]).toEqual([200, true, false]);
      expect(reply.text).toMatch(/"type":"(overloaded_error|error|response\.failed)"|provider_overloaded/);
      expect(await attemptsOf(reply)).toHaveLength(1);
      await recover();
    }
  });

  it('is a status that SDKs retry where it opens with an error, and is read by them where comments came first', async () => {
    await recover();
    outages.next('/messages', { stream: [FAILED] });
    const refused = await call('POST /v1/messages', { model: ANTHROPIC, max_tokens: 50, messages: MESSAGES, stream: true });
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-should-retry']]).toEqual([503, '1', 'true']);
    expect(await attemptsOf(refused)).toMatchObject([{ why_left: 'provider_overloaded', cost: '0' }]);

    const anthropic = new Anthropic({ baseURL: harness.url, apiKey: harness.apiKey });
    const say = (model: string) => anthropic.messages.stream({ model, max_tokens: 50, messages: MESSAGES }).finalMessage();
    outages.next('/messages', { stream: [FAILED] });
    expect(JSON.stringify((await say(ANTHROPIC)).content)).toContain('echo');

    await recover();
    const openai = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey });
    for (const read of [
      () => say('policy/quick'),
      () => openai.responses.stream({ model: 'policy/quick', input: 'Hello there' }).finalResponse(),
      () => openai.chat.completions.stream({ model: 'policy/quick', max_tokens: 50, messages: MESSAGES }).finalMessage(),
    ]) {
      outages.next('/messages', { stream: [BEGUN], hang: true });
      expect(JSON.stringify(await read())).toContain('echo');
      await recover();
    }
  });
});
