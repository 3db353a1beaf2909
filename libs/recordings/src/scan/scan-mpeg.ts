import { measureAdtsFrame } from './packet-lengths';
import { has, positionOf, type Scan, type View } from './scan';

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
/** What the head of every frame begins with. */
const SYNC = 0xff;
const SYNC_REST = 0xe0;

/** How long the frames last, and how many bytes stand between them: what a decoder makes of those is unknown. */
type MpegLength = { readonly seconds: number; readonly strayBytes: number };

/** What was found so far, and where in the file the last frame of each kind ends. */
type Walk = { seconds: number; strayBytes: number; mpegEnd: number; adtsEnd: number };

/**
 * Walks the frames of MP3 and of AAC that stands for itself (ADTS), whatever their bit rates: both, also where those of one
 * kind stand inside those of the other, because decoders differ in which they look for.
 */
export function* scanMpeg(view: View): Scan<MpegLength> {
  const walk: Walk = { seconds: 0, strayBytes: 0, mpegEnd: 0, adtsEnd: 0 };
  for (;;) {
    yield FRAME_HEAD_BYTES;
    if (!has(view, FRAME_HEAD_BYTES)) {
      passTo(walk, view, view.bytes.length);
      return walk;
    }
    while (has(view, FRAME_HEAD_BYTES)) {
      const end = view.bytes.length - FRAME_HEAD_BYTES + 1;
      passTo(walk, view, findHead(view, end));
      if (view.at === end) break;
      const adts = noteFrame(walk, view);
      // Between the bytes of MP3 some look like the head of a frame, but not like two in a row.
      if (adts !== undefined && (positionOf(view) >= walk.mpegEnd || (yield* isFollowed(view, adts.bytes)))) {
        walk.seconds += adts.seconds;
        walk.adtsEnd = positionOf(view) + adts.bytes;
      }
      passTo(walk, view, view.at + 1);
    }
  }
}

/** Where the next head may begin; a buffer's own search takes longer to be asked than the way is to it. */
function findHead({ bytes, at }: View, end: number): number {
  let next = at;
  while (next < end && (bytes[next] !== SYNC || (bytes[next + 1] ?? 0) < SYNC_REST)) next += 1;
  return next;
}

/** Counts what belongs to no frame on the way. */
function passTo(walk: Walk, view: View, end: number): void {
  const covered = Math.max(walk.mpegEnd, walk.adtsEnd) - view.start;
  walk.strayBytes += Math.max(0, end - Math.max(view.at, covered));
  view.at = Math.max(view.at, end);
}

/** Counts an MPEG frame that begins here; returns one of ADTS. */
function noteFrame(walk: Walk, view: View): Frame | undefined {
  const position = positionOf(view);
  const mpeg = position < walk.mpegEnd ? undefined : readMpegFrame(view.bytes, view.at);
  if (mpeg !== undefined) {
    walk.seconds += mpeg.seconds;
    walk.mpegEnd = position + mpeg.bytes;
  }
  return position < walk.adtsEnd ? undefined : readAdtsFrame(view.bytes, view.at);
}

/** Whether a frame that begins here has another one of its kind behind it. */
function* isFollowed(view: View, frameBytes: number): Scan<boolean> {
  const wanted = frameBytes + FRAME_HEAD_BYTES;
  if (!has(view, wanted)) yield wanted;
  const { bytes, at } = view;
  const next = at + frameBytes;
  return has(view, wanted) && bytes[next] === SYNC && bytes[next + 1] === bytes[at + 1] && bytes[next + 2] === bytes[at + 2];
}

type Frame = { readonly bytes: number; readonly seconds: number };

function readMpegFrame(chunk: Buffer, at: number): Frame | undefined {
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
