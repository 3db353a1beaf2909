import { crc32 } from 'node:zlib';
import { readSequence, writeSequence } from './record';

/** `magic 8 | format u16 | required u16 | polynomial 12 | writer 36 | epoch u32 | first sequence u64 | crc32 u32` */
export const SEGMENT_HEADER_BYTES = 76;

const MAGIC = 'WEIRJRNL';
/** Of 1 there are no short ends. */
const FORMAT = 2;
/**
 * The oldest format that a version has to know to read such a segment; 0, as in segments of before this was written, is the format
 * itself. A record of a new kind takes a new format: one version reads it, and the version behind that writes and requires it.
 */
const REQUIRED = 2;
/** The checksum's polynomial by name, so that no later reader has to guess. */
const POLYNOMIAL = 'crc32-ieee';
const FORMAT_AT = 8;
const REQUIRED_AT = 10;
const POLYNOMIAL_AT = 12;
const WRITER_AT = 24;
const EPOCH_AT = 60;
const SEQUENCE_AT = 64;
const CHECKSUM_AT = 72;

export type SegmentHeader = { readonly writerId: string; readonly epoch: number; readonly firstSequence: number };

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const buffer = Buffer.alloc(SEGMENT_HEADER_BYTES);
  buffer.write(MAGIC, 0, 'latin1');
  buffer.writeUInt16LE(FORMAT, FORMAT_AT);
  buffer.writeUInt16LE(REQUIRED, REQUIRED_AT);
  buffer.write(POLYNOMIAL, POLYNOMIAL_AT, 'latin1');
  buffer.write(header.writerId, WRITER_AT, 36, 'latin1');
  buffer.writeUInt32LE(header.epoch, EPOCH_AT);
  writeSequence(buffer, header.firstSequence, SEQUENCE_AT);
  buffer.writeUInt32LE(crc32(buffer.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return buffer;
}

/** Returns undefined when these bytes are not a whole, undamaged header of a format we know. */
export function decodeSegmentHeader(buffer: Buffer): SegmentHeader | undefined {
  const required = readRequiredFormat(buffer);
  if (required === undefined || required < 1 || required > FORMAT) return undefined;
  if (buffer.toString('latin1', POLYNOMIAL_AT, POLYNOMIAL_AT + POLYNOMIAL.length) !== POLYNOMIAL) return undefined;
  return {
    writerId: buffer.toString('latin1', WRITER_AT, EPOCH_AT),
    epoch: buffer.readUInt32LE(EPOCH_AT),
    firstSequence: readSequence(buffer, SEQUENCE_AT),
  };
}

/** Whether a later version has to read this segment: its header is whole, and says so. */
export function isOfLaterVersion(buffer: Buffer): boolean {
  return (readRequiredFormat(buffer) ?? 0) > FORMAT;
}

function readRequiredFormat(buffer: Buffer): number | undefined {
  if (buffer.length < SEGMENT_HEADER_BYTES || buffer.toString('latin1', 0, FORMAT_AT) !== MAGIC) return undefined;
  if (crc32(buffer.subarray(0, CHECKSUM_AT)) !== buffer.readUInt32LE(CHECKSUM_AT)) return undefined;
  return buffer.readUInt16LE(REQUIRED_AT) || buffer.readUInt16LE(FORMAT_AT);
}
