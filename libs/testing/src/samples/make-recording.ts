const HEAD_BYTES = 44;
const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;

/** So many seconds of silence as a WAV file: 16 kHz, 16 bits, mono. */
export function makeRecording(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = Math.round(seconds * SAMPLES_PER_SECOND) * BYTES_PER_SAMPLE;
  const file = new Uint8Array(HEAD_BYTES + bytes);
  const head = Buffer.from(file.buffer, 0, HEAD_BYTES);
  head.write('RIFF', 0);
  head.writeUInt32LE(HEAD_BYTES - 8 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  head.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE, 28);
  head.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  head.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return file;
}
