import { createHash } from 'node:crypto';
import type { Citation, ContentBlock, MediaSource, ReasoningBlock, ToolCallBlock, ToolResultBlock, WebSearchBlock } from '@weir/canonical';
import { ANY_TEXT, checkMediaType, unsupportedPart } from '../../failures/unsupported';
import { encodeCallInput } from '../../wire/encode-call-input';
import { asRecord, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { noteImageLosses } from '../../wire/note-image-losses';
import { isOwnState } from './own-state';
import { encodeCache } from './encode-cache';
import type { EncodeContext } from './context';

const LEGAL_ID = /^[a-zA-Z0-9_-]+$/;
/** As the provider publishes them. Files that are text go as text. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const FILE_TYPES: ReadonlySet<string> = new Set(['application/pdf', ANY_TEXT]);

/** Content as the provider's blocks; what it would refuse (empty text, foreign state) is left out and reported. */
export function encodeBlocks(content: readonly ContentBlock[], context: EncodeContext): JsonRecord[] {
  const { family, losses, target } = context;
  const hasSearched = content.some((block) => block.type === 'web-search' && isReplayable(block, context));
  const searchContext: BlockContext = { family, losses, target, hasSearched };
  return content.flatMap((block) => {
    const encoded = encodeBlock(block, searchContext);
    if ('cache' in block && block.cache !== undefined) {
      const last = encoded.at(-1);
      if (last !== undefined) last['cache_control'] = encodeCache(block.cache);
    }
    return encoded;
  });
}

type BlockContext = EncodeContext & {
  /** The content holds a search that can be replayed: citations may refer to its results. */
  readonly hasSearched: boolean;
};

function encodeBlock(block: ContentBlock, context: BlockContext): JsonRecord[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === ''
        ? []
        : [withoutUndefined({ type: 'text', text: block.text, citations: encodeCitations(block.citations, context) })];
    case 'refusal':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'image':
      noteImageLosses(block, context.losses);
      checkMediaType(block.source, 'An image', IMAGE_TYPES);
      return [{ type: 'image', source: encodeSource(block.source) }];
    case 'document':
      checkMediaType(block.source, 'A file', FILE_TYPES);
      return [encodeDocument(block)];
    case 'tool-call':
      return [encodeToolCall(block)];
    case 'tool-result':
      return [encodeToolResult(block, context)];
    case 'reasoning':
      return encodeReasoning(block, context);
    case 'web-search':
      return encodeWebSearch(block, context);
    case 'opaque':
      return encodeOpaque(block, context);
    case 'audio':
    case 'video':
      throw unsupportedPart(block, `Input of the kind "${block.type}"`);
  }
}

function encodeSource(source: MediaSource): JsonRecord {
  switch (source.kind) {
    case 'url':
      return { type: 'url', url: source.url };
    case 'base64':
      return { type: 'base64', media_type: source.mediaType, data: source.data };
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text };
    case 'file':
      throw unsupportedPart(source, 'A file that is named by id');
  }
}

function encodeDocument(block: Extract<ContentBlock, { type: 'document' }>): JsonRecord {
  const { source } = block;
  const isEncodedText = source.kind === 'base64' && source.mediaType.startsWith('text/');
  const text = isEncodedText ? Buffer.from(source.data, 'base64').toString('utf8') : undefined;
  return withoutUndefined({
    type: 'document',
    source: encodeSource(text === undefined ? source : { kind: 'text', mediaType: 'text/plain', text }),
    title: block.filename,
    context: block.context,
    citations: block.hasCitations === true ? { enabled: true } : undefined,
  });
}

function encodeToolCall(block: ToolCallBlock): JsonRecord {
  return { type: 'tool_use', id: encodeId(block.id), name: block.name, input: encodeCallInput(block) };
}

function encodeToolResult(block: ToolResultBlock, context: EncodeContext): JsonRecord {
  const content = encodeBlocks(block.content, context);
  return withoutUndefined({
    type: 'tool_result',
    tool_use_id: encodeId(block.toolCallId),
    content: content.length === 0 ? undefined : content,
    is_error: block.isError === true ? true : undefined,
  });
}

/** Ids pair calls with results; one with illegal characters becomes the same legal one on both sides. */
function encodeId(id: string): string {
  return LEGAL_ID.test(id) ? id : `toolu_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

function encodeReasoning(block: ReasoningBlock, { family, losses }: EncodeContext): JsonRecord[] {
  if (!isOwnState(block.state, family)) {
    losses.dropped.add('messages.reasoning');
    return [];
  }
  if (block.state.kind === 'redacted') return [{ type: 'redacted_thinking', data: block.state.value }];
  return [{ type: 'thinking', thinking: block.text, signature: block.state.value }];
}

function isReplayable(block: WebSearchBlock, { family }: EncodeContext): boolean {
  return block.errorCode === undefined && block.results.length > 0 && block.results.every((result) => isOwnState(result.state, family));
}

/** A search of the past goes back whole, with its encrypted results, or not at all. */
function encodeWebSearch(block: WebSearchBlock, context: EncodeContext): JsonRecord[] {
  if (!isReplayable(block, context)) {
    context.losses.dropped.add('messages.web-search');
    return [];
  }
  const id =
    block.id.startsWith('srvtoolu_') && LEGAL_ID.test(block.id) ? block.id : encodeId(`${block.id}:`).replace('toolu_', 'srvtoolu_');
  const results = block.results.map((result) =>
    withoutUndefined({
      type: 'web_search_result',
      url: result.url,
      title: result.title,
      encrypted_content: result.state?.value,
      page_age: result.age,
    }),
  );
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: block.query } },
    { type: 'web_search_tool_result', tool_use_id: id, content: results },
  ];
}

type CitingContext = Pick<BlockContext, 'losses' | 'hasSearched'>;

function encodeCitations(citations: readonly Citation[] = [], context: CitingContext): unknown[] | undefined {
  const kept = citations
    .map(({ original }) => (original?.family === 'messages' ? asRecord(original.raw) : undefined))
    .filter((raw) => raw !== undefined && (raw['type'] !== 'web_search_result_location' || context.hasSearched));
  if (kept.length < citations.length) context.losses.dropped.add('messages.citations');
  return kept.length === 0 ? undefined : kept;
}

function encodeOpaque(block: Extract<ContentBlock, { type: 'opaque' }>, { losses }: EncodeContext): JsonRecord[] {
  const raw = block.family === 'messages' ? asRecord(block.raw) : undefined;
  if (raw === undefined) losses.dropped.add('messages.opaque');
  return raw === undefined ? [] : [{ ...raw }];
}
