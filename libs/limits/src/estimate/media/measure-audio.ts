/** Of a recording: what its bytes tell, without believing what it says of itself. */
export type AudioSource = { readonly type: string; readonly size: number; read(): AsyncIterable<Uint8Array> };

/** The lowest bit rate at which speech is still understood; no recording is longer than this makes it. */
const BYTES_PER_SECOND_MIN = 500;
const SCALE = 1_000;

/**
 * How many seconds a recording lasts at most. Exact where every byte belongs to a stretch of sound of known length (MP3
 * frames, uncompressed WAV); elsewhere what its size allows.
 */
export async function measureAudio(source: AudioSource): Promise<number> {
  if (source.type === 'audio/wav') return (await measureWav(source)) ?? boundBySize(source.size);
  if (source.type === 'audio/mpeg') return measureMpeg(source);
  return boundBySize(source.size);
}

function boundBySize(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_SECOND_MIN);
}

const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const HEAD_BYTES_MAX = 4096;
/** Uncompressed: whole numbers, floats, A-law, µ-law, and any of them described at length. */
const PLAIN_FORMATS = new Set([1, 3, 6, 7, 0xfffe]);

/** Undefined when the samples are packed, so that their size tells nothing. */
async function measureWav(source: AudioSource): Promise<number | undefined> {
  const head = await readHead(source);
  let at = RIFF_HEAD_BYTES;
  while (at + 24 <= head.length) {
    const size = head.readUInt32LE(at + 4);
    if (head.toString('latin1', at, at + 4) === 'fmt ') {
      const [format, rate, blockAlign] = [head.readUInt16LE(at + 8), head.readUInt32LE(at + 12), head.readUInt16LE(at + 20)];
      const bytesPerSecond = rate * blockAlign;
      return PLAIN_FORMATS.has(format) && bytesPerSecond > 0 ? Math.ceil((source.size * SCALE) / bytesPerSecond) / SCALE : undefined;
    }
    at += CHUNK_HEAD_BYTES + size + (size % 2);
  }
  return undefined;
}

async function readHead(source: AudioSource): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source.read()) {
    pieces.push(piece);
    length += piece.byteLength;
    if (length >= HEAD_BYTES_MAX) break;
  }
  return Buffer.concat(pieces);
}

const BIT_RATES: Readonly<Record<'first' | 'second' | 'third' | 'low' | 'lower', readonly number[]>> = {
  first: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  second: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  third: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  lower: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** By version: 2.5, none, 2, 1. */
const RATE_DIVISORS = [4, 1, 2, 1];
const FRAME_HEAD_BYTES = 4;

/** Walks the frames; what lies between them counts by its size, as nobody knows what a decoder makes of it. */
async function measureMpeg(source: AudioSource): Promise<number> {
  let [seconds, strayBytes, skip] = [0, 0, 0];
  let rest = Buffer.alloc(0);
  for await (const piece of source.read()) {
    const chunk = rest.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : Buffer.concat([rest, piece]);
    let at = Math.min(skip, chunk.length);
    skip -= at;
    while (at + FRAME_HEAD_BYTES <= chunk.length) {
      const frame = readFrame(chunk, at);
      if (frame === undefined) strayBytes += 1;
      else seconds += frame.seconds;
      at += frame?.bytes ?? 1;
    }
    skip += Math.max(0, at - chunk.length);
    rest = Buffer.from(chunk.subarray(Math.min(at, chunk.length)));
  }
  return Math.ceil((seconds + (strayBytes + rest.length) / BYTES_PER_SECOND_MIN) * SCALE) / SCALE;
}

type Frame = { readonly bytes: number; readonly seconds: number };

function readFrame(chunk: Buffer, at: number): Frame | undefined {
  const head = chunk.readUInt32BE(at);
  const [version, layer] = [(head >>> 19) & 3, 4 - ((head >>> 17) & 3)];
  if (head >>> 21 !== 0x7ff || version === 1 || layer === 4) return undefined;
  const isFirstVersion = version === 3;
  const kilobits = BIT_RATES[chooseTable(isFirstVersion, layer)][(head >>> 12) & 15] ?? 0;
  const rate = (SAMPLE_RATES[(head >>> 10) & 3] ?? 0) / (RATE_DIVISORS[version] ?? 1);
  if (kilobits === 0 || rate === 0) return undefined;
  const samples = countSamples(isFirstVersion, layer);
  const padding = ((head >>> 9) & 1) * (layer === 1 ? 4 : 1);
  return { bytes: Math.max(FRAME_HEAD_BYTES, Math.floor((samples / 8) * ((kilobits * 1000) / rate)) + padding), seconds: samples / rate };
}

function countSamples(isFirstVersion: boolean, layer: number): number {
  if (layer === 1) return 384;
  return layer === 3 && !isFirstVersion ? 576 : 1152;
}

function chooseTable(isFirstVersion: boolean, layer: number): keyof typeof BIT_RATES {
  if (!isFirstVersion) return layer === 1 ? 'low' : 'lower';
  return layer === 1 ? 'first' : layer === 2 ? 'second' : 'third';
}
