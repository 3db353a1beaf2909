import { GatewayError } from '@weir/errors';

export type SseFrame = { readonly event: string | null; readonly data: string };

type SseReader = {
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
  const tail = createTail();
  const lines = createLineTaker();
  return {
    push(bytes) {
      const frames: SseFrame[] = [];
      const cut = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
      if (cut > 0) lines.take(tail.join(bytes.subarray(0, cut)), frames);
      tail.keep(bytes.subarray(cut));
      return frames;
    },
    end() {
      const frames: SseFrame[] = [];
      lines.take(tail.join(new Uint8Array(0)), frames);
      lines.endFrame(frames);
      return frames;
    },
  };
}

/** The bytes after the last line end, until their own line end comes. */
function createTail(): { keep(bytes: Uint8Array): void; join(last: Uint8Array): string } {
  let pending: Uint8Array[] = [];
  let size = 0;
  return {
    keep(bytes) {
      if (bytes.length === 0) return;
      pending.push(bytes);
      size += bytes.length;
      if (size > LINE_BYTES_MAX)
        throw new GatewayError('provider_unreadable', 'The provider sent an event too long to read. Try again, or use another model.');
    },
    join(last) {
      if (pending.length === 0) return Buffer.from(last.buffer, last.byteOffset, last.byteLength).toString('utf8');
      const text = Buffer.concat([...pending, last]).toString('utf8');
      pending = [];
      size = 0;
      return text;
    },
  };
}

/** Takes whole lines and makes frames of them. */
function createLineTaker(): { take(text: string, frames: SseFrame[]): void; endFrame(frames: SseFrame[]): void } {
  let isFirst = true;
  let endedOnReturn = false;
  let event: string | null = null;
  let data: string | null = null;

  function endFrame(frames: SseFrame[]): void {
    if (data !== null) frames.push({ event, data });
    event = null;
    data = null;
  }

  function takeLine(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name !== 'data' && name !== 'event') return;
    const from = colon === -1 ? line.length : line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const value = line.slice(from);
    if (name === 'event') event = value;
    else data = data === null ? value : `${data}\n${value}`;
  }

  /** Where the first line begins: behind a byte order mark, and behind the second half of a line end that was cut. */
  function findBeginning(text: string): number {
    let position = isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    if (endedOnReturn && text.charCodeAt(position) === LINE_FEED) position += 1;
    isFirst = false;
    endedOnReturn = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN;
    return position;
  }

  return {
    endFrame,
    take(text, frames) {
      if (text === '') return;
      let position = findBeginning(text);
      const hasReturns = text.includes('\r');
      while (position < text.length) {
        const end = hasReturns ? findLineEnd(text, position) : text.indexOf('\n', position);
        const lineEnd = end === -1 ? text.length : end;
        if (lineEnd === position) endFrame(frames);
        else takeLine(text.slice(position, lineEnd));
        position = lineEnd + 1;
        if (text.charCodeAt(lineEnd) === CARRIAGE_RETURN && text.charCodeAt(position) === LINE_FEED) position += 1;
      }
    },
  };
}

function findLineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.indexOf('\r', from);
  if (feed === -1) return carriage;
  return carriage === -1 || feed < carriage ? feed : carriage;
}
