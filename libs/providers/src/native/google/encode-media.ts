import type { ContentBlock, MediaSource } from '@weir/canonical';
import { ANY_TEXT, checkMediaType, unsupportedPart } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';

type MediaBlock = Extract<ContentBlock, { type: 'image' | 'document' | 'audio' | 'video' }>;

const TYPE_OF_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
};

/** For an address that does not show it: the type is required by one of the services. Pictures have none that is likely. */
const TYPE_OF_KIND: Readonly<Record<string, string>> = { document: 'application/pdf', video: 'video/mp4' };

/** Files that the models read. */
const FILE_TYPES: ReadonlySet<string> = new Set([
  ...[ANY_TEXT, 'application/pdf', 'application/rtf', 'application/xml', 'application/json'],
  ...['application/javascript', 'application/x-javascript', 'application/x-python', 'application/x-python-code'],
]);

/** Media as inline bytes, or as an address that the provider fetches. */
export function encodeMedia(block: MediaBlock): JsonRecord {
  if (block.type === 'audio') return { inlineData: { mimeType: `audio/${block.format}`, data: block.data } };
  if (block.type === 'document' && block.source.kind === 'text') {
    return { text: [block.filename, block.context, block.source.text].filter((line) => line !== undefined).join('\n') };
  }
  if (block.type === 'document') checkMediaType(block.source, 'A file', FILE_TYPES);
  return encodeSource(block.source, TYPE_OF_KIND[block.type]);
}

function encodeSource(source: MediaSource, likelyType: string | undefined): JsonRecord {
  switch (source.kind) {
    case 'base64':
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case 'text':
      return { inlineData: { mimeType: source.mediaType, data: Buffer.from(source.text, 'utf8').toString('base64') } };
    case 'url': {
      const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(source.url)?.[1]?.toLowerCase() ?? '';
      return { fileData: withoutUndefined({ mimeType: TYPE_OF_ENDING[ending] ?? likelyType, fileUri: source.url }) };
    }
    case 'file':
      throw unsupportedPart(source, 'A file that is named by id');
  }
}
