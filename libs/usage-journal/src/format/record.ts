import { crc32 } from 'node:zlib';

/**
 * One record: `len u32 | crc32 u32 | type u8 | version u8 | sequence u64 | payload`, little endian. `len` counts what
 * follows the checksum, and the checksum covers it. The layout is frozen: journals outlive the program that wrote them.
 */
export const RECORD = { begin: 1, progress: 2, end: 3, epoch: 4, gap: 5, shortEnd: 6 } as const;

export const RECORD_HEAD_BYTES = 18;
/** Larger than any event by far; what claims to be larger is damage. */
export const RECORD_BYTES_MAX = 1024 * 1024;

const VERSION = 1;
const CHECKED_FROM = 8;
const TYPE_AT = 8;
const VERSION_AT = 9;
const SEQUENCE_AT = 10;
const TOKENS_BYTES = 6;
/** Of a short end, before its id: where in the text of its `begin` the part stands that it leaves out, and how long that is. */
const PART_BYTES = 8;
const WORD = 2 ** 32;
/** A character of a JavaScript string takes at most three bytes. */
const CHARACTER_BYTES_MAX = 3;

/** A part of a text that stands in the text of a `begin` already, in characters. */
export type TextPart = { readonly at: number; readonly length: number };

export type RecordView = {
  readonly type: number;
  readonly sequence: number;
  readonly start: number;
  readonly end: number;
};

/** Writes records into one buffer that is used again and again; a record is valid until the next one is written. */
export class RecordWriter {
  buffer = Buffer.allocUnsafe(64 * 1024);

  /** Returns the record's length, as all of these do. */
  writeBegin(eventId: string, draftJson: string): number {
    return this.seal(RECORD.begin, 0, this.putText(eventId, draftJson));
  }

  writeEnd(sequence: number, eventId: string, eventJson: string): number {
    return this.seal(RECORD.end, sequence, this.putText(eventId, eventJson));
  }

  /** The end of an attempt whose `begin` stands in the same segment: the event's text is `part` of that one's, and then `rest`. */
  writeShortEnd(sequence: number, eventId: string, { at, length }: TextPart, rest: string): number {
    const end = this.putText(eventId, rest, RECORD_HEAD_BYTES + PART_BYTES);
    this.buffer.writeUInt32LE(at, RECORD_HEAD_BYTES);
    this.buffer.writeUInt32LE(length, RECORD_HEAD_BYTES + 4);
    return this.seal(RECORD.shortEnd, sequence, end);
  }

  writeProgress(eventId: string, outputTokens: number): number {
    this.reserve(RECORD_HEAD_BYTES + TOKENS_BYTES + eventId.length * CHARACTER_BYTES_MAX);
    this.buffer.writeUIntLE(outputTokens, RECORD_HEAD_BYTES, TOKENS_BYTES);
    const idAt = RECORD_HEAD_BYTES + TOKENS_BYTES;
    return this.seal(RECORD.progress, 0, idAt + this.buffer.write(eventId, idAt, 'utf8'));
  }

  writeEpoch(epoch: number): number {
    this.buffer.writeUInt32LE(epoch, RECORD_HEAD_BYTES);
    return this.seal(RECORD.epoch, 0, RECORD_HEAD_BYTES + 4);
  }

  /** Sequences `from` to `to`, both included, are lost and were reported. */
  writeGap(from: number, to: number): number {
    writeSequence(this.buffer, from, RECORD_HEAD_BYTES);
    writeSequence(this.buffer, to, RECORD_HEAD_BYTES + 8);
    return this.seal(RECORD.gap, 0, RECORD_HEAD_BYTES + 16);
  }

  private putText(eventId: string, text: string, at = RECORD_HEAD_BYTES): number {
    this.reserve(at + 2 + (eventId.length + text.length) * CHARACTER_BYTES_MAX);
    const { buffer } = this;
    const idBytes = buffer.write(eventId, at + 2, 'utf8');
    buffer.writeUInt16LE(idBytes, at);
    const textAt = at + 2 + idBytes;
    return textAt + buffer.write(text, textAt, 'utf8');
  }

