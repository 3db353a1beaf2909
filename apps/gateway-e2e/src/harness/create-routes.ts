import { callUntil, type CallHarness, type HarnessReply } from './call-harness';

export const OPENAI = 'openai/gpt-4o-mini';
export const ANTHROPIC = 'anthropic/claude-sonnet-4-5';

/** Creates one rule of the organization by its management path. */
export async function createRule(call: CallHarness, path: string, body: object): Promise<void> {
  const { status, text } = await call(`POST ${path}`, body);
  if (status !== 201) throw new Error(`POST ${path} was refused with ${status}: ${text}`);
}

/** The organization's policies `main` and `outer` and its aliases `best` and `mini`. Resolves when requests can use them. */
export async function createRoutes(call: CallHarness): Promise<void> {
  await createRule(call, '/v1/manage/policy', { name: 'main', strategy: 'fallback', models: [ANTHROPIC, OPENAI] });
  await createRule(call, '/v1/manage/policy', { name: 'outer', strategy: 'price', models: ['policy/main', 'sandbox/chat'] });
  await createRule(call, '/v1/manage/alias', { name: 'best', model: 'policy/main' });
  await createRule(call, '/v1/manage/alias', { name: 'mini', model: OPENAI });
  const messages = [{ role: 'user', content: 'Hello there' }];
  await callUntil(
    () => call('POST /v1/chat/completions', { model: 'mini', max_tokens: 50, messages }),
    ({ status }) => status === 200,
  );
}

/** `GET /v1/generation/{request_id}` of a reply, once its usage is counted. */
export async function explainReply(call: CallHarness, { headers }: HarnessReply): Promise<unknown> {
  const page = await callUntil(
    () => call(`GET /v1/generation/${headers['x-request-id'] ?? ''}`),
    ({ status }) => status === 200,
  );
  return page.json['generation'];
}
