import fc from 'fast-check';
import { CONTAINERS, OPUS_20_MS, packRecording, type Container } from './__fixtures__/recordings';
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

  it('is exact behind chunks that nobody reads, and however its blocks are described', async () => {
    const plain = wav({ seconds: 3 });
    const chunk = Buffer.alloc(8 + 20_001 + 1);
    chunk.write('LIST', 0);
    chunk.writeUInt32LE(20_001, 4);
    const behind = Buffer.concat([plain.subarray(0, 12), chunk, plain.subarray(12)]);
    expect(await measureAudio(source('audio/wav', behind))).toBeCloseTo(3, 2);
    const wide = Buffer.from(plain);
    wide.writeUInt16LE(2_000, 32);
    expect(await measureAudio(source('audio/wav', wide))).toBeCloseTo(3, 2);
    const halves = wav({ format: 0x11, bits: 4, seconds: 0 });
    halves.writeUInt16LE(256, 32);
    expect(await measureAudio(source('audio/wav', Buffer.concat([halves, Buffer.alloc(8_000 * 3)])))).toBeCloseTo(3, 0);
  });

  it('is what the size allows where samples are packed, or nothing is known', async () => {
    const packed = wav({ format: 0x55 });
    for (const each of [
      source('audio/wav', packed),
      source('video/mp4', Buffer.alloc(packed.length)),
      source('audio/wav', Buffer.alloc(packed.length)),
    ]) {
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

  it('counts what is no frame by its size, but not tags', async () => {
    const frames = (10 * 1152) / 44_100;
    const stray = Buffer.concat([Buffer.alloc(1000), mp3(10)]);
    expect(await measureAudio(source('audio/mpeg', stray))).toBeCloseTo(2 + frames, 2);
    const tag = Buffer.alloc(10 + 100_000);
    Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 6, 13, 32]).copy(tag);
    expect(await measureAudio(source('audio/mpeg', Buffer.concat([tag, mp3(10)])))).toBeCloseTo(frames, 2);
    expect(await measureAudio(source('audio/mpeg', Buffer.alloc(0)))).toBe(0);
  });

  it('is exact for AAC frames that stand for themselves', async () => {
    const frame = Buffer.alloc(200);
    Buffer.from([0xff, 0xf1, 0x50, 0x40, 200 >> 3, ((200 & 7) << 5) | 0x1f, 0xfc]).copy(frame);
    const bytes = Buffer.concat(Array.from({ length: 50 }, () => frame));
    expect(await measureAudio(source('audio/aac', bytes, 333))).toBeCloseTo((50 * 1024) / 44_100, 3);
  });
});

const OPUS: readonly Container[] = ['webm', 'matroska', 'webm that is still being written', 'mp4', 'mp4 in fragments', 'ogg'];
const AAC: readonly Container[] = ['mp4', 'mp4 with its tables in front', 'mp4 in fragments', 'matroska'];

describe('how long a recording in a container lasts at most', () => {
  it.each(OPUS)('is the sum of its Opus packets: %s', async (container) => {
    const bytes = await packRecording(container, { codec: 'opus', count: 500, seconds: 0.02 });
    const found = await measureAudio(source('', bytes, 1_000));
    // In MP4 packets are not looked at.
    expect(found).toBeCloseTo(container.startsWith('mp4') ? 60 : 10, 1);
  });

  it.each(AAC)('is the sum of its AAC frames: %s', async (container) => {
    const seconds = 1024 / 44_100;
    const bytes = await packRecording(container, { codec: 'aac', count: 430, seconds });
    expect(await measureAudio(source('', bytes, 777))).toBeCloseTo(430 * seconds, 1);
  });

  it.each(['ogg', 'webm'] as const)('is that of the longest packets of Vorbis: %s', async (container) => {
    const bytes = await packRecording(container, { codec: 'vorbis', count: 100, seconds: 1024 / 48_000 });
    expect(await measureAudio(source('', bytes))).toBeCloseTo((100 * 1024) / 48_000, 1);
  });

  it('does not believe times that say less than the packets', async () => {
    const long = Uint8Array.of(0x7b, 6, 0, 0, 0, 0);
    for (const container of ['webm', 'ogg'] as const) {
      const bytes = await packRecording(container, { codec: 'opus', count: 100, seconds: 0.001, bytes: long });
      expect(await measureAudio(source('', bytes))).toBeCloseTo(12, 0);
    }
    const frames = await packRecording('mp4', { codec: 'aac', count: 1000, seconds: 0.001 });
    expect(await measureAudio(source('', frames))).toBeCloseTo((1000 * 1024) / 44_100, 0);
  });

  it('believes times that say more', async () => {
    const bytes = await packRecording('webm', { codec: 'opus', count: 3, seconds: 20 });
    expect(await measureAudio(source('', bytes))).toBeGreaterThan(39);
  });

  it('is exact for FLAC frames, silent ones too: a few bytes may stand for seconds', async () => {
    const bytes = Buffer.concat([flacHead(8_000), ...Array.from({ length: 100 }, (_, index) => flacFrame(index))]);
    expect(bytes.length).toBeLessThan(2_000);
    expect(await measureAudio(source('audio/flac', bytes, 7))).toBeCloseTo((100 * 4096) / 8_000, 2);
    const tagged = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]), bytes]);
    expect(await measureAudio(source('audio/mpeg', tagged))).toBeCloseTo((100 * 4096) / 8_000, 2);
  });

  it('is never below what an independent reader finds, nor broken by damage', async () => {
    const samples = await Promise.all(
      (Object.keys(CONTAINERS) as Container[])
        .filter((container) => container !== 'flac')
        .map((container) => packRecording(container, { codec: 'opus', count: 50, seconds: 0.02, bytes: OPUS_20_MS })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3_000 }),
        async (whole, changes, pieceBytes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const found = await measureAudio(source('', bytes, pieceBytes));
          expect(Number.isFinite(found) && found >= 0).toBe(true);
          if (changes.length === 0) expect(found).toBeGreaterThan(0.99);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function flacHead(rate: number): Buffer {
  const head = Buffer.alloc(4 + 4 + 34);
  head.write('fLaC', 0);
  head.writeUInt32BE(0x80000022, 4);
  head.writeUIntBE(rate * 16, 18, 3);
  return head;
}

/** 4096 samples of silence: a head with its checksum, one constant, and a checksum that nobody reads here. */
function flacFrame(number: number): Buffer {
  const head = Buffer.from([0xff, 0xf8, 0xc0, 0x08, number]);
  let sum = 0;
  for (const byte of head) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80 ? ((sum << 1) ^ 7) & 0xff : sum << 1;
  }
  return Buffer.concat([head, Buffer.from([sum, 0, 0, 0, 0, 0])]);
}
