import { jsonSchema, Output, tool, type generateText, type ModelMessage, type ToolSet } from 'ai';
import type { AskedPart, Conversation, Turn } from '../corpus/conversation';

/** Options of a vendor's own, which the AI SDK passes on. */
export type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number];
type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];

/** A conversation as the arguments of the AI SDK, for any vendor. */
export function toSdkRequest(conversation: Conversation, providerOptions: ProviderOptions) {
  const { system, turns, choice, schema, maxTokens, temperature, topP, seed, stop } = conversation;
  return {
    messages: turns.map(toModelMessage),
    providerOptions,
    maxRetries: 0,
    ...(system === undefined ? {} : { system }),
    ...(conversation.tools === undefined ? {} : { tools: toToolSet(conversation.tools) }),
    ...(choice === undefined
      ? {}
      : { toolChoice: typeof choice === 'object' ? ({ type: 'tool', toolName: choice.tool } as const) : choice }),
    ...(schema === undefined ? {} : { output: Output.object({ schema: jsonSchema(schema.schema), name: schema.name }) }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
  };
}

function toToolSet(tools: NonNullable<Conversation['tools']>): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, tool({ description, inputSchema: jsonSchema(parameters) })]),
  );
}

function toModelMessage(turn: Turn): ModelMessage {
  if (turn.role === 'user') return { role: 'user', content: turn.parts.map(toUserPart) };
  if (turn.role === 'tool') {
    return {
      role: 'tool',
      content: turn.results.map(({ id, name, output }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value: output },
      })),
    };
  }
  return {
    role: 'assistant',
    content: turn.parts.map((part): AssistantPart =>
      part.kind === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input },
    ),
  };
}

function toUserPart(part: AskedPart): UserPart {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'pdf') return { type: 'file', data: part.data, mediaType: 'application/pdf', filename: part.filename };
  return { type: 'image', image: part.kind === 'image' ? new URL(part.url) : part.data, mediaType: 'image/png' };
}
