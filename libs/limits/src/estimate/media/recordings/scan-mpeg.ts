import { measureAdtsFrame } from './packet-lengths';
import { has, type Scan, type View } from './scan';

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
const FRAME_HEAD_BYTES = 7;

/** What frames sound, and how many bytes lie between them: nobody knows what a decoder makes of those. */
export type MpegLength = { readonly seconds: number; readonly strayBytes: number };

/** Walks the frames of MP3 and of AAC that stands for itself (ADTS), whatever their bit rates. */
export function* scanMpeg(view: View): Scan<MpegLength> {
  let [seconds, strayBytes] = [0, 0];
  for (;;) {
    yield FRAME_HEAD_BYTES;
    if (!has(view, FRAME_HEAD_BYTES)) return { seconds, strayBytes: strayBytes + Math.max(0, view.bytes.length - view.at) };
    while (has(view, FRAME_HEAD_BYTES)) {
      const frame = readFrame(view.bytes, view.at);
      if (frame === undefined) strayBytes += 1;
      else seconds += frame.seconds;
      view.at += frame?.bytes ?? 1;
    }
  }
}

type Frame = { readonly bytes: number; readonly seconds: number };

function readFrame(chunk: Buffer, at: number): Frame | undefined {
  if (chunk[at] !== 0xff) return undefined;
  const head = chunk.readUInt32BE(at);
  const [version, layer] = [(head >>> 19) & 3, 4 - ((head >>> 17) & 3)];
  if (head >>> 21 !== 0x7ff) return undefined;
  if (layer === 4) return readAdtsFrame(chunk, at);
  if (version === 1) return undefined;
  const isFirstVersion = version === 3;
  const kilobits = BIT_RATES[chooseTable(isFirstVersion, layer)][(head >>> 12) & 15] ?? 0;
  const rate = (SAMPLE_RATES[(head >>> 10) & 3] ?? 0) / (RATE_DIVISORS[version] ?? 1);
  if (kilobits === 0 || rate === 0) return undefined;
  const samples = countSamples(isFirstVersion, layer);
  const padding = ((head >>> 9) & 1) * (layer === 1 ? 4 : 1);
  return { bytes: Math.max(FRAME_HEAD_BYTES, Math.floor((samples / 8) * ((kilobits * 1000) / rate)) + padding), seconds: samples / rate };
}

function readAdtsFrame(chunk: Buffer, at: number): Frame | undefined {
  if (((chunk[at + 1] ?? 0) & 0xf6) !== 0xf0) return undefined;
  const bytes = (chunk.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  const seconds = measureAdtsFrame(((chunk[at + 2] ?? 0) >>> 2) & 15, ((chunk[at + 6] ?? 0) & 3) + 1);
  return seconds === undefined || bytes < FRAME_HEAD_BYTES ? undefined : { bytes, seconds };
}

function countSamples(isFirstVersion: boolean, layer: number): number {
  if (layer === 1) return 384;
  return layer === 3 && !isFirstVersion ? 576 : 1152;
}

function chooseTable(isFirstVersion: boolean, layer: number): keyof typeof BIT_RATES {
  if (!isFirstVersion) return layer === 1 ? 'low' : 'lower';
  return layer === 1 ? 'first' : layer === 2 ? 'second' : 'third';
}
