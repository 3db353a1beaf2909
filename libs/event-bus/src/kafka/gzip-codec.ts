import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Beyond any record batch that a broker takes; a length that claims more is not believed. */
const PLAIN_BYTES_MAX = 64 * 2 ** 20;
/** Of the plain bytes; the last four bytes of what gzip writes. */
const LENGTH_BYTES = 4;

/** What the Kafka client compresses with. */
export type Codec = {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
};

/**
 * gzip for the Kafka client, which by itself unpacks in pieces of 16 KiB and joins them: here what is unpacked has its place
 * at once, which is cheaper by far for the thousands of events of a fetch.
 */
export function createGzipCodec(): Codec {
  return {
    compress: ({ buffer }) => compress(buffer),
    decompress: (buffer) => decompress(buffer, { chunkSize: choosePieceBytes(buffer) }),
  };
}

/** With a byte to spare: one that is filled to the last would be followed by another. */
function choosePieceBytes(packed: Buffer): number {
  const length = packed.length < LENGTH_BYTES ? 0 : packed.readUInt32LE(packed.length - LENGTH_BYTES);
  return length >= constants.Z_MIN_CHUNK && length <= PLAIN_BYTES_MAX ? length + 1 : constants.Z_DEFAULT_CHUNK;
}
