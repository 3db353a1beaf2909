import { createBuiltInCatalog } from '@weir/model-catalog';
import { recognizeDialect, recognizeEndpoint } from './recognize-dialect';

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

it.each([
  ['image-generations', { model: 'sandbox/image', prompt: 'a kite' }],
  ['image-edits', { model: 'sandbox/image', prompt: 'a kite', images: [] }],
  ['speech', { model: 'sandbox/speech', input: 'hello' }],
  ['transcriptions', { model: 'sandbox/transcription' }],
  ['embeddings', { model: 'sandbox/embedding', input: 'hello' }],
  ['responses', { model: 'sandbox/chat', input: 'hello' }],
  ['chat-completions', { model: 'unknown/nothing', messages }],
  ['chat-completions', { model: 5, messages }],
])('a body is meant for %s by its model: %j', (endpointId, body) => {
  expect(recognizeEndpoint(body, {}, createBuiltInCatalog()).id).toBe(endpointId);
});
