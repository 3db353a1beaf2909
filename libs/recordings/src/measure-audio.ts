import { positionOf, runScan, take, type AudioSource, type Scan, type View } from './scan/scan';
import { scanFlac } from './scan/scan-flac';
import { scanMatroska } from './scan/scan-matroska';
import { scanMp4 } from './scan/scan-mp4';
import { scanMpeg } from './scan/scan-mpeg';
import { scanOgg } from './scan/scan-ogg';
import { scanWav } from './scan/scan-wav';

export type { AudioSource } from './scan/scan';

/** The lowest bit rate at which speech is still understood; no recording of a kind that is not known here is taken to be longer. */
const BYTES_PER_SECOND_MIN = 500;
const SCALE = 1_000;

/**
 * How many seconds a recording lasts at most. It is read once and only as far as needed; its format is found by its
 * bytes. The length is the sum of its packets or frames, which no decoder makes more of; where the codec is not known
 * here, it is bounded by the size of the file.
 */
export async function measureAudio(source: AudioSource): Promise<number> {
  const { head, start } = await runScan(source, scanHead);
  const scan = chooseScan(head, source.type);
  const seconds = scan === undefined ? undefined : await runScan(source, scan, start);
  return seconds === undefined || !Number.isFinite(seconds) ? boundBySize(source.size) : Math.ceil(seconds * SCALE) / SCALE;
}

function boundBySize(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_SECOND_MIN);
}

const TAG_HEAD_BYTES = 10;
const HEAD_BYTES = 12;
const TAGS_MAX = 8;
const HAS_FOOTER = 0x10;

type Head = { readonly head: Buffer; readonly start: number };

/** What a file begins with, behind tags (ID3) that every decoder passes over. */
function* scanHead(view: View): Scan<Head> {
  for (let tags = 0; ; tags += 1) {
    yield HEAD_BYTES;
    const start = positionOf(view);
    const head = take(view, HEAD_BYTES);
    const isTag = head.length >= TAG_HEAD_BYTES && head.toString('latin1', 0, 3) === 'ID3';
    if (!isTag || tags === TAGS_MAX) return { head, start };
    const size = head.subarray(6, TAG_HEAD_BYTES).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
    const footer = head.readUInt8(5) & HAS_FOOTER ? TAG_HEAD_BYTES : 0;
    view.at += TAG_HEAD_BYTES + size + footer - head.length;
  }
}

type ScanFile = (view: View) => Scan<number | undefined>;

const FILM_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'styp']);
const RIFF = new Set(['RIFF', 'RF64', 'BW64']);
const MATROSKA = 0x1a45dfa3;

function chooseScan(head: Buffer, type: string): ScanFile | undefined {
  if (head.length < HEAD_BYTES) return type === 'audio/mpeg' ? scanFrames : undefined;
  const name = head.toString('latin1', 0, 4);
  if (name === 'fLaC') return scanFlac;
  if (name === 'OggS') return scanOgg;
  if (RIFF.has(name) && head.toString('latin1', 8, 12) === 'WAVE') return scanWav;
  if (head.readUInt32BE(0) === MATROSKA) return scanMatroska;
  if (FILM_BOXES.has(head.toString('latin1', 4, 8))) return scanMp4;
  return type === 'audio/mpeg' || head.readUInt16BE(0) >>> 5 === 0x7ff ? scanFrames : undefined;
}

function* scanFrames(view: View): Scan<number> {
  const { seconds, strayBytes } = yield* scanMpeg(view);
  return seconds + strayBytes / BYTES_PER_SECOND_MIN;
}
