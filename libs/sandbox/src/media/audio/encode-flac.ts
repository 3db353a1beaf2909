import { createChecksum } from './checksum';
import { makeSamples, markText, SAMPLE_RATE, type Recording } from './recording';

const BLOCK = 4096;
const headChecksum = createChecksum(8, 0x07);
const frameChecksum = createChecksum(16, 0x8005);

/** Blocks of samples as they are, without compression; the text stands among the comments. */
export function encodeFlac(recording: Recording): Buffer[] {
  const samples = makeSamples(recording);
  const pieces: Buffer[] = [Buffer.concat([Buffer.from('fLaC'), encodeStreamInfo(samples.length), encodeComments(markText(recording))])];
  for (let from = 0, number = 0; from < samples.length; from += BLOCK, number += 1) {
    pieces.push(encodeFrame(samples.subarray(from, from + BLOCK), number));
  }
  return pieces;
}

function encodeStreamInfo(total: number): Buffer {
  const block = Buffer.alloc(38);
  block.writeUIntBE(34, 1, 3);
  block.writeUInt16BE(BLOCK, 4);
  block.writeUInt16BE(BLOCK, 6);
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, 36 of samples.
  block.writeBigUInt64BE((BigInt(SAMPLE_RATE) << 44n) | (15n << 36n) | BigInt(total), 14);
  return block;
}

function encodeComments(mark: string): Buffer {
  const comment = Buffer.from(`DESCRIPTION=${mark}`);
  const content = Buffer.alloc(12 + comment.length);
  content.writeUInt32LE(0, 0);
  content.writeUInt32LE(1, 4);
  content.writeUInt32LE(comment.length, 8);
  comment.copy(content, 12);
  const head = Buffer.alloc(4);
  // The last of the blocks of metadata.
  head[0] = 0x80 | 4;
  head.writeUIntBE(content.length, 1, 3);
  return Buffer.concat([head, content]);
}

function encodeFrame(samples: Int16Array, number: number): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(samples.length - 1);
  const head = Buffer.concat([Buffer.from([0xff, 0xf8, 0x77, 0x08]), encodeNumber(number), size]);
  const body = Buffer.alloc(1 + samples.length * 2);
  body[0] = 0x02;
  for (let index = 0; index < samples.length; index += 1) body.writeInt16BE(samples[index] as number, 1 + index * 2);
  const frame = Buffer.concat([head, Buffer.from([headChecksum(head)]), body]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(frameChecksum(frame));
  return Buffer.concat([frame, end]);
}

/** Numbers of frames are written as characters are in UTF-8. */
function encodeNumber(number: number): Buffer {
  return Buffer.from(String.fromCodePoint(number));
}
