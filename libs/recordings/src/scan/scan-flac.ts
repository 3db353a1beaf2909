import { has, take, type Scan, type View } from './scan';

const SIGNATURE_BYTES = 4;
const BLOCK_HEAD_BYTES = 4;
const LAST_BLOCK = 0x80;
const STREAM_INFO_BYTES = 34;
const FRAME_HEAD_BYTES = 16;
/** Where neither the file nor the frame says. */
const RATE_UNKNOWN = 8_000;

/** How long a FLAC file sounds: the sum of its frames, each of which says how many samples it has. */
export function* scanFlac(view: View): Scan<number | undefined> {
  view.at += SIGNATURE_BYTES;
  let rate = 0;
  for (;;) {
    yield BLOCK_HEAD_BYTES + STREAM_INFO_BYTES;
    if (!has(view, BLOCK_HEAD_BYTES)) return undefined;
    const head = take(view, BLOCK_HEAD_BYTES);
    const kind = head.readUInt8(0);
    if ((kind & 0x7f) === 0 && has(view, STREAM_INFO_BYTES)) {
      const reported = readStreamRate(view.bytes.subarray(view.at));
      rate = rate === 0 ? reported : Math.min(rate, reported);
    }
    view.at += head.readUIntBE(1, 3);
    if (kind >= LAST_BLOCK) return yield* scanFrames(view, rate);
  }
}

/** The sample rate that a STREAMINFO block states. */
export function readStreamRate(info: Buffer): number {
  return info.readUIntBE(10, 3) >>> 4;
}

/** Frames do not say how many bytes they have; their heads carry a checksum, without which no decoder takes them. */
function* scanFrames(view: View, rate: number): Scan<number> {
  let seconds = 0;
  for (;;) {
    yield FRAME_HEAD_BYTES;
    const { bytes } = view;
    const end = has(view, FRAME_HEAD_BYTES) ? bytes.length - FRAME_HEAD_BYTES + 1 : bytes.length;
    if (view.at >= end) return seconds;
    for (; view.at < end; view.at += 1) {
      if (bytes[view.at] !== 0xff || ((bytes[view.at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
      seconds += measureFlacFrame(bytes.subarray(view.at, view.at + FRAME_HEAD_BYTES), rate) ?? 0;
    }
  }
}

const SAMPLE_RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const CHANNELS_MAX = 10;

/** For how many seconds a frame sounds that begins here; undefined when none does. Of two rates, the lower. */
export function measureFlacFrame(head: Buffer, streamRate: number): number | undefined {
  const codes = readCodes(head);
  if (codes === undefined) return undefined;
  const { size, rate } = codes;
  const sizeAt = 4 + countNumberBytes(head[4] ?? 0);
  const rateAt = sizeAt + countSizeBytes(size);
  const end = rateAt + countRateBytes(rate);
  if (end >= head.length || checksum(head, end) !== head[end]) return undefined;
  const rates = [streamRate, readFrameRate(head, rate, rateAt)].filter((one) => one > 0);
  return readSamples(head, size, sizeAt) / (rates.length === 0 ? RATE_UNKNOWN : Math.min(...rates));
}

type Codes = { readonly size: number; readonly rate: number };

function readCodes(head: Buffer): Codes | undefined {
  const [sizes, channels] = [head[2] ?? 0, head[3] ?? 0];
  const isSync = head[0] === 0xff && ((head[1] ?? 0) & 0xfe) === 0xf8;
  if (!isSync || channels >>> 4 > CHANNELS_MAX || (channels & 1) !== 0) return undefined;
  const codes = { size: sizes >>> 4, rate: sizes & 15 };
  return codes.size === 0 || codes.rate === 15 ? undefined : codes;
}

function countSizeBytes(code: number): number {
  return code === 6 ? 1 : code === 7 ? 2 : 0;
}

function countRateBytes(code: number): number {
  return code < 12 ? 0 : code === 12 ? 1 : 2;
}

function countNumberBytes(first: number): number {
  return first < 0x80 ? 1 : Math.max(1, Math.clz32(~(first << 24)));
}

function readSamples(head: Buffer, code: number, at: number): number {
  if (code === 1) return 192;
  if (code < 6) return 576 * 2 ** (code - 2);
  if (code === 6) return (head[at] ?? 0) + 1;
  return code === 7 ? head.readUInt16BE(at) + 1 : 256 * 2 ** (code - 8);
}

function readFrameRate(head: Buffer, code: number, at: number): number {
  if (code === 12) return (head[at] ?? 0) * 1000;
  if (code > 12) return head.readUInt16BE(at) * (code === 14 ? 10 : 1);
  return SAMPLE_RATES[code] ?? 0;
}

const CHECKSUM_POLYNOMIAL = 0x07;

function checksum(bytes: Buffer, end: number): number {
  let sum = 0;
  for (let at = 0; at < end; at += 1) {
    sum ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80 ? ((sum << 1) ^ CHECKSUM_POLYNOMIAL) & 0xff : sum << 1;
  }
  return sum;
}
