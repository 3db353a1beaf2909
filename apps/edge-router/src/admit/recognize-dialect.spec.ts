import { recognizeDialect } from './recognize-dialect';

const messages = [{ role: 'user', content: 'hello' }];
const sdkHeaders = { 'user-agent': 'OpenAI/JS 6.0', 'x-stainless-package-version': '6.0', 'x-stainless-runtime-version': 'v22' };

it.each([
  ['chat-completions', { messages }, {}],
  ['chat-completions', { messages }, sdkHeaders],
  ['responses', { input: 'hello' }, sdkHeaders],
  ['messages', { messages, system: 'be brief' }, {}],
  ['messages', { messages }, { ...sdkHeaders, 'acme-version': '2023-06-01' }],
])('a body is %s: %j with headers %j', (endpointId, body, headers) => {
  expect(recognizeDialect(body, headers).id).toBe(endpointId);
});
