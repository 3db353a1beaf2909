import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { BusLog } from '../usage-bus';
import { replaceRecords } from './replace-records';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** What a batch may unpack to: four times what a publisher of ours ever sends at once. */
export const PLAIN_BYTES_MAX = 8 * 2 ** 20;
/** Of the plain bytes; the last four bytes of what gzip writes. */
const LENGTH_BYTES = 4;
/** What is wrong with the bytes themselves, and so will be the next time. */
const UNPACKABLE = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_BUFFER_TOO_LARGE']);

/** What the Kafka client compresses with. */
type Codec = {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
};

/**
 * gzip for the Kafka client, which by itself unpacks in pieces of 16 KiB and joins them: here what is unpacked has its place
 * at once, which is cheaper by far for the thousands of events of a fetch. A batch that cannot be unpacked, or only to more
 * than `PLAIN_BYTES_MAX`, is replaced by as many records with nothing in them: an error would make the client ask for the
 * same batch for ever, and no usage of any partition would be counted. Any other error, as where there is no memory, is one:
 * a sound batch is asked for again.
 */
export function createGzipCodec(log: BusLog): Codec {
  return {
    compress: ({ buffer }) => compress(buffer),
    decompress: async (packed) => {
      try {
        return await decompress(packed, { chunkSize: choosePieceBytes(packed), maxOutputLength: PLAIN_BYTES_MAX });
      } catch (error) {
        if (!UNPACKABLE.has(String((error as NodeJS.ErrnoException).code))) throw error;
        return setAside(packed, log, error);
      }
    },
  };
}

/** For compressions that no publisher of ours uses: what comes in them is no usage, and must not keep usage from being counted. */
export function createRefusingCodec(log: BusLog): Codec {
  const refuse = (): Error => new Error('records of the usage topic are compressed with gzip or not at all');
  return {
    compress: () => Promise.reject(refuse()),
    decompress: (packed) => Promise.resolve().then(() => setAside(packed, log, refuse())),
  };
}

/** Throws where what surrounds the packed bytes does not say which records they are. */
function setAside(packed: Buffer, log: BusLog, error: unknown): Buffer {
  const replaced = replaceRecords(packed);
  if (replaced === undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`a batch of records of the usage topic cannot be unpacked (${reason})`, { cause: error });
  }
  const { firstOffset, records } = replaced;
  log.error({ error, firstOffset: String(firstOffset), records }, 'a batch of records cannot be unpacked; they become a dead letter');
  return replaced.plain;
}

/** With a byte to spare: one that is filled to the last would be followed by another. */
function choosePieceBytes(packed: Buffer): number {
  const length = packed.length < LENGTH_BYTES ? 0 : packed.readUInt32LE(packed.length - LENGTH_BYTES);
  return length >= constants.Z_MIN_CHUNK && length <= PLAIN_BYTES_MAX ? length + 1 : constants.Z_DEFAULT_CHUNK;
}
