import { has, positionOf, take, type Scan, type View } from './scan';

const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** `fmt ` and `data`. */
const [FORMAT, DATA] = [0x666d7420, 0x64617461];
const FORMAT_BYTES_MIN = 16;
const FORMAT_BYTES_MAX = 64;
const DESCRIBED_AT_LENGTH = 0xfffe;
/** Whole numbers, floats. */
const SAMPLES = new Set([1, 3]);
/** A-law, µ-law: a byte a sample. */
const BYTES = new Set([6, 7]);
/** ADPCM of two kinds: half a byte a sample, and one sample in the head of each block. */
const HALF_BYTES = new Set([2, 0x11]);

/**
 * How long a WAV file sounds: every byte from its samples on, at the rate of its format. What it says of its length is not
 * believed. Undefined when the samples are packed, so that their size shows no length.
 */
export function* scanWav(view: View): Scan<number | undefined> {
  view.at += RIFF_HEAD_BYTES;
  let bytesPerSecond = Infinity;
  for (;;) {
    if (!has(view, CHUNK_HEAD_BYTES + FORMAT_BYTES_MAX)) yield CHUNK_HEAD_BYTES + FORMAT_BYTES_MAX;
    if (!has(view, CHUNK_HEAD_BYTES)) return undefined;
    const head = take(view, CHUNK_HEAD_BYTES);
    const name = head.readUInt32BE(0);
    if (name === DATA) return Number.isFinite(bytesPerSecond) ? (view.size - positionOf(view)) / bytesPerSecond : undefined;
    const size = head.readUInt32LE(4);
    if (name === FORMAT) {
      const format = view.bytes.subarray(view.at, view.at + Math.min(size, FORMAT_BYTES_MAX));
      bytesPerSecond = Math.min(bytesPerSecond, readSpeed(format) ?? NaN);
    }
    view.at += size + (size % 2);
  }
}

/** In bytes a second, of two readings the slower; undefined for a format that is not known here. */
function readSpeed(format: Buffer): number | undefined {
  if (format.length < FORMAT_BYTES_MIN) return undefined;
  const said = format.readUInt16LE(0);
  const kind = said === DESCRIBED_AT_LENGTH && format.length >= 26 ? format.readUInt16LE(24) : said;
  const [channels, rate, blockBytes] = [format.readUInt16LE(2), format.readUInt32LE(4), format.readUInt16LE(12)];
  const sampleBytes = Math.ceil(format.readUInt16LE(14) / 8);
  if (channels === 0 || rate === 0 || blockBytes === 0) return undefined;
  if (HALF_BYTES.has(kind)) return rate / (2 / channels + 1 / blockBytes);
  if (BYTES.has(kind)) return rate * Math.min(blockBytes, channels);
  return SAMPLES.has(kind) && sampleBytes > 0 ? rate * Math.min(blockBytes, channels * sampleBytes) : undefined;
}
