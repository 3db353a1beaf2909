import { EventStreamCodec } from '@smithy/eventstream-codec';
import { crc32 } from 'node:zlib';

/** One message of the binary framing `application/vnd.amazon.eventstream`. */
export type EventFrame = {
  /** `event`, `exception` or `error`. */
  readonly kind: string;
  /** The event's or the exception's name; of an error its code. */
  readonly name: string;
  readonly payload: string;
  /** Of an error, which has no payload. */
  readonly message: string;
};

type EventFrameReader = {
  push(bytes: Uint8Array): EventFrame[];
  /** A checksum or a length did not hold: nothing after it can be trusted, and nothing more is answered. */
  isBroken(): boolean;
};

const PRELUDE_BYTES = 12;
const MESSAGE_BYTES_MIN = PRELUDE_BYTES + 4;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

const BROKEN = -1;

/** Cuts messages out of bytes that come cut anywhere; what is inside a message, and its checksums, the codec reads. */
export function createEventFrameReader(): EventFrameReader {
  const codec = new EventStreamCodec(toText, (text) => Buffer.from(text, 'utf8'));
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  /** How many bytes are needed before the next step can be taken. */
  let needed = PRELUDE_BYTES;
  let isBroken = false;

  function join(bytes: Uint8Array): Buffer {
    if (pending.length > 0) return Buffer.concat([...pending, bytes]);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  function takeMessage(message: Buffer, frames: EventFrame[]): void {
    try {
      frames.push(toFrame(codec.decode(message)));
    } catch {
      isBroken = true; // the caller asks, because the messages before this one still count
    }
  }

  return {
    push(bytes) {
      const frames: EventFrame[] = [];
      if (isBroken) return frames;
      if (pendingBytes + bytes.length < needed) {
        pending.push(bytes);
        pendingBytes += bytes.length;
        return frames;
      }
      const all = join(bytes);
      let position = 0;
      while (!isBroken && all.length - position >= PRELUDE_BYTES) {
        needed = readLength(all, position);
        isBroken = needed === BROKEN;
        if (isBroken || all.length - position < needed) break;
        takeMessage(all.subarray(position, position + needed), frames);
        position += needed;
      }
      if (all.length - position < PRELUDE_BYTES) needed = PRELUDE_BYTES;
      pending = position < all.length ? [all.subarray(position)] : [];
      pendingBytes = all.length - position;
      return frames;
    },
    isBroken: () => isBroken,
  };
}

/** The total length of the message at `position`. A broken one is known by its prelude, before its supposed end is there. */
function readLength(bytes: Buffer, position: number): number {
  const total = bytes.readUInt32BE(position);
  const headers = bytes.readUInt32BE(position + 4);
  const holds =
    total >= MESSAGE_BYTES_MIN + headers &&
    total <= MESSAGE_BYTES_MAX &&
    crc32(bytes.subarray(position, position + 8)) === bytes.readUInt32BE(position + 8);
  return holds ? total : BROKEN;
}

function toFrame({ headers, body }: ReturnType<EventStreamCodec['decode']>): EventFrame {
  const read = (name: string): string | undefined => {
    const value = headers[name]?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    kind: read(':message-type') ?? 'event',
    name: read(':event-type') ?? read(':exception-type') ?? read(':error-code') ?? '',
    payload: toText(body),
    message: read(':error-message') ?? '',
  };
}

function toText(bytes: Uint8Array | string): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
