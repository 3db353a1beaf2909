import type { AudioBlock, DocumentBlock, ImageBlock, MediaSource, VideoBlock } from '@weir/canonical';
import { unsupportedPart } from '../../failures/unsupported';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';

/** One kind of media: what it is called in refusals, and the provider's formats by media type. */
type Kind = { readonly name: string; readonly formats: Readonly<Record<string, string>> };

const IMAGE: Kind = {
  name: 'An image',
  formats: { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/jpg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' },
};

const VIDEO: Kind = {
  name: 'A video',
  formats: {
    'video/mp4': 'mp4',
    'video/quicktime': 'mov',
    'video/x-matroska': 'mkv',
    'video/webm': 'webm',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': 'three_gp',
  },
};

const DOCUMENT: Kind = {
  name: 'A document',
  formats: {
    'application/pdf': 'pdf',
    'text/csv': 'csv',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'text/html': 'html',
    'text/markdown': 'md',
    'text/plain': 'txt',
  },
};

export function encodeImage({ source }: ImageBlock): JsonRecord {
  return { image: { source: encodeSource(source, IMAGE), format: formatOf(source, IMAGE) } };
}

export function encodeVideo({ source }: VideoBlock): JsonRecord {
  return { video: { source: encodeSource(source, VIDEO), format: formatOf(source, VIDEO) } };
}

export function encodeAudio({ data, format }: AudioBlock): JsonRecord {
  return { audio: { format: format.toLowerCase(), source: { bytes: data } } };
}

export function encodeDocument(block: DocumentBlock, nameOf: (filename: string | undefined) => string): JsonRecord {
  const { source, filename, context, hasCitations } = block;
  return {
    document: withoutUndefined({
      // Places in a text can be cited only when it comes as text.
      source: source.kind === 'text' && hasCitations === true ? { text: source.text } : encodeSource(source, DOCUMENT),
      format: formatOf(source, DOCUMENT, filename),
      name: nameOf(filename),
      context,
      citations: hasCitations === true ? { enabled: true } : undefined,
    }),
  };
}

/** Media travels inside the request, or is kept in the provider's own storage: it fetches nothing from the web. */
function encodeSource(source: MediaSource, { name }: Kind): JsonRecord {
  switch (source.kind) {
    case 'base64':
      return { bytes: source.data };
    case 'text':
      return { bytes: Buffer.from(source.text, 'utf8').toString('base64') };
    case 'url':
      if (source.url.startsWith('s3://')) return { s3Location: { uri: source.url } };
      throw unsupportedPart(source, `${name} that is named by URL`);
    case 'file':
      throw unsupportedPart(source, `${name} that is named by id`);
  }
}

/** By media type, else by the ending of the name; a text of any other type is read as plain text. */
function formatOf(source: MediaSource, kind: Kind, filename = ''): string {
  const mediaType = readMediaType(source);
  const known = kind.formats[mediaType];
  if (known !== undefined) return known;
  const ending = readEnding(source.kind === 'url' ? source.url : filename);
  if (Object.values(kind.formats).includes(ending)) return ending;
  if (kind === DOCUMENT && mediaType.startsWith('text/')) return 'txt';
  throw unsupportedPart(source, `${kind.name} of the type "${mediaType}"`);
}

function readMediaType(source: MediaSource): string {
  return 'mediaType' in source ? (source.mediaType.split(';')[0]?.trim().toLowerCase() ?? '') : '';
}

function readEnding(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return ending === 'jpg' ? 'jpeg' : ending;
}
