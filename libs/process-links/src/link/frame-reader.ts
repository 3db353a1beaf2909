import { deserialize, serialize } from 'node:v8';

const HEAD_BYTES = 4;
/** Larger than any message: what claims to be larger is none of ours. */
export const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** One message: its length, then its content. */
export function encodeFrame(content: unknown): Buffer {
  const body = serialize(content);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt32LE(body.length, 0);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

/** Puts messages together from the pieces in which they arrive. */
export class FrameReader {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;

  /** The contents that are whole with this piece. Throws for what is no message. */
  read(piece: Buffer): unknown[] {
    this.pieces.push(piece);
    this.bytes += piece.length;
    const contents: unknown[] = [];
    for (let length = this.nextLength(); this.bytes >= HEAD_BYTES + length; length = this.nextLength()) {
      const whole = this.join();
      const end = HEAD_BYTES + length;
      contents.push(deserialize(whole.subarray(HEAD_BYTES, end)));
      this.pieces[0] = whole.subarray(end);
      this.bytes -= end;
    }
    return contents;
  }

  private nextLength(): number {
    if (this.bytes < HEAD_BYTES) return FRAME_BYTES_MAX;
    const [first] = this.pieces;
    const length = (first !== undefined && first.length >= HEAD_BYTES ? first : this.join()).readUInt32LE(0);
    if (length > FRAME_BYTES_MAX) throw new Error(`a message of ${length} bytes is no message of a link`);
    return length;
  }

  private join(): Buffer {
    const [first] = this.pieces;
    if (first !== undefined && this.pieces.length === 1) return first;
    const whole = Buffer.concat(this.pieces);
    this.pieces.splice(0, this.pieces.length, whole);
    return whole;
  }
}
