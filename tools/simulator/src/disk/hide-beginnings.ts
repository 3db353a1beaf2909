import { crc32 } from 'node:zlib';

/** Of the journal's format: its header, and where a record has its length, its checksum, its type and the text of a beginning. */
const HEADER_BYTES = 76;
const CHECKED_FROM = 8;
const HEAD_BYTES = 18;
const BEGIN = 1;

/** A mutation: what a recovery reads of beginnings is no event any more, so what was open is forgotten. */
export function hideBeginnings(segment: Buffer): Buffer {
  for (let at = HEADER_BYTES; at + HEAD_BYTES < segment.length;) {
    const end = at + CHECKED_FROM + segment.readUInt32LE(at);
    if (end > segment.length) break;
    if (segment[at + CHECKED_FROM] === BEGIN) {
      const idBytes = segment.readUInt16LE(at + HEAD_BYTES);
      segment[at + HEAD_BYTES + 2 + idBytes] = 0x28;
      segment.writeUInt32LE(crc32(segment.subarray(at + CHECKED_FROM, end)), at + 4);
    }
    at = end;
  }
  return segment;
}
