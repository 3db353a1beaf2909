import { measureOpusPacket, measureVorbisPackets, type PacketLength } from './packet-lengths';
import { has, take, type Scan, type View } from './scan';
import { measureFlacFrame, readStreamRate } from './scan-flac';

/** `OggS`. */
const SIGNATURE = 0x4f676753;
const SIGNATURE_BYTES = 4;
const PAGE_HEAD_BYTES = 27;
const FIRST_HEAD_BYTES = 64;
const SEGMENT_MAX = 255;
const SEGMENTS_MAX = 255;
const STREAMS_MAX = 16;
const [CONTINUED, FIRST_PAGE] = [1, 2];
const FLAC_INFO_AT = 17;

type Stream = {
  /** Undefined until the first packet was read. */
  codec: { readonly headers: number; readonly measure: PacketLength } | undefined;
  packets: number;
  isOpen: boolean;
};

/** How long the streams of an Ogg file sound one after the other: the sum of their packets. Undefined for codecs that are not known here. */
export function* scanOgg(view: View): Scan<number | undefined> {
  const streams = new Map<number, Stream>();
  let seconds = 0;
  for (;;) {
    if (!has(view, PAGE_HEAD_BYTES + SEGMENTS_MAX)) yield PAGE_HEAD_BYTES + SEGMENTS_MAX;
    if (!has(view, PAGE_HEAD_BYTES)) return seconds;
    if (!isPage(view)) {
      view.at += 1; // passed over, as decoders do
      continue;
    }
    const bytes = countPageBytes(view) + SIGNATURE_BYTES - 1;
    if (!has(view, bytes)) yield bytes;
    // One page inside of another: which of them counts is up to the decoder.
    if (view.bytes.subarray(view.at + 1, view.at + bytes).includes('OggS', 0, 'latin1')) return undefined;
    const page = takePage(view);
    const stream = findStream(streams, page);
    if (stream === undefined) return undefined;
    const found = yield* scanPackets(view, stream, page);
    if (found === undefined) return undefined;
    seconds += found;
  }
}

function isPage({ bytes, at }: View): boolean {
  return bytes[at] === 0x4f && bytes.readUInt32BE(at) === SIGNATURE;
}

function countPageBytes({ bytes, at }: View): number {
  const segments = bytes[at + PAGE_HEAD_BYTES - 1] ?? 0;
  let count = PAGE_HEAD_BYTES + segments;
  for (let index = 0; index < segments; index += 1) count += bytes[at + PAGE_HEAD_BYTES + index] ?? 0;
  return count;
}

type Page = { readonly flags: number; readonly serial: number; readonly segments: Buffer };

function takePage(view: View): Page {
  const head = take(view, PAGE_HEAD_BYTES);
  return { flags: head.readUInt8(5), serial: head.readUInt32LE(14), segments: take(view, head.readUInt8(26)) };
}

function findStream(streams: Map<number, Stream>, { flags, serial }: Page): Stream | undefined {
  const known = streams.get(serial);
  if (known !== undefined && (flags & FIRST_PAGE) === 0) return known;
  if (streams.size >= STREAMS_MAX && known === undefined) return undefined;
  const stream: Stream = { codec: undefined, packets: 0, isOpen: false };
  streams.set(serial, stream);
  return stream;
}

function* scanPackets(view: View, stream: Stream, { flags, segments }: Page): Scan<number | undefined> {
  let seconds = 0;
  let isBegun = stream.isOpen && (flags & CONTINUED) !== 0;
  let length = 0;
  for (const [index, segment] of segments.entries()) {
    length += segment;
    const isWhole = segment < SEGMENT_MAX;
    if (!isWhole && index + 1 < segments.length) continue;
    if (!isBegun) {
      if (!has(view, FIRST_HEAD_BYTES)) yield FIRST_HEAD_BYTES;
      const found = measurePacket(stream, view.bytes.subarray(view.at, view.at + Math.min(length, FIRST_HEAD_BYTES)));
      if (found === undefined) return undefined;
      seconds += found;
    }
    view.at += length;
    length = 0;
    isBegun = false;
    stream.isOpen = !isWhole;
  }
  return seconds;
}

/** Undefined when no one here knows the codec. */
function measurePacket(stream: Stream, head: Buffer): number | undefined {
  stream.codec ??= readCodec(head);
  if (stream.codec === undefined) return undefined;
  stream.packets += 1;
  return stream.packets <= stream.codec.headers ? 0 : (stream.codec.measure(head) ?? 0);
}

function readCodec(head: Buffer): Stream['codec'] {
  const text = head.toString('latin1', 0, 8);
  if (text === 'OpusHead') return { headers: 2, measure: measureOpusPacket };
  if (text.startsWith('\x01vorbis')) {
    const seconds = measureVorbisPackets(head);
    return seconds === undefined ? undefined : { headers: 3, measure: () => seconds };
  }
  if (!text.startsWith('\x7fFLAC') || head.length < FLAC_INFO_AT + 18) return undefined;
  const rate = readStreamRate(head.subarray(FLAC_INFO_AT));
  return { headers: 1, measure: (frame) => measureFlacFrame(frame, rate) };
}
