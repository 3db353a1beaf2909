import {
  measureAacFrames,
  measureOpusPacket,
  measureVorbisPackets,
  OPUS_PACKET_SECONDS_MAX,
  PACKET_HEAD_BYTES,
  type PacketLength,
} from './packet-lengths';
import { has, leaveEnded, positionOf, type Scan, type View } from './scan';

const ID = {
  segment: 0x18538067,
  info: 0x1549a966,
  timeScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  encodings: 0x6d80,
  cluster: 0x1f43b675,
  time: 0xe7,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;
const OPENED = new Set<number>([ID.segment, ID.info, ID.tracks, ID.track, ID.cluster, ID.group]);
const READ = new Set<number>([
  ...[ID.timeScale, ID.duration, ID.trackNumber, ID.trackType, ID.codec, ID.codecPrivate, ID.time, ID.block, ID.simpleBlock],
]);
const AUDIO = 2;
/** An id and a size. */
const HEAD_BYTES_MAX = 16;
/** Of what is read; of blocks, their head alone. */
const VALUE_BYTES_MAX = 64 * 1024;
const BLOCK_HEAD_BYTES = 12 + PACKET_HEAD_BYTES;
const DEPTH_MAX = 16;
/** More than any recording has; every block looks for its own. */
const TRACKS_MAX = 64;
/** More than any recording of an upload's size has; each costs a moment of the process that everybody waits for. */
const ELEMENTS_MAX = 2_000_000;
const NANOSECONDS = 1e9;

type Track = {
  number: number;
  type: number;
  codec: string;
  private: Buffer;
  isEncoded: boolean;
  /** Found with its first block. */
  measure: PacketMeasure | undefined;
  seconds: number;
};
type Film = { readonly tracks: Track[]; timeScale: number; clusterTime: number; duration: number; end: number; isReadable: boolean };

/**
 * How long the longest sound of a WebM or Matroska file lasts: the sum of its packets, or its times where they say more.
 * Undefined for codecs that are not known here, and for files that are not in order.
 */
export function* scanMatroska(view: View): Scan<number | undefined> {
  const film: Film = { tracks: [], timeScale: 1_000_000, clusterTime: 0, duration: 0, end: 0, isReadable: true };
  const ends: number[] = [];
  for (let elements = 0; film.isReadable && elements < ELEMENTS_MAX; elements += 1) {
    if (!has(view, HEAD_BYTES_MAX)) yield HEAD_BYTES_MAX;
    const element = takeElement(view, ends);
    if (element === 'end') return conclude(film);
    if (element === 'broken') return undefined;
    const { id, size } = element;
    if (id === ID.track) film.isReadable = film.tracks.push(createTrack()) <= TRACKS_MAX;
    if (OPENED.has(id)) continue;
    if (READ.has(id)) {
      const wanted = Math.min(size, id === ID.block || id === ID.simpleBlock ? BLOCK_HEAD_BYTES : VALUE_BYTES_MAX);
      if (!has(view, wanted)) yield wanted;
      note(film, id, view.bytes.subarray(view.at, view.at + wanted));
    }
    view.at += size;
  }
  return undefined;
}

type Element = { readonly id: number; readonly size: number };

/** The head of the next element. Elements that others stand in are opened: their ends are kept. */
function takeElement(view: View, ends: number[]): Element | 'end' | 'broken' {
  leaveEnded(ends, positionOf(view));
  const id = takeNumber(view, 'id');
  const size = id === undefined ? undefined : takeNumber(view, 'size');
  // Decoders look for what comes behind something that is no number.
  if (id === undefined || size === undefined) return view.bytes[view.at] === 0 ? 'broken' : 'end';
  const isOpened = OPENED.has(id);
  if (size === Infinity) return isOpened ? { id, size } : 'broken';
  const end = positionOf(view) + size;
  if (end > (ends.at(-1) ?? findEndMax(view, { id, size }))) return 'broken';
  return isOpened && ends.push(end) > DEPTH_MAX ? 'broken' : { id, size };
}

/** The last element of a file may have been cut off, but nothing large hides behind that. */
function findEndMax(view: View, { id, size }: Element): number {
  return OPENED.has(id) || size <= VALUE_BYTES_MAX ? Infinity : view.size;
}

function createTrack(): Track {
  return { number: 0, type: 0, codec: '', private: Buffer.alloc(0), isEncoded: false, measure: undefined, seconds: 0 };
}

/** Undefined at the end of the file, and for what is no number; a size that is not known yet is Infinity. */
function takeNumber(view: View, kind: 'id' | 'size'): number | undefined {
  const first = view.bytes[view.at];
  if (first === undefined || first === 0) return undefined;
  const count = Math.clz32(first) - 23;
  if (!has(view, count)) return undefined;
  const mark = 0x100 >>> count;
  let value = kind === 'id' ? first : first & (mark - 1);
  let isUnknown = kind === 'size' && value === mark - 1;
  for (let index = 1; index < count; index += 1) {
    const byte = view.bytes[view.at + index] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  view.at += count;
  return isUnknown ? Infinity : value;
}

function note(film: Film, id: number, value: Buffer): void {
  const track = film.tracks.at(-1);
  switch (id) {
    case ID.timeScale:
      film.timeScale = readUnsigned(value);
      return;
    case ID.duration:
      film.duration = value.length === 8 ? value.readDoubleBE(0) : value.length === 4 ? value.readFloatBE(0) : 0;
      return;
    case ID.time:
      film.clusterTime = readUnsigned(value);
      return;
    case ID.block:
    case ID.simpleBlock:
      film.isReadable = noteBlock(film, value);
      return;
    default:
      if (track !== undefined) noteTrack(track, id, value);
  }
}

function noteTrack(track: Track, id: number, value: Buffer): void {
  track.measure = undefined;
  if (id === ID.trackNumber) track.number = readUnsigned(value);
  else if (id === ID.trackType) track.type = readUnsigned(value);
  else if (id === ID.codec) track.codec = value.toString('latin1');
  else if (id === ID.codecPrivate) track.private = Buffer.from(value);
  else if (id === ID.encodings) track.isEncoded = true;
}

function readUnsigned(value: Buffer): number {
  let sum = 0;
  for (let at = 0; at < value.length; at += 1) sum = sum * 256 + (value[at] ?? 0);
  return sum;
}

/** Whether the block is of a track whose packets can be measured, or of one without sound. */
function noteBlock(film: Film, block: Buffer): boolean {
  const numberBytes = Math.clz32(block[0] ?? 0) - 23;
  if (numberBytes > 8 || block.length < numberBytes + 3) return true; // no one can read it
  const number = readUnsigned(block.subarray(0, numberBytes)) - 2 ** (7 * numberBytes);
  const track = film.tracks.find((one) => one.number === number);
  if (track === undefined || track.type !== AUDIO) return track !== undefined;
  track.measure ??= track.isEncoded ? undefined : findMeasure(track);
  if (track.measure === undefined) return false;
  const seconds = measureBlock(block.subarray(numberBytes), track.measure);
  track.seconds += seconds;
  const startSeconds = ((film.clusterTime + block.readInt16BE(numberBytes)) * film.timeScale) / NANOSECONDS;
  film.end = Math.max(film.end, startSeconds + seconds);
  return true;
}

const LACING = 0x06;

/** Times, flags, and packets: one, or several laced together. */
function measureBlock(block: Buffer, { first, most }: PacketMeasure): number {
  const isLaced = ((block[2] ?? 0) & LACING) !== 0;
  return isLaced ? ((block[3] ?? 0) + 1) * most : (first(block.subarray(3)) ?? 0);
}

/** A packet by its first bytes; and one that is not looked at. */
type PacketMeasure = { readonly first: PacketLength; readonly most: number };

/** Not of MP3: decoders find several frames in a packet. */
function findMeasure({ codec, private: own }: Track): PacketMeasure | undefined {
  switch (codec) {
    case 'A_OPUS':
      return { first: measureOpusPacket, most: OPUS_PACKET_SECONDS_MAX };
    case 'A_VORBIS':
      return always(measureVorbisPackets(own.subarray(Math.max(0, own.indexOf('\x01vorbis', 0, 'latin1')))));
    case 'A_AAC':
      return always(measureAacFrames(own));
    default:
      return undefined;
  }
}

function always(seconds: number | undefined): PacketMeasure | undefined {
  return seconds === undefined ? undefined : { first: () => seconds, most: seconds };
}

function conclude({ tracks, duration, timeScale, end }: Film): number | undefined {
  const sounds = tracks.filter(({ type }) => type === AUDIO);
  if (sounds.length === 0) return undefined;
  const said = (duration * timeScale) / NANOSECONDS;
  return Math.max(end, Number.isFinite(said) ? said : 0, ...sounds.map(({ seconds }) => seconds));
}
