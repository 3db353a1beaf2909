import { createProviderDirectory } from './directory/provider-directory';

const KEYS: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  FIREWORKS_API_KEY: 'k',
  GROQ_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  AWS_ACCESS_KEY_ID: 'k',
  AWS_SECRET_ACCESS_KEY: 'k',
  AWS_REGION: 'us-east-1',
};

describe('whether a provider stops billing when its caller leaves', () => {
  const directory = createProviderDirectory({ env: (name) => KEYS[name], transport: () => Promise.reject(new Error('not called')) });

  it.each([
    ['openai', 'abort'],
    ['openai-responses', 'abort'],
    ['anthropic', 'abort'],
    ['fireworks', 'abort'],
    ['groq', 'drain'],
    ['google', 'drain'],
    ['bedrock', 'drain'],
  ] as const)('%s: %s', (id, onCancel) => {
    expect(directory.find(id)?.onCancel).toBe(onCancel);
  });
});
