import type { NewBlob } from './blob-store';

export function sizeOfBlob(bytes: NewBlob['bytes']): number {
  return Buffer.isBuffer(bytes) ? bytes.length : bytes.size;
}

/** The bytes of a new blob as a stream, which breaks off when they are not as many as was said. */
export async function* readBlobBytes(bytes: NewBlob['bytes']): AsyncGenerator<Uint8Array, void> {
  if (Buffer.isBuffer(bytes)) {
    yield bytes;
    return;
  }
  let size = 0;
  for await (const piece of bytes.read()) {
    size += piece.byteLength;
    yield piece;
  }
  if (size !== bytes.size) throw new Error(`a blob said to have ${bytes.size} bytes has ${size}`);
}
