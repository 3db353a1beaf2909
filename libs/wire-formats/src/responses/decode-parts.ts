import type { Citation, ContentBlock } from '@weir/canonical';
import { decodeCacheMark } from '../fields/decode-cache-mark';
import { decodeFile } from '../fields/decode-file';
import { decodeImageUrl } from '../fields/decode-image';
import { dropAbsent } from '../fields/drop-absent';
import { findArray, findString, isObject, readArray, readObject, readString, refuseField, type JsonObject } from '../fields/field-readers';
import { RESPONSES_FAMILY } from '../state/native-family';

/** A string or parts; all roles share the part types, as callers mix them. */
export function decodeResponsesContent(content: unknown, path: string): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return readArray(content, path).map((part, index) => decodePart(part, `${path}[${index}]`));
}

function decodePart(value: unknown, path: string): ContentBlock {
  const part = readObject(value, path);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return decodeText(part, path);
    case 'refusal':
    case 'output_refusal':
      return { type: 'refusal', text: readString(part['refusal'] ?? part['text'], `${path}.refusal`) };
    case 'input_image':
      return decodeImage(part, path);
    case 'input_file': {
      const block = decodeFile(part, path);
      const cache = decodeCacheMark(part, path);
      return cache !== undefined && (block.type === 'document' || block.type === 'image') ? { ...block, cache } : block;
    }
    default:
      return refuseField(
        `${path}.type`,
        `${JSON.stringify(part['type'] ?? null)} is not a content type this endpoint knows: use "input_text", "input_image", "input_file", "output_text" or "refusal"`,
      );
  }
}

function decodeText(part: JsonObject, path: string): ContentBlock {
  const text = readString(part['text'], `${path}.text`);
  const citations = findArray(part, 'annotations', path)?.flatMap(decodeAnnotation);
  const hasCitations = citations !== undefined && citations.length > 0;
  return { type: 'text', text, ...dropAbsent({ citations: hasCitations ? citations : undefined, cache: decodeCacheMark(part, path) }) };
}

/** Citations of pages; others are kept for a provider that knows them. */
function decodeAnnotation(value: unknown): Citation[] {
  if (!isObject(value)) return [];
  if (value['type'] !== 'url_citation' || typeof value['url'] !== 'string') return [{ original: { family: RESPONSES_FAMILY, raw: value } }];
  const count = (key: string): number | undefined => (typeof value[key] === 'number' ? (value[key] as number) : undefined);
  const title = typeof value['title'] === 'string' ? value['title'] : undefined;
  return [{ url: value['url'], ...dropAbsent({ title, start: count('start_index'), end: count('end_index') }) }];
}

function decodeImage(part: JsonObject, path: string): ContentBlock {
  const more = dropAbsent({ detail: findString(part, 'detail', path), cache: decodeCacheMark(part, path) });
  const fileId = findString(part, 'file_id', path);
  if (fileId !== undefined) return { type: 'image', source: { kind: 'file', fileId, field: `${path}.file_id` }, ...more };
  const url = readString(part['image_url'], `${path}.image_url`);
  return { type: 'image', source: decodeImageUrl(url, `${path}.image_url`), ...more };
}
