import type { ContentBlock, DocumentBlock, MediaSource, TextBlock } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { dropAbsent } from '../fields/drop-absent';
import {
  findArray,
  findBoolean,
  findObject,
  findString,
  readArray,
  readName,
  readObject,
  readString,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { MESSAGES_FAMILY } from '../state/native-family';
import { decodeCitation } from './decode-citation';

export function decodeTextBlock(block: JsonObject, path: string): TextBlock {
  const text = readString(block['text'], `${path}.text`);
  const citations = findArray(block, 'citations', path)?.map((citation, index) => decodeCitation(citation, `${path}.citations[${index}]`));
  return { type: 'text', text, ...dropAbsent({ citations, cache: decodeCacheMark(block, path) }) };
}

export function decodeUserBlock(value: unknown, path: string): ContentBlock {
  const block = readObject(value, path);
  switch (block['type']) {
    case 'text':
      return decodeTextBlock(block, path);
    case 'image':
      return decodeImageBlock(block, path);
    case 'document':
      return decodeDocumentBlock(block, path);
    case 'search_result':
      return decodeSearchResult(block, path);
    case 'tool_result':
      return decodeToolResult(block, path);
    case 'tool_reference':
      // All tools are offered from the beginning: what is left to say is which of them a search has found.
      return { type: 'text', text: readName(block['tool_name'], `${path}.tool_name`) };
    case 'container_upload':
      return { type: 'opaque', family: MESSAGES_FAMILY, raw: block };
    default:
      return refuseField(
        `${path}.type`,
        `${JSON.stringify(block['type'] ?? null)} is not a content type of user messages this endpoint knows`,
      );
  }
}

function decodeToolResult(block: JsonObject, path: string): ContentBlock {
  const content = block['content'];
  const field = `${path}.content`;
  const decoded: ContentBlock[] =
    content === undefined || content === null
      ? []
      : typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : readArray(content, field).map((part, index) => decodeResultPart(part, `${field}[${index}]`));
  return {
    type: 'tool-result',
    toolCallId: readName(block['tool_use_id'], `${path}.tool_use_id`),
    content: decoded,
    ...dropAbsent({ isError: findBoolean(block, 'is_error', path), cache: decodeCacheMark(block, path) }),
  };
}

function decodeResultPart(value: unknown, path: string): ContentBlock {
  const part = decodeUserBlock(value, path);
  return part.type === 'tool-result' ? refuseField(`${path}.type`, 'must not be "tool_result" inside a tool result') : part;
}

function decodeImageBlock(block: JsonObject, path: string): ContentBlock {
  const source = readObject(block['source'], `${path}.source`);
  return { type: 'image', source: decodeSource(source, `${path}.source`), ...dropAbsent({ cache: decodeCacheMark(block, path) }) };
}

function decodeDocumentBlock(block: JsonObject, path: string): DocumentBlock {
  const field = `${path}.source`;
  const source = readObject(block['source'], field);
  const citations = findObject(block, 'citations', path);
  return {
    type: 'document',
    source: decodeDocumentSource(source, field),
    ...dropAbsent({
      filename: findString(block, 'title', path),
      context: findString(block, 'context', path),
      hasCitations: citations === undefined ? undefined : findBoolean(citations, 'enabled', `${path}.citations`),
      cache: decodeCacheMark(block, path),
    }),
  };
}

function decodeDocumentSource(source: JsonObject, path: string): MediaSource {
  if (source['type'] === 'text') {
    const mediaType = findString(source, 'media_type', path) ?? 'text/plain';
    return { kind: 'text', mediaType, text: readString(source['data'], `${path}.data`) };
  }
  if (source['type'] === 'content') return { kind: 'text', mediaType: 'text/plain', text: joinTexts(source['content'], `${path}.content`) };
  return decodeSource(source, path);
}

function decodeSource(source: JsonObject, path: string): MediaSource {
  switch (source['type']) {
    case 'base64':
      return {
        kind: 'base64',
        mediaType: readName(source['media_type'], `${path}.media_type`),
        data: readName(source['data'], `${path}.data`),
        field: path,
      };
    case 'url':
      return { kind: 'url', url: readName(source['url'], `${path}.url`), field: `${path}.url` };
    case 'file':
      return { kind: 'file', fileId: readName(source['file_id'], `${path}.file_id`), field: `${path}.file_id` };
    default:
      return refuseField(`${path}.type`, `${JSON.stringify(source['type'] ?? null)} is not a source this block can have`);
  }
}

/** What the caller found itself: a text document named after its title, with its address as context. */
function decodeSearchResult(block: JsonObject, path: string): DocumentBlock {
  const citations = findObject(block, 'citations', path);
  return {
    type: 'document',
    source: { kind: 'text', mediaType: 'text/plain', text: joinTexts(block['content'], `${path}.content`) },
    ...dropAbsent({
      filename: findString(block, 'title', path),
      context: findString(block, 'source', path),
      hasCitations: citations === undefined ? undefined : findBoolean(citations, 'enabled', `${path}.citations`),
      cache: decodeCacheMark(block, path),
    }),
  };
}

function joinTexts(content: unknown, path: string): string {
  if (typeof content === 'string') return content;
  return readArray(content, path)
    .map((entry, index) => {
      const part = readObject(entry, `${path}[${index}]`);
      if (part['type'] !== 'text') return refuseField(`${path}[${index}].type`, 'must be "text" on this endpoint');
      return readString(part['text'], `${path}[${index}].text`);
    })
    .join('\n\n');
}
