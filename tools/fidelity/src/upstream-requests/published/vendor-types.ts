import { dirname, join, relative } from 'node:path';

/** A vendor's own types of a request body, as TypeScript that declares one type `Body`. */
export type PublishedTypes = {
  readonly vendor: string;
  /** Where the types come from, for the page. */
  readonly source: string;
  readonly declaration: string;
  /** How a caller's body has to be changed to be compared with these types. */
  readonly toComparable?: (body: Record<string, unknown>) => Record<string, unknown>;
};

/**
 * SDK types as they stand on the wire: enumerations by their words, bytes as base64. Everything else, above all which
 * members there are, stays the vendor's.
 */
const ON_THE_WIRE = `
type Wire<T> = unknown extends T ? T
  : T extends string ? \`\${T}\`
  : T extends Uint8Array ? string
  : T extends (infer Item)[] ? Wire<Item>[]
  : T extends object ? { [Key in keyof T]: Wire<T[Key]> }
  : T;`;

const COHERE_TYPES = 'serialization/resources/v2/client/requests/V2ChatRequest';

/** `folder` is where the program is placed: one package has its wire types outside its exports. */
export function listPublishedTypes(folder: string): Readonly<Record<string, PublishedTypes>> {
  const cohere = relative(folder, join(dirname(require.resolve('cohere-ai')), COHERE_TYPES)).replaceAll('\\', '/');
  return {
    'openai chat completions': {
      vendor: 'OpenAI, chat completions',
      source: 'openai',
      declaration: `
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
type Body = ChatCompletionCreateParams;`,
    },
    'openai responses': {
      vendor: 'OpenAI, responses',
      source: 'openai',
      declaration: `
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
type Body = ResponseCreateParams;`,
    },
    anthropic: {
      vendor: 'Anthropic, messages',
      source: '@anthropic-ai/sdk',
      declaration: `
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
type Body = MessageCreateParams;`,
    },
    'anthropic at a cloud': {
      vendor: 'Anthropic, messages at a cloud',
      source: '@anthropic-ai/sdk',
      declaration: `
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
type Without<T> = T extends unknown ? Omit<T, 'model'> : never;
type Body = Without<MessageCreateParams> & { anthropic_version: 'vertex-2023-10-16' };`,
      toComparable: ({ model: _model, ...body }) => ({ ...body, anthropic_version: 'vertex-2023-10-16' }),
    },
    google: {
      vendor: 'Google, generateContent',
      source: '@google/genai',
      declaration: `
import type { Content, GenerationConfig, SafetySetting, ServiceTier, Tool, ToolConfig } from '@google/genai';
${ON_THE_WIRE}
type Body = Wire<{
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: ToolConfig;
  generationConfig?: GenerationConfig;
  safetySettings?: SafetySetting[];
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: ServiceTier;
}>;`,
    },
    bedrock: {
      vendor: 'AWS, ConverseStream',
      source: '@aws-sdk/client-bedrock-runtime',
      declaration: `
import type { ConverseStreamCommandInput } from '@aws-sdk/client-bedrock-runtime';
${ON_THE_WIRE}
type Body = Wire<Omit<ConverseStreamCommandInput, 'modelId'>>;`,
    },
    cohere: {
      vendor: 'Cohere, chat',
      source: 'cohere-ai',
      declaration: `
import type { V2ChatRequest } from '${cohere}';
type Body = V2ChatRequest.Raw & { stream?: boolean };`,
    },
  };
}
