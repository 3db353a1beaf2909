import type { RemoteKind } from '@weir/canonical';
import { buildTarget } from '../__fixtures__/build-target';
import { needsFetching } from './fetched-addresses';
import { createProviderDirectory } from '../directory/provider-directory';

const directory = createProviderDirectory({
  env: (name) => (/_(BASE_URL|ENDPOINT)$/.test(name) ? 'http://upstream.test' : /_(API_KEY|PROJECT)$/.test(name) ? 'a-value' : undefined),
  transport: () => Promise.reject(new Error('nothing is sent here')),
});

function isFetchedByUs(provider: string, model: string, media: { kind: RemoteKind; url: string }): boolean {
  const fetched = directory.find(provider)?.fetchedAddresses?.(buildTarget(model));
  return fetched !== undefined && needsFetching({ kind: media.kind, source: { kind: 'url', url: media.url } }, fetched);
}

it.each<[string, string, RemoteKind, string, boolean]>([
  ['bedrock', 'amazon.nova-pro-v1:0', 'image', 'https://x.org/a.png', true],
  ['bedrock', 'amazon.nova-pro-v1:0', 'video', 's3://bucket/a.mp4', false],
  ['google', 'gemini-3-pro', 'image', 'https://x.org/a.png', true],
  ['google', 'gemini-3-pro', 'document', 'https://generativelanguage.googleapis.com/v1beta/files/a', false],
  ['google', 'gemini-3-pro', 'video', 'https://youtu.be/a', false],
  ['google', 'gemini-3-pro', 'video', 'https://youtu.be.evil.example/a', true],
  ['vertex', 'gemini-3-pro', 'image', 'https://x.org/a', true],
  ['vertex', 'gemini-3-pro', 'document', 'https://x.org/a.pdf', false],
  ['vertex', 'gemini-3-pro', 'document', 'gs://bucket/a.pdf', false],
  ['vertex', 'claude-sonnet-4-5', 'image', 'https://x.org/a.png', true],
  ['vertex', 'meta/llama', 'image', 'https://x.org/a.png', false],
  ['anthropic', 'claude-sonnet-4-5', 'image', 'https://x.org/a.png', false],
  ['anthropic', 'claude-sonnet-4-5', 'image', 'HTTP://x.org/a.png', true],
  ['azure', 'gpt-4o', 'document', 'https://x.org/a.pdf', true],
  ['azure-ai', 'claude-sonnet-4-5', 'document', 'https://x.org/a.pdf', false],
  ['openai', 'gpt-4o', 'document', 'https://x.org/a.pdf', true],
  ['openai', 'gpt-4o', 'image', 'https://x.org/a.png', false],
  ['openai-responses', 'gpt-4o', 'document', 'https://x.org/a.pdf', false],
  ['ollama', 'llava', 'image', 'https://x.org/a.png', true],
  ['moonshot', 'kimi', 'image', 'https://x.org/a.png', true],
  ['mistral', 'pixtral', 'document', 'https://x.org/a.pdf', false],
  ['cohere', 'command-a-vision', 'image', 'https://x.org/a.png', false],
])('%s (%s), %s at %s: fetched by us %s', (provider, model, kind, url, isOurs) => {
  expect(isFetchedByUs(provider, model, { kind, url })).toBe(isOurs);
});
