import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createCohere } from '@ai-sdk/cohere';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import type { ChatDialect } from '@weir/contracts';
import { generateText, streamText, type LanguageModel } from 'ai';
import type { Conversation } from '../corpus/conversation';
import { toSdkRequest, type ProviderOptions } from './to-sdk-request';

export type VendorSdk = {
  readonly name: string;
  /** The same model in the gateway’s catalogue. */
  readonly modelId: string;
  /** The dialects in which the gateway is asked for the same. */
  readonly dialects: readonly ChatDialect[];
  readonly open: (access: { apiKey: string; fetch: typeof fetch }) => LanguageModel;
  /** What the vendor calls thinking and serial calls. */
  readonly options: (conversation: Conversation) => ProviderOptions;
};

const BUDGETS = { low: 2048, medium: 8192, high: 16_384 } as const;

export const VENDOR_SDKS: readonly VendorSdk[] = [
  {
    name: '@ai-sdk/openai, chat',
    modelId: 'openai/gpt-4.1',
    dialects: ['chat-completions', 'responses', 'messages'],
    open: (access) => createOpenAI(access).chat('gpt-4.1'),
    options: ({ isSerial }) => ({ openai: { strictJsonSchema: true, ...(isSerial === true ? { parallelToolCalls: false } : {}) } }),
  },
  {
    name: '@ai-sdk/openai, responses',
    modelId: 'openai-responses/gpt-5',
    dialects: ['responses', 'chat-completions', 'messages'],
    open: (access) => createOpenAI(access).responses('gpt-5'),
    options: ({ isSerial, effort }) => ({
      openai: {
        store: false,
        strictJsonSchema: true,
        ...(isSerial === true ? { parallelToolCalls: false } : {}),
        ...(effort === undefined ? {} : { reasoningEffort: effort }),
      },
    }),
  },
  {
    name: '@ai-sdk/anthropic',
    modelId: 'anthropic/claude-haiku-4-5',
    dialects: ['messages', 'chat-completions', 'responses'],
    open: (access) => createAnthropic(access)('claude-haiku-4-5'),
    options: ({ isSerial, effort }) => ({
      anthropic: {
        ...(isSerial === true ? { disableParallelToolUse: true } : {}),
        ...(effort === undefined ? {} : { thinking: { type: 'enabled', budgetTokens: BUDGETS[effort] } }),
      },
    }),
  },
  {
    name: '@ai-sdk/google',
    modelId: 'google/gemini-3.1-pro-preview',
    dialects: ['chat-completions', 'responses', 'messages'],
    open: (access) => createGoogleGenerativeAI(access)('gemini-3.1-pro-preview'),
    options: ({ effort }) => ({ google: effort === undefined ? {} : { thinkingConfig: { includeThoughts: true, thinkingLevel: effort } } }),
  },
  {
    name: '@ai-sdk/amazon-bedrock',
    modelId: 'bedrock/anthropic/claude-haiku-4-5-20251001',
    dialects: ['chat-completions', 'responses', 'messages'],
    open: (access) => createAmazonBedrock({ region: 'us-east-1', ...access })('anthropic.claude-haiku-4-5-20251001-v1:0'),
    options: ({ effort }) => ({
      bedrock: effort === undefined ? {} : { reasoningConfig: { type: 'enabled', budgetTokens: BUDGETS[effort] } },
    }),
  },
  {
    name: '@ai-sdk/cohere',
    modelId: 'cohere/command-a-plus-05-2026',
    dialects: ['chat-completions', 'responses', 'messages'],
    open: (access) => createCohere(access)('command-a-plus-05-2026'),
    options: ({ effort }) => ({ cohere: effort === undefined ? {} : { thinking: { type: 'enabled', tokenBudget: BUDGETS[effort] } } }),
  },
  {
    name: '@ai-sdk/mistral',
    modelId: 'mistral/mistral-medium-2604',
    dialects: ['chat-completions', 'responses', 'messages'],
    open: (access) => createMistral(access)('mistral-medium-2604'),
    options: ({ isSerial, effort }) => ({
      mistral: {
        strictJsonSchema: true,
        ...(isSerial === true ? { parallelToolCalls: false } : {}),
        ...(effort === undefined ? {} : { reasoningEffort: effort }),
      },
    }),
  },
];

/** What an SDK sends for a conversation; undefined where it refuses to, or would fetch something first. */
export async function recordRequest(sdk: VendorSdk, conversation: Conversation): Promise<unknown> {
  const sent: unknown[] = [];
  const model = sdk.open({
    apiKey: 'a-key',
    fetch: (_address, request) => {
      sent.push(JSON.parse(String(request?.body)));
      return Promise.resolve(new Response('{"error":{"message":"seen enough"}}', { status: 400 }));
    },
  });
  const asked = { model, ...toSdkRequest(conversation, sdk.options(conversation)), experimental_download: fetchNothing };
  if (conversation.isStream === true) await streamText({ ...asked, onError: () => undefined }).consumeStream();
  else await generateText(asked).catch(() => undefined);
  return sent[0];
}

/** Nothing is fetched here: what a vendor would not fetch itself makes the SDK give up. */
function fetchNothing(wanted: readonly { readonly isUrlSupportedByModel: boolean }[]): Promise<null[]> {
  if (wanted.every(({ isUrlSupportedByModel }) => isUrlSupportedByModel)) return Promise.resolve(wanted.map(() => null));
  return Promise.reject(new Error('nothing is fetched'));
}
