import { makeSamples, type Recording } from './recording';

const PIECE_BYTES = 16_384;

/** Samples, little-endian, in pieces as they would come from a speaker. */
export function encodePcm(recording: Recording): Buffer[] {
  const samples = makeSamples(recording);
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index += 1) bytes.writeInt16LE(samples[index] as number, index * 2);
  return cutPieces(bytes);
}

export function cutPieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) pieces.push(bytes.subarray(from, from + PIECE_BYTES));
  return pieces;
}
