const RATE = 16_000;
const HEAD_BYTES = 44;

/** So many seconds of silence as a WAV file: 16 bits, mono. */
export function makeRecording(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = seconds * RATE * 2;
  const file = new Uint8Array(HEAD_BYTES + bytes);
  const head = Buffer.from(file.buffer, 0, HEAD_BYTES);
  head.write('RIFF', 0);
  head.writeUInt32LE(HEAD_BYTES - 8 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return file;
}
