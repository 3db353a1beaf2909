/** What binary COPY begins and ends with: a signature, no flags, no further header; a row without a number of columns. */
export const COPY_START = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = -1;
/** Where Postgres' clock starts: 2000-01-01. */
const EPOCH_MS = 946_684_800_000;
const BYTES_OF_CHARACTER_MAX = 3;

/**
 * Rows in the binary format of COPY: Postgres takes them without parsing, and they are written into one piece of memory
 * outside the heap. Each row is `row()`, then its columns in order.
 */
export class CopyEncoder {
  private buffer: Buffer;
  private at: number;
  private readonly uuids = new Map<string, Buffer>();

  /** `bytes`: about as many as there will be; it grows where they are more. */
  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(COPY_START.length + bytes);
    this.at = COPY_START.copy(this.buffer);
  }

  row(columns: number): this {
    this.reserve(2);
    this.at = this.buffer.writeInt16BE(columns, this.at);
    return this;
  }

  uuid(id: string): this {
    let bytes = this.uuids.get(id);
    if (bytes === undefined) this.uuids.set(id, (bytes = Buffer.from(id.replaceAll('-', ''), 'hex')));
    this.length(bytes.length);
    this.at += bytes.copy(this.buffer, this.at);
    return this;
  }

  bigint(value: bigint): this {
    this.length(8);
    this.at = this.buffer.writeBigInt64BE(value, this.at);
    return this;
  }

  timestamp(epochMs: number): this {
    return this.bigint((BigInt(epochMs) - BigInt(EPOCH_MS)) * 1000n);
  }

  boolean(value: boolean): this {
    this.length(1);
    this.at = this.buffer.writeUInt8(value ? 1 : 0, this.at);
    return this;
  }

  text(value: string): this {
    this.reserve(4 + value.length * BYTES_OF_CHARACTER_MAX);
    const bytes = this.buffer.write(value, this.at + 4);
    this.buffer.writeInt32BE(bytes, this.at);
    this.at += 4 + bytes;
    return this;
  }

  end(): Buffer {
    this.row(COPY_END);
    return this.buffer.subarray(0, this.at);
  }

  private length(bytes: number): void {
    this.reserve(4 + bytes);
    this.at = this.buffer.writeInt32BE(bytes, this.at);
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + bytes);
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}
