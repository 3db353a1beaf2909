import type { ContentBlock, MediaSource } from '@weir/canonical';
import { unsupportedPart } from '../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../wire/json-value';
import { noteDocumentLosses } from '../wire/note-document-losses';
import { encodeFilePart } from './encode-file-part';
import type { EncodeContext } from './context';

export type Part = JsonRecord & { readonly type: string };

/** Content as one string where it comes out as one text, be it said as such or as a document of plain text; else as parts. */
export function encodeContent(content: readonly ContentBlock[], context: EncodeContext): string | Part[] {
  const parts = content.filter((block) => !isEmptyText(block)).map((block) => encodePart(block, context));
  const isProse = parts.every((part) => part.type === 'text');
  if (!isProse || (parts.length > 1 && context.provider.textPartsAs !== 'string')) return parts;
  return parts.map((part) => part['text']).join('\n\n');
}

/** Some providers refuse a text part without text. */
export function isEmptyText(block: ContentBlock): boolean {
  return block.type === 'text' && block.text === '';
}

export function encodePart(block: ContentBlock, context: EncodeContext): Part {
  noteCacheMark(block, context);
  switch (block.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: block.text };
    case 'image':
      return {
        type: 'image_url',
        image_url: withoutUndefined({ url: urlOf(block.source, 'An image that is named by id'), detail: block.detail }),
      };
    case 'document':
      return encodeDocument(block, context);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: block.data, format: block.format } };
    case 'video':
      return encodeFilePart(context.provider, {
        data: urlOf(block.source, 'A video that is named by id'),
        isVideo: true,
        field: fieldOf(block.source),
      }) as Part;
    default:
      throw unsupportedPart(block, `Content of the kind "${block.type}"`);
  }
}

/** Plain text needs no file: every model reads it as text. */
function encodeDocument(block: Extract<ContentBlock, { type: 'document' }>, context: EncodeContext): Part {
  noteDocumentLosses(block, context.losses);
  if (block.source.kind === 'text') {
    const heading = [block.filename, block.context].filter((line) => line !== undefined);
    return { type: 'text', text: [...heading, block.source.text].join('\n') };
  }
  const data = urlOf(block.source, 'A file that is named by id');
  if (block.source.kind === 'url' && context.provider.filePart === 'file') context.losses.approximated.add('file_url');
  return encodeFilePart(context.provider, {
    data,
    isVideo: false,
    field: fieldOf(block.source),
    ...(block.filename === undefined ? {} : { filename: block.filename }),
  }) as Part;
}

function urlOf(source: MediaSource, whatIfById: string): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'base64') return `data:${source.mediaType};base64,${source.data}`;
  if (source.kind === 'text') return `data:${source.mediaType};base64,${Buffer.from(source.text, 'utf8').toString('base64')}`;
  throw unsupportedPart(source, whatIfById);
}

function fieldOf(source: MediaSource): string | undefined {
  return source.kind === 'text' ? undefined : source.field;
}

function noteCacheMark(block: ContentBlock, { losses }: EncodeContext): void {
  if ('cache' in block && block.cache !== undefined) losses.dropped.add('cache_control');
}
