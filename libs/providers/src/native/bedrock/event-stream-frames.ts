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

export type EventFrameReader = {
  push(bytes: Uint8Array): EventFrame[];
  /** A checksum or a length did not hold: nothing after it can be trusted, and nothing more is answered. */
  isBroken(): boolean;
};

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MESSAGE_BYTES_MIN = PRELUDE_BYTES + CHECKSUM_BYTES;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

const NAMES: ReadonlySet<string> = new Set([':event-type', ':exception-type', ':error-code']);
const STRING = 7;
const BYTES = 6;
/** Bytes of a header's value by its type; types 6 and 7 tell their own length. */
const VALUE_BYTES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

/**
 * Reads messages from bytes cut anywhere. Big-endian: total length, length of the headers, checksum of these eight bytes,
 * headers, payload, checksum of everything before.
 */
export function createEventFrameReader(): EventFrameReader {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let needed = PRELUDE_BYTES;
  let isBroken = false;

  function keep(bytes: Uint8Array): void {
    pending = bytes.length === 0 ? [] : [bytes];
    pendingBytes = bytes.length;
  }

  function join(bytes: Uint8Array): Buffer {
    if (pending.length > 0) return Buffer.concat([...pending, bytes]);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
      for (;;) {
        const length = readLength(all, position);
        needed = length ?? PRELUDE_BYTES;
        if (length === 0 || (length !== undefined && all.length - position >= length && !takeMessage(all, position, frames))) {
          isBroken = true;
          return frames;
        }
        if (length === undefined || all.length - position < length) break;
        position += length;
      }
      keep(all.subarray(position));
      return frames;
    },
    isBroken: () => isBroken,
  };
}

/** The total length of the message at `position`; undefined when its prelude is not there yet, 0 when it does not hold. */
function readLength(bytes: Buffer, position: number): number | undefined {
  if (bytes.length - position < PRELUDE_BYTES) return undefined;
  const total = bytes.readUInt32BE(position);
  const headers = bytes.readUInt32BE(position + 4);
  const holds =
    total >= MESSAGE_BYTES_MIN + headers &&
    total <= MESSAGE_BYTES_MAX &&
    crc32(bytes.subarray(position, position + 8)) === bytes.readUInt32BE(position + 8);
  return holds ? total : 0;
}

function takeMessage(bytes: Buffer, position: number, frames: EventFrame[]): boolean {
  const end = position + bytes.readUInt32BE(position) - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(position, end)) !== bytes.readUInt32BE(end)) return false;
  const payloadAt = position + PRELUDE_BYTES + bytes.readUInt32BE(position + 4);
  const headers = readHeaders(bytes, position + PRELUDE_BYTES, payloadAt);
  if (headers === undefined) return false;
  frames.push({ ...headers, payload: bytes.toString('utf8', payloadAt, end) });
  return true;
}

function readHeaders(bytes: Buffer, from: number, end: number): Omit<EventFrame, 'payload'> | undefined {
  const found = { kind: 'event', name: '', message: '' };
  let position = from;
  while (position < end) {
    const nameEnd = position + 1 + bytes.readUInt8(position);
    if (nameEnd + 1 > end) return undefined;
    const type = bytes.readUInt8(nameEnd);
    const isLong = type === STRING || type === BYTES;
    if (isLong && nameEnd + 3 > end) return undefined;
    const length = isLong ? bytes.readUInt16BE(nameEnd + 1) : VALUE_BYTES[type];
    const valueAt = nameEnd + (isLong ? 3 : 1);
    if (length === undefined || valueAt + length > end) return undefined;
    if (type === STRING) {
      const name = bytes.toString('latin1', position + 1, nameEnd);
      if (name === ':message-type') found.kind = bytes.toString('utf8', valueAt, valueAt + length);
      else if (name === ':error-message') found.message = bytes.toString('utf8', valueAt, valueAt + length);
      else if (NAMES.has(name)) found.name = bytes.toString('utf8', valueAt, valueAt + length);
    }
    position = valueAt + length;
  }
  return found;
}
