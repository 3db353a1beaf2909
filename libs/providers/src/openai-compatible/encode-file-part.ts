import { unsupportedPart } from '../failures/unsupported';
import type { JsonRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

/** A file: a base64 data URL or a web address. */
type FileWords = {
  readonly data?: string;
  readonly filename?: string;
  readonly isVideo: boolean;
  /** Where the caller's request has it. */
  readonly field?: string | undefined;
};

/** A document or video as the content part this provider knows. */
export function encodeFilePart(provider: CompatibleProvider, file: FileWords): JsonRecord {
  if (file.data === undefined) throw unsupportedPart(file, 'A file that is named by id only');
  if (file.isVideo) {
    if (provider.videoPart === 'none') throw unsupportedPart(file, 'Video input');
    return { type: 'video_url', video_url: { url: file.data } };
  }
  if (provider.filePart === 'none') throw unsupportedPart(file, 'File input');
  if (provider.filePart === 'document-url') {
    return { type: 'document_url', document_url: file.data, ...(file.filename === undefined ? {} : { document_name: file.filename }) };
  }
  return { type: 'file', file: { filename: file.filename ?? 'document.pdf', file_data: file.data } };
}
