import fc from 'fast-check';
import { measureAudio } from './measure-audio';

function source(type: string, bytes: Buffer, pieceBytes = 1000) {
  return {
    type,
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
}

function wav({ format = 1, rate = 16_000, channels = 1, bits = 16, seconds = 3, said = 0 } = {}): Buffer {
  const blockAlign = (channels * bits) / 8;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(said, 28);
  head.writeUInt16LE(blockAlign, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(said, 40);
  return Buffer.concat([head, Buffer.alloc(rate * blockAlign * seconds)]);
}

/** Frames of MPEG 1 layer III at 44.1 kHz, 128 kbit/s: 417 bytes, 1152 samples. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  Buffer.from([0xff, 0xfb, 0x90, 0x00]).copy(frame);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

describe('how long a recording lasts at most', () => {
  it('is exact for an uncompressed WAV, whatever it says of its length', async () => {
    expect(await measureAudio(source('audio/wav', wav({ seconds: 3, said: 1 })))).toBeCloseTo(3, 1);
    expect(await measureAudio(source('audio/wav', wav({ rate: 8_000, bits: 8, seconds: 5 })))).toBeCloseTo(5, 1);
  });

  it('is what the size allows where samples are packed, or nothing is known', async () => {
    const packed = wav({ format: 2 });
    for (const each of [source('audio/wav', packed), source('video/mp4', packed), source('audio/wav', Buffer.alloc(packed.length))]) {
      expect(await measureAudio(each)).toBe(Math.ceil(packed.length / 500));
    }
  });

  it('is exact for MP3 frames, however they are cut into pieces', async () => {
    const bytes = mp3(60);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5_000 }), async (pieceBytes) => {
        expect(await measureAudio(source('audio/mpeg', bytes, pieceBytes))).toBeCloseTo((60 * 1152) / 44_100, 2);
      }),
      { numRuns: 30 },
    );
  });

  it('counts what is no frame by its size', async () => {
    const bytes = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(997), mp3(10)]);
    expect(await measureAudio(source('audio/mpeg', bytes))).toBeCloseTo(2 + (10 * 1152) / 44_100, 2);
    expect(await measureAudio(source('audio/mpeg', Buffer.alloc(0)))).toBe(0);
  });
});
