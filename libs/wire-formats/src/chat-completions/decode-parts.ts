import type { ContentBlock } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeFile } from '../fields/decode-file';
import { decodeImageUrl } from '../fields/decode-image';
import { dropAbsent } from '../fields/drop-absent';
import { findString, isObject, readName, readObject, readString, refuseField, type JsonObject } from '../fields/field-readers';

/** `content` of any role but the assistant: a string or typed parts. */
export function decodeChatContent(content: unknown, path: string): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    return refuseField(path, content === undefined || content === null ? 'is required' : 'must be a string or an array of parts');
  }
  return (content as unknown[]).map((part, index) => decodePart(part, `${path}[${index}]`));
}

export function decodeTextPart(part: JsonObject, path: string): ContentBlock {
  const cache = decodeCacheMark(part, path);
  const text = readString(part['text'], `${path}.text`);
  return cache === undefined ? { type: 'text', text } : { type: 'text', text, cache };
}

function decodePart(value: unknown, path: string): ContentBlock {
  const part = readObject(value, path);
  switch (part['type']) {
    case 'text':
      return decodeTextPart(part, path);
    case 'image_url':
      return decodeImagePart(part, path);
    case 'input_audio':
      return decodeAudioPart(readObject(part['input_audio'], `${path}.input_audio`), `${path}.input_audio`);
    case 'file':
    case 'input_file':
      return decodeFilePart(part, path);
    default:
      return refuseField(
        `${path}.type`,
        `${JSON.stringify(part['type'] ?? null)} is not a content type this endpoint knows: use "text", "image_url", "input_audio", "file" or "input_file"`,
      );
  }
}

function decodeImagePart(part: JsonObject, path: string): ContentBlock {
  const image = part['image_url'];
  const cache = decodeCacheMark(part, path);
  if (typeof image === 'string') {
    return { type: 'image', source: decodeImageUrl(image, `${path}.image_url`), ...dropAbsent({ cache }) };
  }
  const holder = readObject(image, `${path}.image_url`);
  const source = decodeImageUrl(readString(holder['url'], `${path}.image_url.url`), `${path}.image_url.url`);
  return { type: 'image', source, ...dropAbsent({ detail: findString(holder, 'detail', `${path}.image_url`), cache }) };
}

function decodeAudioPart(audio: JsonObject, path: string): ContentBlock {
  const data = readName(audio['data'], `${path}.data`);
  if (data.startsWith('data:')) return refuseField(`${path}.data`, 'must be base64 without a data URL prefix');
  return { type: 'audio', data, format: readName(audio['format'], `${path}.format`), field: path };
}

/** The fields stand in `file`, in `input_file` or in the part itself. */
function decodeFilePart(part: JsonObject, path: string): ContentBlock {
  const key = ['file', 'input_file'].find((name) => isObject(part[name]));
  const block = key === undefined ? decodeFile(part, path) : decodeFile(part[key] as JsonObject, `${path}.${key}`);
  const cache = decodeCacheMark(part, path);
  return cache !== undefined && (block.type === 'document' || block.type === 'image') ? { ...block, cache } : block;
}
