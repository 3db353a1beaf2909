import type { ChatEvent, ChatReply, ChatRequest, ContentBlock, Tool } from '@weir/canonical';
import { createHash } from 'node:crypto';
import type { ChatCodec, ChatStreamDecoder } from '../provider/provider';
import type { ProviderTarget } from '../provider/target';

/** What a provider allows in the name of a tool. */
export type ToolNameRule = { readonly legal: RegExp; readonly charactersMax: number };

/** Most providers allow what OpenAI allows. */
export const COMMON_TOOL_NAMES: ToolNameRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, charactersMax: 64 };

const HASH_CHARACTERS = 8;

/**
 * A codec whose provider never sees a tool's name that it would refuse: such a name becomes a legal one, the same each
 * time and never another's, and the caller's own stands again in the reply. Requests with legal names only cost a look.
 */
export function withLegalToolNames(codec: ChatCodec, rule: ToolNameRule): ChatCodec {
  const kept = new WeakMap<ProviderTarget, ReadonlyMap<string, string>>();
  return {
    encodeRequest(request, target, losses) {
      if (!hasIllegalNames(request, rule)) {
        kept.delete(target);
        return codec.encodeRequest(request, target, losses);
      }
      const renamed = new Map<string, string>();
      const rename = (name: string): string => {
        const sent = encodeToolName(name, rule);
        if (sent !== name) renamed.set(sent, name);
        return sent;
      };
      kept.set(target, renamed);
      return codec.encodeRequest(renameRequest(request, rename), target, losses);
    },
    decodeReply(text, target) {
      const reply = codec.decodeReply(text, target);
      const names = kept.get(target);
      return names === undefined ? reply : restoreReply(reply, names);
    },
    createStreamDecoder(target) {
      const decoder = codec.createStreamDecoder(target);
      const names = kept.get(target);
      return names === undefined ? decoder : restoreStream(decoder, names);
    },
  };
}

/** A legal name for a tool: its own where that is legal. */
export function encodeToolName(name: string, { legal, charactersMax }: ToolNameRule): string {
  if (legal.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  const words = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, charactersMax - 2 - HASH_CHARACTERS);
  const sent = `${words}_${hash}`;
  return legal.test(sent) ? sent : `_${sent}`;
}

function hasIllegalNames({ tools, turns }: ChatRequest, { legal }: ToolNameRule): boolean {
  return (
    tools?.some((tool) => 'name' in tool && !legal.test(tool.name)) === true ||
    turns.some(
      ({ role, content }) => role === 'assistant' && content.some((block) => block.type === 'tool-call' && !legal.test(block.name)),
    )
  );
}

type Rename = (name: string) => string;

function renameRequest(request: ChatRequest, rename: Rename): ChatRequest {
  const { tools, toolChoice, turns } = request;
  return {
    ...request,
    turns: turns.map((turn) =>
      turn.role === 'assistant' ? { ...turn, content: turn.content.map((block) => renameCall(block, rename)) } : turn,
    ),
    ...(tools === undefined ? {} : { tools: tools.map((tool): Tool => ('name' in tool ? { ...tool, name: rename(tool.name) } : tool)) }),
    ...(toolChoice === undefined ? {} : { toolChoice: renameChoice(toolChoice, rename) }),
  };
}

function renameCall(block: ContentBlock, rename: Rename): ContentBlock {
  return block.type === 'tool-call' ? { ...block, name: rename(block.name) } : block;
}

function renameChoice(choice: NonNullable<ChatRequest['toolChoice']>, rename: Rename): NonNullable<ChatRequest['toolChoice']> {
  if (choice.kind === 'tool') return { ...choice, name: rename(choice.name) };
  return choice.kind === 'allowed' ? { ...choice, names: choice.names.map(rename) } : choice;
}

function restoreReply(reply: ChatReply, names: ReadonlyMap<string, string>): ChatReply {
  const restore = (name: string): string => names.get(name) ?? name;
  return {
    ...reply,
    choices: reply.choices.map((choice) => ({ ...choice, content: choice.content.map((block) => renameCall(block, restore)) })),
  };
}

function restoreStream(decoder: ChatStreamDecoder, names: ReadonlyMap<string, string>): ChatStreamDecoder {
  const restore = (event: ChatEvent): ChatEvent =>
    event.type === 'tool-call-start' ? { ...event, name: names.get(event.name) ?? event.name } : event;
  return {
    push: (bytes) => decoder.push(bytes).map(restore),
    end: () => decoder.end().map(restore),
    reported: () => decoder.reported(),
  };
}
