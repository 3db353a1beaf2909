import { cutPieces } from './encode-pcm';
import { SAMPLE_RATE, type Recording } from './recording';

const SAMPLES_PER_FRAME = 1024;
/** A raw block of one silent channel. */
const SILENCE = [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
const HEAD_BYTES = 7;
const LENGTH = HEAD_BYTES + SILENCE.length;
/** ADTS: MPEG 4, low complexity, 24 kHz, mono. */
const FRAME = Buffer.from([0xff, 0xf1, 0x58, 0x40 | (LENGTH >> 11), (LENGTH >> 3) & 0xff, ((LENGTH & 7) << 5) | 0x1f, 0xfc, ...SILENCE]);

/** Silent frames; the format has no place for a text. */
export function encodeAac({ seconds }: Recording): Buffer[] {
  const count = Math.max(1, Math.round((seconds * SAMPLE_RATE) / SAMPLES_PER_FRAME));
  return cutPieces(Buffer.concat(Array.from({ length: count }, () => FRAME)));
}
