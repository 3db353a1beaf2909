const LF = 0x0a;
const CR = 0x0d;
const FRAME_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Cuts a byte stream after its last complete server-sent event, keeping the rest for the next chunk. Bytes are not
 * looked at beyond that, so frames that need not be read cost nothing.
 */
export class FrameSplitter {
  private left: Buffer | null = null;

  /** Returns the whole frames available now, or null. Throws a RangeError for a frame beyond 16 MiB. */
  push(chunk: Buffer): Buffer | null {
    const bytes: Buffer = this.left === null ? chunk : Buffer.concat([this.left, chunk]);
    const end = endOfLastFrame(bytes);
    this.left = end === bytes.length ? null : bytes.subarray(end);
    if (this.left !== null && this.left.length > FRAME_BYTES_MAX) throw new RangeError('a server-sent event is larger than 16 MiB');
    return end === 0 ? null : end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** What is left when the stream ends: a frame the upstream did not close. */
  rest(): Buffer | null {
    return this.left;
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
