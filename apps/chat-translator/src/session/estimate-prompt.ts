import type { ChatRequest, ContentBlock, MediaSource } from '@weir/canonical';
import { estimatePromptTokens as estimateTexts } from '@weir/providers';
import { MEDIA_TOKENS } from './estimate-tokens';

type Seen = { texts: string[]; media: number };

/**
 * The best estimate of how long a prompt is for a model: for callers who ask before they send it, and for providers that do
 * not report it. It is not the bound that limits need: see `measurePrompt`.
 */
export function estimatePromptTokens({ turns, tools, responseFormat }: ChatRequest, model: string): number {
  const seen: Seen = { texts: [], media: 0 };
  for (const { content } of turns) noteBlocks(content, seen);
  const schema = responseFormat?.kind === 'json-schema' ? responseFormat.schema : undefined;
  const definitions = textOfJson(tools?.length === 0 ? undefined : tools) + textOfJson(schema);
  return estimateTexts({ text: seen.texts.join('\n'), turns: turns.length, tools: definitions }, model) + seen.media * MEDIA_TOKENS;
}

function noteBlocks(blocks: readonly ContentBlock[], seen: Seen): void {
  for (const block of blocks) noteBlock(block, seen);
}

function noteBlock(block: ContentBlock, seen: Seen): void {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return void seen.texts.push(block.text);
    case 'tool-call':
      return void seen.texts.push(block.name, block.argumentsText);
    case 'tool-result':
      return noteBlocks(block.content, seen);
    case 'image':
    case 'document':
    case 'video':
      return noteSource(block.source, seen);
    case 'audio':
      return void (seen.media += 1);
    case 'web-search':
      return void seen.texts.push(textOfJson(block.results));
    case 'opaque':
      return void seen.texts.push(textOfJson(block.raw));
  }
}

/** Media are never counted by the length of their encoding. */
function noteSource(source: MediaSource, seen: Seen): void {
  if (source.kind === 'text') seen.texts.push(source.text);
  else seen.media += 1;
}

function textOfJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