  private reserve(bytes: number): void {
    if (bytes > this.buffer.length) this.buffer = Buffer.allocUnsafe(bytes * 2);
  }

  private seal(type: number, sequence: number, length: number): number {
    if (length > RECORD_BYTES_MAX) throw new RangeError(`a journal record of ${length} bytes exceeds ${RECORD_BYTES_MAX}`);
    const { buffer } = this;
    buffer[TYPE_AT] = type;
    buffer[VERSION_AT] = VERSION;
    writeSequence(buffer, sequence, SEQUENCE_AT);
    buffer.writeUInt32LE(length - CHECKED_FROM, 0);
    buffer.writeUInt32LE(crc32(buffer.subarray(CHECKED_FROM, length)), 4);
    return length;
  }
}

/** Reads the record at `at`. `short`: it reaches beyond `end`, or its head does. `bad`: no record starts here. */
export function readRecord(buffer: Buffer, at: number, end: number): RecordView | 'short' | 'bad' {
  if (end - at < RECORD_HEAD_BYTES) return 'short';
  const length = buffer.readUInt32LE(at);
  const type = buffer[at + TYPE_AT] ?? 0;
  const isPlausible = length >= RECORD_HEAD_BYTES - CHECKED_FROM && length <= RECORD_BYTES_MAX - CHECKED_FROM;
  if (!isPlausible || buffer[at + VERSION_AT] !== VERSION || type < RECORD.begin || type > RECORD.shortEnd) return 'bad';
  // Checked before the checksum, so that looking for a record in rubbish stays cheap: only ends have a sequence.
  const sequence = readSequence(buffer, at + SEQUENCE_AT);
  if (isEnd(type) ? sequence > Number.MAX_SAFE_INTEGER : sequence !== 0) return 'bad';
  const recordEnd = at + CHECKED_FROM + length;
  if (recordEnd > end) return 'short';
  if (crc32(buffer.subarray(at + CHECKED_FROM, recordEnd)) !== buffer.readUInt32LE(at + 4)) return 'bad';
  return { type, sequence, start: at, end: recordEnd };
}

export function isEnd(type: number): boolean {
  return type === RECORD.end || type === RECORD.shortEnd;
}

/** The id and the text of a `begin` or an end; of a short end, the rest of its text. */
export function readText(buffer: Buffer, record: RecordView): { eventId: string; text: string } {
  const at = record.start + RECORD_HEAD_BYTES + (record.type === RECORD.shortEnd ? PART_BYTES : 0);
  const idAt = at + 2;
  const textAt = Math.min(record.end, idAt + buffer.readUInt16LE(at));
  return { eventId: buffer.toString('utf8', idAt, textAt), text: buffer.toString('utf8', textAt, record.end) };
}

/** What a short end leaves out. */
export function readPart(buffer: Buffer, record: RecordView): TextPart {
  const at = record.start + RECORD_HEAD_BYTES;
  return { at: buffer.readUInt32LE(at), length: buffer.readUInt32LE(at + 4) };
}

export function readProgress(buffer: Buffer, record: RecordView): { eventId: string; outputTokens: number } {
  const at = record.start + RECORD_HEAD_BYTES;
  return { outputTokens: buffer.readUIntLE(at, TOKENS_BYTES), eventId: buffer.toString('utf8', at + TOKENS_BYTES, record.end) };
}

export function readEpoch(buffer: Buffer, record: RecordView): number {
  return buffer.readUInt32LE(record.start + RECORD_HEAD_BYTES);
}

export function readGap(buffer: Buffer, record: RecordView): { from: number; to: number } {
  const at = record.start + RECORD_HEAD_BYTES;
  return { from: readSequence(buffer, at), to: readSequence(buffer, at + 8) };
}

/** Sequences stay below 2^53, so plain numbers count them: a million events a second would take 285 years. */
export function writeSequence(buffer: Buffer, sequence: number, at: number): void {
  buffer.writeUInt32LE(sequence % WORD, at);
  buffer.writeUInt32LE(Math.floor(sequence / WORD), at + 4);
}

export function readSequence(buffer: Buffer, at: number): number {
  return buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4) * WORD;
}
