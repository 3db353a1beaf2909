import { FrameBounds } from '@weir/providers';

const LF = 0x0a;
const CR = 0x0d;
/** The longest end of a frame but its last byte: what has to be looked at again when more comes. */
const END_BYTES_BEFORE = 3;
const EMPTY = Buffer.alloc(0);

/**
 * Cuts a byte stream after its last complete server-sent event, keeping the rest for the next chunk. Bytes are not
 * looked at beyond that, so frames that need not be read cost nothing; each is looked at and copied once, however often it is cut.
 */
export class FrameSplitter {
  private left: Buffer[] = [];
  private leftBytes = 0;
  /** The last bytes of what is left. */
  private seam: Buffer = EMPTY;
  private readonly bounds = new FrameBounds();

  /** Returns the whole frames available now, or null. Throws `provider_unreadable` for a frame that is too long, or frames without data. */
  push(chunk: Buffer): Buffer | null {
    const end = this.endOfLastFrame(chunk);
    if (end === 0) {
      this.keep(chunk);
      this.bounds.noteUnended(this.leftBytes);
      return null;
    }
    const last = end === chunk.length ? chunk : chunk.subarray(0, end);
    const whole = this.leftBytes === 0 ? last : Buffer.concat([...this.left, last]);
    this.left = [];
    this.leftBytes = 0;
    this.seam = EMPTY;
    if (end < chunk.length) this.keep(chunk.subarray(end));
    this.bounds.noteLines(whole.length, whole.includes('data'));
    return whole;
  }

  /** What is left when the stream ends: a frame the upstream did not close. */
  rest(): Buffer | null {
    return this.leftBytes === 0 ? null : Buffer.concat(this.left);
  }

  private keep(bytes: Buffer): void {
    this.left.push(bytes);
    this.leftBytes += bytes.length;
    this.seam =
      bytes.length >= END_BYTES_BEFORE ? bytes.subarray(-END_BYTES_BEFORE) : Buffer.concat([this.seam, bytes]).subarray(-END_BYTES_BEFORE);
  }

  /** Where in the chunk the last frame ends that has its end there; 0 when none has. */
  private endOfLastFrame(chunk: Buffer): number {
    const end = endOfLastFrame(chunk);
    if (end !== 0 || this.seam.length === 0) return end;
    const joined = endOfLastFrame(Buffer.concat([this.seam, chunk.subarray(0, END_BYTES_BEFORE)]));
    return Math.max(0, joined - this.seam.length);
  }
}

function endOfLastFrame(bytes: Buffer): number {
  const last = bytes.length - 1;
  if (last >= 1 && bytes[last] === LF && (bytes[last - 1] === LF || (bytes[last - 1] === CR && bytes[last - 2] === LF)))
    return bytes.length;
  const plain = bytes.lastIndexOf('\n\n');
  const windows = bytes.lastIndexOf('\r\n\r\n');
  return Math.max(plain === -1 ? 0 : plain + 2, windows === -1 ? 0 : windows + 4);
}
