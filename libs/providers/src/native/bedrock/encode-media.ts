import type { AudioBlock, DocumentBlock, ImageBlock, MediaSource, VideoBlock } from '@weir/canonical';
import { unsupported } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';

const IMAGE_FORMATS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const VIDEO_FORMATS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
};

const DOCUMENT_FORMATS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};
const DOCUMENT_ENDINGS: ReadonlySet<string> = new Set(Object.values(DOCUMENT_FORMATS));

export function encodeImage({ source }: ImageBlock): JsonRecord {
  const format = formatOf(source, IMAGE_FORMATS, 'An image');
  return { image: { format, source: encodeSource(source, 'An image') } };
}

export function encodeVideo({ source }: VideoBlock): JsonRecord {
  const format = formatOf(source, VIDEO_FORMATS, 'A video');
  return { video: { format, source: encodeSource(source, 'A video') } };
}

export function encodeAudio({ data, format }: AudioBlock): JsonRecord {
  return { audio: { format: format.toLowerCase(), source: { bytes: data } } };
}

export function encodeDocument(block: DocumentBlock, nameOf: (filename: string | undefined) => string): JsonRecord {
  const { source, filename, context, hasCitations } = block;
  return {
    document: withoutUndefined({
      format: formatOf(source, DOCUMENT_FORMATS, 'A document', filename),
      name: nameOf(filename),
      // Places in a text can be cited only when it comes as text.
      source: source.kind === 'text' && hasCitations === true ? { text: source.text } : encodeSource(source, 'A document'),
      context,
      citations: hasCitations === true ? { enabled: true } : undefined,
    }),
  };
}

/** Media travels inside the request, or lies in the provider's own storage: it fetches nothing from the web. */
function encodeSource(source: MediaSource, what: string): JsonRecord {
  switch (source.kind) {
    case 'base64':
      return { bytes: source.data };
    case 'text':
      return { bytes: Buffer.from(source.text, 'utf8').toString('base64') };
    case 'url':
      if (source.url.startsWith('s3://')) return { s3Location: { uri: source.url } };
      throw unsupported('messages', `${what} that is named by URL`);
    case 'file':
      throw unsupported('messages', `${what} that is named by id`);
  }
}

function formatOf(source: MediaSource, formats: Readonly<Record<string, string>>, what: string, filename?: string): string {
  const mediaType = 'mediaType' in source ? (source.mediaType.split(';')[0]?.trim().toLowerCase() ?? '') : '';
  const known = formats[mediaType];
  if (known !== undefined) return known;
  const ending = endingOf(source.kind === 'url' ? source.url : (filename ?? ''));
  const isNamed = formats === DOCUMENT_FORMATS ? DOCUMENT_ENDINGS.has(ending) : Object.values(formats).includes(ending);
  if (isNamed) return ending;
  if (formats === DOCUMENT_FORMATS && mediaType.startsWith('text/')) return 'txt';
  if (source.kind === 'url' || source.kind === 'file') encodeSource(source, what);
  throw unsupported('messages', `${what} of the type "${mediaType}"`);
}

function endingOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return ending === 'jpg' ? 'jpeg' : ending;
}
