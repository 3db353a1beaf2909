const SAMPLE_RATE = 24_000;
const BYTES_PER_SAMPLE = 2;
/** No one knows yet how long it gets: readers take this for "until the end". */
const UNKNOWN = 0xffffffff;

/** What stands before samples (24 kHz, 16 bit, one channel) to make them a WAV file that is still being written. */
export function encodeWavHead(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(UNKNOWN, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  head.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  head.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(UNKNOWN, 40);
  return head;
}
