import { encodePcm } from './encode-pcm';
import { markText, SAMPLE_RATE, type Recording } from './recording';

/** A RIFF file: format, a chunk of our own with the text, samples. */
export function encodeWav(recording: Recording): Buffer[] {
  const pieces = encodePcm(recording);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const mark = Buffer.from(markText(recording));
  const text = Buffer.concat([chunkHead('wtxt', mark.length), mark, Buffer.alloc(mark.length % 2)]);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(SAMPLE_RATE, 4);
  format.writeUInt32LE(SAMPLE_RATE * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const inner = Buffer.concat([Buffer.from('WAVE'), chunkHead('fmt ', format.length), format, text, chunkHead('data', length)]);
  return [Buffer.concat([chunkHead('RIFF', inner.length + length), inner]), ...pieces];
}

function chunkHead(id: string, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(length, 4);
  return head;
}
