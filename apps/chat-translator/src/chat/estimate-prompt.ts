import type { ChatRequest, ContentBlock, MediaSource } from '@weir/canonical';
import { MEDIA_TOKENS } from './estimate-tokens';

/** The common rule of thumb for ordinary text. It is not the bound that budgets need: see `estimateTokens`. */
const BYTES_PER_TOKEN = 4;
/** What the frame around one turn costs. */
const TURN_TOKENS = 4;

/** How long a prompt is, roughly, for callers who ask before they send it and whose provider cannot count. */
export function estimatePromptTokens({ turns, tools, responseFormat }: ChatRequest): number {
  const inTurns = turns.reduce((sum, turn) => sum + TURN_TOKENS + sumTokens(turn.content), 0);
  const schema = responseFormat?.kind === 'json-schema' ? responseFormat.schema : undefined;
  return Math.ceil(inTurns + tokensOfJson(tools) + tokensOfJson(schema));
}

function sumTokens(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + tokensOfBlock(block), 0);
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return tokensOfText(block.text);
    case 'tool-call':
      return tokensOfText(block.name) + tokensOfText(block.argumentsText);
    case 'tool-result':
      return sumTokens(block.content);
    case 'image':
    case 'document':
    case 'video':
      return tokensOfSource(block.source);
    case 'audio':
      return MEDIA_TOKENS;
    case 'web-search':
      return tokensOfJson(block.results);
    case 'opaque':
      return tokensOfJson(block.raw);
  }
}

/** Media are never counted by the length of their encoding. */
function tokensOfSource(source: MediaSource): number {
  return source.kind === 'text' ? tokensOfText(source.text) : MEDIA_TOKENS;
}

function tokensOfText(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}

function tokensOfJson(value: unknown): number {
  return value === undefined ? 0 : tokensOfText(JSON.stringify(value));
}
