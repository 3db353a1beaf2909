import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { chatUsageOf, createProviderDirectory, type ExpressLane } from '@weir/providers';
import { readUnstreamed } from './read-unstreamed';

const provider = { readError: (status: number) => new GatewayError(status === 429 ? 'provider_rate_limited' : 'provider_failed', 'm') };
const directory = createProviderDirectory({
  env: (name) => (name.endsWith('_API_KEY') ? 'a-key' : undefined),
  transport: () => Promise.reject(new Error('nothing is sent here')),
});
const SPEAKER: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': 'openai',
  messages: 'anthropic',
  responses: 'openai-responses',
};

const read = (text: string, dialect: ChatDialect = 'chat-completions'): GatewayError =>
  readUnstreamed({ provider, express: directory.find(SPEAKER[dialect])?.express as ExpressLane }, text);

it.each([
  ['{"error":{"message":"m","code":"rate_limit_exceeded"}}', 'provider_rate_limited'],
  ['{"type":"error","error":{"type":"api_error","message":"m"}}', 'provider_failed'],
  ['{"choices":[]}', 'provider_unreadable'],
  ['{"cut', 'provider_unreadable'],
])('%s is %s', (text, code) => {
  const failure = read(text);
  expect([failure.code, chatUsageOf(failure)]).toEqual([code, null]);
});

it.each<[ChatDialect, object]>([
  ['chat-completions', { usage: { prompt_tokens: 3, completion_tokens: 4 } }],
  ['messages', { usage: { input_tokens: 3, output_tokens: 4 } }],
  ['responses', { usage: { input_tokens: 3, output_tokens: 4 }, output: [{ type: 'web_search_call', status: 'completed' }] }],
])('%s: the usage beside it is known', (dialect, reported) => {
  const failure = read(JSON.stringify({ error: { message: 'm', code: 429 }, ...reported }), dialect);
  expect(failure.code).toBe('provider_rate_limited');
  expect(chatUsageOf(failure)).toMatchObject({ inputUncached: 3, output: 4, searches: dialect === 'responses' ? 1 : 0 });
  if (dialect === 'messages') return;
  const dear = read(JSON.stringify({ error: { message: 'm' }, service_tier: 'priority', ...reported }), dialect);
  expect([chatUsageOf(failure)?.source, chatUsageOf(dear)?.source]).toEqual(['provider', 'estimate']);
});
