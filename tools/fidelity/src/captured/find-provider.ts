import type { Capture } from '@weir/testing';
import type { Family } from './chat-capture';

/** Hosts of recorded addresses, and folders of files without one, by the ids under which the gateway knows their owners. */
const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/\.openai\.azure\.com|cognitiveservices\.azure|\/azure\/|azure-model-router/, 'azure'],
  [/api\.openai\.com|demo-endpoints/, 'openai'],
  [/bedrock-runtime|\/amazon-bedrock\/|agentgateway\/bedrock\//, 'bedrock'],
  [/api\.anthropic\.com|\/anthropic\//, 'anthropic'],
  [/aiplatform\.googleapis|\/vertexai\/|\/vertex\/|vertex-gemini|google-vertex/, 'vertex'],
  [/generativelanguage|\/googleai\/|vercel\+ai\/google\//, 'google'],
  [/api\.cohere\.com|\/cohere\//, 'cohere'],
  [/api\.mistral\.ai|\/mistral\//, 'mistral'],
  [/api\.groq\.com|\/groq\//, 'groq'],
  [/api\.deepseek\.com|\/deepseek\//, 'deepseek'],
  [/api\.x\.ai|\/xai\/|chat--xai/, 'xai'],
  [/perplexity/, 'perplexity'],
  [/openrouter/, 'openrouter'],
  [/api\.cerebras\.ai/, 'cerebras'],
  [/\/moonshotai\//, 'moonshot'],
  [/\/alibaba\//, 'alibaba'],
  [/api\.z\.ai/, 'zai'],
  [/ollama\.com/, 'ollama'],
  [/huggingface\.co\/nebius/, 'nebius'],
  [/huggingface\.co\/together/, 'together'],
  // Servers the gateway has no entry for are reached as any compatible server is.
  [/snowflake|crusoe|localhost:8000|res-gemini_|lmstudio/, 'vllm'],
];

/** The provider that served a capture. A capture of the Responses API is read as that API, for any provider. */
export function findProvider(name: string, capture: Capture, family: Family): string {
  const address = capture.request?.url || name;
  const owner = OWNERS.find(([pattern]) => pattern.test(address))?.[1] ?? 'openai';
  return family === 'responses' ? 'openai-responses' : owner;
}
