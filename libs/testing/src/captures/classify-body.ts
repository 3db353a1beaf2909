import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { CapturedBody } from './capture';

/** Names the kind of a recorded body by looking at it: recordings often lost or changed their content type. */
export function classifyBody(bytes: Buffer, contentType = ''): CapturedBody {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: 'bytes', body: bytes };
  if (/^text\/event-stream/i.test(contentType) || looksLikeSse(text)) return { kind: 'sse', body: text };
  return isJson(text) ? { kind: 'json', body: text } : { kind: 'bytes', body: bytes };
}

/** Undoes a content coding. Recordings are sometimes decoded already while the header still says otherwise. */
export function decodeContent(bytes: Buffer, contentEncoding = ''): Buffer {
  const tolerant = { finishFlush: constants.Z_SYNC_FLUSH };
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, tolerant);
  if (contentEncoding === 'br' && decodeText(bytes) === undefined) {
    return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  }
  if (contentEncoding === 'deflate' && bytes[0] === 0x78) return inflateSync(bytes, tolerant);
  return bytes;
}

function looksLikeSse(text: string): boolean {
  return /^\s*(data|event|id|retry)\s?:/.test(text) || /^: /.test(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not JSON is an answer here, not an error.
    return false;
  }
}

function decodeText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Bytes that are no UTF-8 stay bytes.
    return undefined;
  }
}
