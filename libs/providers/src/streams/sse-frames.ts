import { GatewayError } from '@weir/errors';

export type SseFrame = { readonly event: string | null; readonly data: string };

type SseReader = {
  push(bytes: Uint8Array): SseFrame[];
  /** The stream is over: a frame whose closing blank line never came is answered too. */
  end(): SseFrame[];
};

/** Where frames go as they are read. */
type FrameSink = {
  frame(data: string, event: string | null): void;
  /** A frame begins at `start`, unless the stream is cut there. Returns where it ends when it was taken as it is; otherwise -1. */
  take?(text: string, start: number): number;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;
/** Beyond it, what came is no event: holding more of it would only eat memory. Pictures inside of events come near to half of it. */
const FRAME_BYTES_MAX = 32 * 1024 * 1024;
/** So much of blank lines and comments in a row keeps no connection open: it only takes the time of other streams. */
const EMPTY_BYTES_MAX = 1024 * 1024;
const NO_BYTES = new Uint8Array(0);

/**
 * Measures a stream of events as it is read, in bytes or characters. Throws `provider_unreadable` soon after one event is too long
 * to be one, or after much that is no event.
 */
export class FrameBounds {
  private empty = 0;

  /** So much of one event is there, without its end. */
  noteUnended(length: number): void {
    if (length > FRAME_BYTES_MAX)
      throw new GatewayError('provider_unreadable', 'The provider sent an event too long to read. Try again, or use another model.');
  }

  /** Whole lines came: so long, with data of an event or without any. */
  noteLines(length: number, hasData: boolean): void {
    this.empty = hasData ? 0 : this.empty + length;
    if (this.empty > EMPTY_BYTES_MAX)
      throw new GatewayError('provider_unreadable', 'The provider sent much that is no event. Try again, or use another model.');
  }
}

/** Server-sent events from bytes cut anywhere, as lists. */
export function createSseReader(): SseReader {
  let frames: SseFrame[] = [];
  const parser = new SseParser({ frame: (data, event) => void frames.push({ event, data }) });
  const take = (): SseFrame[] => {
    const taken = frames;
    frames = [];
    return taken;
  };
  return {
    push(bytes) {
      parser.push(bytes);
      return take();
    },
    end() {
      parser.end();
      return take();
    },
  };
}

/**
 * Reads server-sent events from bytes cut anywhere. Bytes are decoded up to the last line end only: a line end is never
 * part of a longer UTF-8 sequence, so no character is ever split. Line ends may be \n, \r\n or \r.
 */
export class SseParser {
  /** The bytes after the last line end, until their own line end comes. */
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isFirst = true;
  private endedOnReturn = false;
  private readonly bounds = new FrameBounds();
  /** Whether there was data in the lines that came last. */
  private hasTaken = false;
  private event: string | null = null;
  private data: string | null = null;
  /** The lines under way, and where in them the present frame began and the present line ends; -1 when it began before them. */
  private text = '';
  private frameStart = -1;
  private frameEnd = 0;

  constructor(private readonly sink: FrameSink) {}

  push(bytes: Uint8Array): void {
    const cut = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
    if (cut > 0) {
      this.takeLines(this.join(cut === bytes.length ? bytes : bytes.subarray(0, cut)));
      this.bounds.noteLines(cut, this.hasTaken);
    }
    if (cut < bytes.length) this.keep(bytes.subarray(cut));
  }

  end(): void {
    this.takeLines(this.join(NO_BYTES));
    this.endFrame();
  }

  /** The frame that the sink is given, as it came; undefined when it came in pieces. */
  rawFrame(): string | undefined {
    return this.frameStart === -1 ? undefined : this.text.slice(this.frameStart, this.frameEnd);
  }

  private keep(bytes: Uint8Array): void {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    this.bounds.noteUnended(this.pendingBytes + (this.data?.length ?? 0));
  }

  private join(last: Uint8Array): string {
    const bytes = this.pending.length === 0 ? last : Buffer.concat([...this.pending, last]);
    this.pending = [];
    this.pendingBytes = 0;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  private takeLines(text: string): void {
    if (text === '') return;
    this.text = text;
    this.frameStart = -1;
    this.hasTaken = this.data !== null;
    let position = this.findBeginning(text);
    const hasReturns = text.includes('\r');
    while (position < text.length) {
      if (this.data === null && this.event === null) {
        const taken = this.sink.take?.(text, position) ?? -1;
        if (taken !== -1) {
          this.hasTaken = true;
          position = taken;
          continue;
        }
        this.frameStart = position;
      }
      position = this.takeLine(text, position, hasReturns);
    }
    this.text = '';
  }

  /** Takes the line that begins at `start`; returns where the next one begins. */
  private takeLine(text: string, start: number, hasReturns: boolean): number {
    const found = hasReturns ? findLineEnd(text, start) : text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const isReturn = text.charCodeAt(end) === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED;
    const next = end + (isReturn ? 2 : 1);
    this.frameEnd = next;
    if (end === start) this.endFrame();
    else this.takeField(text, start, end);
    return next;
  }

  private endFrame(): void {
    if (this.data !== null) this.sink.frame(this.data, this.event);
    this.event = null;
    this.data = null;
  }

  private takeField(text: string, start: number, end: number): void {
    if (isField(text, 'data', start, end)) {
      const value = valueOf(text, start + 4, end);
      this.data = this.data === null ? value : `${this.data}\n${value}`;
      this.hasTaken = true;
      this.bounds.noteUnended(this.data.length);
    } else if (isField(text, 'event', start, end)) this.event = valueOf(text, start + 5, end);
  }

  /** Where the first line begins: behind a byte order mark, and behind the second half of a line end that was cut. */
  private findBeginning(text: string): number {
    let position = this.isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    if (this.endedOnReturn && text.charCodeAt(position) === LINE_FEED) position += 1;
    this.isFirst = false;
    this.endedOnReturn = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN;
    return position;
  }
}

/** Whether the line is the field of this name; a line without a colon is a field without a value. */
function isField(text: string, name: string, start: number, end: number): boolean {
  const behind = start + name.length;
  return text.startsWith(name, start) && (behind === end || text.startsWith(':', behind));
}

function valueOf(text: string, behind: number, end: number): string {
  if (behind === end) return '';
  return text.slice(text.charCodeAt(behind + 1) === SPACE ? behind + 2 : behind + 1, end);
}

function findLineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.indexOf('\r', from);
  if (feed === -1) return carriage;
  return carriage === -1 || feed < carriage ? feed : carriage;
}
