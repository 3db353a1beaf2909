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

  it('is exact behind chunks that no one reads, and however its blocks are described', async () => {
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

  it('counts the frames of either kind that stand inside those of the other: decoders differ in which they look for', async () => {
    const adts = Buffer.from([0xff, 0xf1, 0x40, 0x40, 4177 >> 3, ((4177 & 7) << 5) | 0x1f, 0xfc]);
    const hidden = Buffer.concat(Array.from({ length: 20 }, () => Buffer.concat([adts, mp3(10)])));
    expect(await measureAudio(source('audio/mpeg', hidden))).toBeGreaterThan((200 * 1152) / 44_100);
    const short = Buffer.from([0xff, 0xf1, 0x6c, 0x40, 13 >> 3, ((13 & 7) << 5) | 0x1f, 0xfc, 0, 0, 0, 0, 0, 0]);
    const frame = mp3(1);
    for (let at = 4; at + short.length <= frame.length; at += short.length) short.copy(frame, at);
    expect(await measureAudio(source('audio/mpeg', Buffer.concat([frame, frame])))).toBeGreaterThan((2 * 30 * 1024) / 8_000);
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

  it('is what the size allows for MP3 in Matroska, where decoders find many frames in one packet', async () => {
    const bytes = await packRecording('matroska', { codec: 'mp3', count: 2, seconds: 1152 / 44_100, bytes: mp3(100) });
    expect(await measureAudio(source('', bytes))).toBe(Math.ceil(bytes.length / 500));
  });

  it('ignores the higher of two sample rates that a FLAC file states', async () => {
    const info = flacHead(8_000);
    info[4] = 0;
    const second = flacHead(640_000).subarray(4);
    const frames = Array.from({ length: 10 }, (_, index) => flacFrame(index));
    const bytes = Buffer.concat([info, second, ...frames]);
    expect(await measureAudio(source('audio/flac', bytes))).toBeCloseTo((10 * 4096) / 8_000, 2);
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

describe('a recording that is made to be read in more than one way', () => {
  const bySize = (bytes: Buffer): number => Math.ceil(bytes.length / 500);

  it('is as long as its size allows when a page of Ogg stands inside of another', async () => {
    const inner = await packRecording('ogg', { codec: 'opus', count: 500, seconds: 0.02 });
    const outer = Buffer.concat([inner.subarray(0, 200), oggPage(inner.subarray(200, 20_000)), inner.subarray(20_000)]);
    expect(await measureAudio(source('', outer, 777))).toBe(bySize(outer));
  });

  it('is as long as its size allows when something else than an element stands between those of a WebM', async () => {
    const [first, second] = [webm([]), Buffer.alloc(2_800 * 14, webmCluster())];
    for (const junk of [Buffer.of(0), Buffer.of(0xa3, 0), Buffer.of(0xec, 0x10, 0xff, 0xff, 0xff)]) {
      const bytes = Buffer.concat([first, second, junk, second]);
      expect(await measureAudio(source('', bytes))).toBe(bySize(bytes));
    }
    const whole = Buffer.concat([first, second]);
    expect(await measureAudio(source('', whole))).toBeCloseTo(2_800 * 0.12, 1);
    const cut = whole.subarray(0, -3);
    expect(await measureAudio(source('', cut))).toBeCloseTo(2_800 * 0.12, 0);
  });

  it('is as long as its size allows when it has more tracks than any has, and takes no time for any', async () => {
    const soundBox = Buffer.concat([box('trak'), box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0soun', 'latin1'))]);
    const films = [
      Buffer.concat([box('moov').fill(0, 0, 4), Buffer.alloc(200_000 * soundBox.length, soundBox)]),
      Buffer.concat([box('moov').fill(0, 0, 4), Buffer.alloc(1_000 * 16, Buffer.from('\0\0\0\x10tfhd\0\0\0\0\0\0\0\x01', 'latin1'))]),
      webm(Array.from({ length: 100 }, (_, index) => Buffer.of(0xae, 0x83, 0xd7, 0x81, 2 + (index % 99)))),
    ];
    for (const film of films) expect(await measureAudio(source('', film, 64 * 1024))).toBe(bySize(film));
  });
});

it('lets others work meanwhile, however much there is to look at', async () => {
  let [isOver, turns] = [false, 0];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const bytes = Buffer.concat([webm([]), Buffer.alloc(1_000_000, Buffer.of(0xec, 0x80))]);
  setImmediate(count);
  await measureAudio(source('', bytes, bytes.length));
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});

it('finds the sound of a QuickTime file, whose tracks state what they contain and then where it is', async () => {
  const bytes = await packRecording('mp4', { codec: 'aac', count: 430, seconds: 1024 / 44_100 });
  // The box with the place of the bytes becomes the second one.
  const at = bytes.indexOf('dinf', 0, 'latin1') - 4;
  const size = bytes.readUInt32BE(at);
  Buffer.concat([box('hdlr', Buffer.from('\0\0\0\0dhlrurl ', 'latin1')), box('free', Buffer.alloc(size - 28))]).copy(bytes, at);
  expect(await measureAudio(source('', bytes))).toBeCloseTo((430 * 1024) / 44_100, 1);
});

function box(type: string, body = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A page of another stream's bytes, without a checksum. */
function oggPage(content: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS');
  const segments = Buffer.alloc(Math.ceil(content.length / 255), 255);
  segments[segments.length - 1] = content.length % 255;
  head[26] = segments.length;
  return Buffer.concat([head, segments, content]);
}

/** The head of a file that is still being written, with an Opus track of number 1 and `more` tracks. */
function webm(more: readonly Buffer[]): Buffer {
  const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
  const track = Buffer.concat([Buffer.of(0xd7, 0x81, 1, 0x83, 0x81, 2, 0x86, 0x86), Buffer.from('A_OPUS')]);
  return Buffer.concat([
    Buffer.of(0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, ...unknownSize),
    Buffer.of(0x16, 0x54, 0xae, 0x6b, ...unknownSize, 0xae, 0x80 + track.length),
    track,
    ...more,
  ]);
}

/** A cluster with one packet of 120 ms. */
function webmCluster(): Buffer {
  return Buffer.of(0x1f, 0x43, 0xb6, 0x75, 0x89, 0xa3, 0x87, 0x81, 0, 0, 0, 0x7b, 6, 0);
}

function flacHead(rate: number): Buffer {
  const head = Buffer.alloc(4 + 4 + 34);
  head.write('fLaC', 0);
  head.writeUInt32BE(0x80000022, 4);
  head.writeUIntBE(rate * 16, 18, 3);
  return head;
}

/** 4096 samples of silence: a head with its checksum, one constant, and a checksum that no one reads here. */
function flacFrame(number: number): Buffer {
  const head = Buffer.from([0xff, 0xf8, 0xc0, 0x08, number]);
  let sum = 0;
  for (const byte of head) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80 ? ((sum << 1) ^ 7) & 0xff : sum << 1;
  }
  return Buffer.concat([head, Buffer.from([sum, 0, 0, 0, 0, 0])]);
}
