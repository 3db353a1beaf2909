import { encodeMultipart, type EncodedForm } from '@weir/upstream-http';
import type { FormPart } from '../provider/media-provider';

const EXTENSION_OF: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
};

/** Writes a multipart body for a provider: providers find the type of a file by its extension. */
export function encodeForm(parts: readonly FormPart[]): EncodedForm {
  return encodeMultipart(parts.map((part) => (part.kind === 'field' ? part : { ...part, file: nameWithExtension(part.file) })));
}

function nameWithExtension(file: Extract<FormPart, { kind: 'file' }>['file']): typeof file {
  const { name, type, size } = file;
  if (/\.[A-Za-z0-9]{2,5}$/.test(name)) return file;
  const extension = EXTENSION_OF[type] ?? (type.split('/')[1] ?? 'bin').replace(/[^a-z0-9]/g, '');
  return { name: `${name === '' ? 'file' : name}.${extension}`, type, size, read: () => file.read() };
}
