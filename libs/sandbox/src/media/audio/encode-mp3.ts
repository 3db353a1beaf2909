import { cutPieces } from './encode-pcm';
import { markText, SAMPLE_RATE, type Recording } from './recording';

const SAMPLES_PER_FRAME = 576;
/** 32 kbit/s: 72 × 32,000 ÷ 24,000. */
const FRAME_BYTES = 96;
/** MPEG 2 layer III, 32 kbit/s, 24 kHz, mono. */
const HEAD = [0xff, 0xf3, 0x44, 0xc4];

/** Frames without side information are silence; the text stands in a tag before them. */
export function encodeMp3(recording: Recording): Buffer[] {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set(HEAD);
  const count = Math.max(1, Math.round((recording.seconds * SAMPLE_RATE) / SAMPLES_PER_FRAME));
  return [encodeTag(markText(recording)), ...cutPieces(Buffer.concat(Array.from({ length: count }, () => frame)))];
}

/** An ID3v2.3 tag with one text of our own. */
function encodeTag(mark: string): Buffer {
  const content = Buffer.concat([Buffer.from([0]), Buffer.from('weir\0'), Buffer.from(mark)]);
  const frame = Buffer.alloc(10);
  frame.write('TXXX', 'latin1');
  frame.writeUInt32BE(content.length, 4);
  const size = frame.length + content.length;
  const head = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, (size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f]);
  return Buffer.concat([head, frame, content]);
}
