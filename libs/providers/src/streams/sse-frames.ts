import { GatewayError } from '@weir/errors';

export type SseFrame = { readonly event: string | null; readonly data: string };

export type SseReader = {
  push(bytes: Uint8Array): SseFrame[];
  /** The stream is over: a frame whose closing blank line never came is answered too. */
  end(): SseFrame[];
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;
/** A line of this length is no event stream; holding more of it would only eat memory. */
const LINE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads server-sent events from bytes cut anywhere. Bytes are decoded up to the last line end only: a line end is never
 * part of a longer UTF-8 sequence, so no character is ever split. Line ends may be \n, \r\n or \r.
 */
export function createSseReader(): SseReader {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isFirst = true;
  let endedOnReturn = false;
  let event: string | null = null;
  let data: string | null = null;

  function takeLine(line: string, frames: SseFrame[]): void {
    if (line === '') {
      if (data !== null) frames.push({ event, data });
      event = null;
      data = null;
      return;
    }
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name !== 'data' && name !== 'event') return;
    const from = colon === -1 ? line.length : line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const value = line.slice(from);
    if (name === 'event') event = value;
    else data = data === null ? value : `${data}\n${value}`;
  }

  /** `text` ends with a line end, or is the last text of the stream. */
  function takeText(text: string, frames: SseFrame[]): void {
    let position = 0;
    if (isFirst && text !== '') {
      isFirst = false;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) position = 1;
    }
    if (endedOnReturn && text.charCodeAt(position) === LINE_FEED) position += 1;
    endedOnReturn = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN;
    const hasReturns = text.includes('\r');
    while (position < text.length) {
      const end = hasReturns ? findLineEnd(text, position) : text.indexOf('\n', position);
      const lineEnd = end === -1 ? text.length : end;
      takeLine(text.slice(position, lineEnd), frames);
      position = lineEnd + 1;
      if (text.charCodeAt(lineEnd) === CARRIAGE_RETURN && text.charCodeAt(position) === LINE_FEED) position += 1;
    }
  }

  function keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes > LINE_BYTES_MAX) {
      throw new GatewayError('provider_unreadable', 'The provider sent an event too long to read.');
    }
  }

  function join(last: Uint8Array): Buffer {
    const parts = pending.length === 0 ? [last] : [...pending, last];
    pending = [];
    pendingBytes = 0;
    const only = parts[0];
    return parts.length === 1 && only !== undefined ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(parts);
  }

  return {
    push(bytes) {
      const cut = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
      const frames: SseFrame[] = [];
      if (cut === 0) {
        keep(bytes);
        return frames;
      }
      takeText(join(bytes.subarray(0, cut)).toString('utf8'), frames);
      keep(bytes.subarray(cut));
      return frames;
    },
    end() {
      const frames: SseFrame[] = [];
      if (pending.length > 0) takeText(join(new Uint8Array(0)).toString('utf8'), frames);
      takeLine('', frames);
      return frames;
    },
  };
}

function findLineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.indexOf('\r', from);
  if (feed === -1) return carriage;
  return carriage === -1 || feed < carriage ? feed : carriage;
}
