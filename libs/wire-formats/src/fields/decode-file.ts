import type { ContentBlock, MediaSource, RemoteSource } from '@weir/canonical';
import { dropAbsent } from './drop-absent';
import { findString, joinPath, refuseField, type JsonObject } from './field-readers';
import { mediaTypeOfName } from './media-types';
import { isWebUrl, parseDataUrl } from './parse-data-url';

const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const VIDEO_SITES = /^https?:\/\/(?:[a-z0-9-]+\.)*(?:youtube\.com|youtu\.be)\//i;

/**
 * A file as callers send it: `file_id`, `file_url`, or `file_data` with a base64 data URL, a web address or bare base64.
 * What it becomes is decided by its media type, or by the ending of its name.
 */
export function decodeFile(file: JsonObject, path: string): ContentBlock {
  const filename = findString(file, 'filename', path);
  const fileId = findString(file, 'file_id', path);
  if (fileId !== undefined) return toDocument({ kind: 'file', fileId, field: joinPath(path, 'file_id') }, filename);
  const key = file['file_data'] === undefined || file['file_data'] === null ? 'file_url' : 'file_data';
  const field = joinPath(path, key);
  const value = findString(file, key, path);
  if (value === undefined || value === '') return refuseField(joinPath(path, 'file_data'), 'is required (or file_url or file_id)');
  if (isWebUrl(value)) return decodeRemote({ kind: 'url', url: value, field }, filename);
  const inline = parseDataUrl(value) ?? bareBase64(value, filename);
  if (inline === undefined) return refuseField(field, 'must be a base64 data URL or an http(s) URL');
  const stated = UNKNOWN_TYPES.has(inline.mediaType) ? undefined : inline.mediaType;
  return decodeInline({ mediaType: stated ?? mediaTypeOfName(filename) ?? 'application/octet-stream', data: inline.data }, filename, field);
}

function decodeRemote(source: RemoteSource, filename: string | undefined): ContentBlock {
  const { url } = source;
  const mediaType = mediaTypeOfName(filename) ?? mediaTypeOfName(url.split(/[?#]/, 1)[0]);
  if (mediaType?.startsWith('video/') === true || VIDEO_SITES.test(url)) return { type: 'video', source };
  if (mediaType?.startsWith('image/') === true) return { type: 'image', source };
  return toDocument(source, filename);
}

function decodeInline(inline: { mediaType: string; data: string }, filename: string | undefined, field: string): ContentBlock {
  const { mediaType, data } = inline;
  const source: MediaSource = { kind: 'base64', mediaType, data, field };
  if (mediaType.startsWith('video/')) return { type: 'video', source };
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  if (mediaType.startsWith('audio/')) return { type: 'audio', data, format: audioFormat(mediaType), field };
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    return toDocument({ kind: 'text', mediaType, text: Buffer.from(data, 'base64').toString('utf8') }, filename);
  }
  if (mediaType === 'application/octet-stream')
    return refuseField(field, 'needs a media type, in its data URL or by the ending of filename');
  return toDocument(source, filename);
}

function toDocument(source: MediaSource, filename: string | undefined): ContentBlock {
  return { type: 'document', source, ...dropAbsent({ filename }) };
}

function audioFormat(mediaType: string): string {
  const subtype = mediaType.slice('audio/'.length);
  if (subtype === 'mpeg') return 'mp3';
  return subtype.startsWith('x-') ? subtype.slice(2) : subtype;
}

function bareBase64(value: string, filename: string | undefined): { mediaType: string; data: string } | undefined {
  if (mediaTypeOfName(filename) === undefined || !/^[A-Za-z0-9+/_-]{4}/.test(value) || value.includes(':')) return undefined;
  return { mediaType: '', data: value };
}
