import { measureSampleEntries } from './sample-entries';
import { has, leaveEnded, positionOf, type Scan, type View } from './scan';

/** Boxes that hold boxes on the way to what is read. */
const OPENED = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const READ = new Set(['mvhd', 'tkhd', 'elst', 'mdhd', 'hdlr', 'stsd', 'stts', 'stsz', 'stz2', 'tfhd', 'trun']);
const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
const BOX_BYTES_MAX = 64 * 1024;
const TIMES_AT = 8;
const DEPTH_MAX = 16;
/** More than any recording has; every box is looked at for them. */
const TRACKS_MAX = 64;

type Track = {
  id: number;
  isSound: boolean;
  timeScale: number;
  /** By its times, in its scale; of edits in the scale of the film. */
  duration: number;
  edited: number;
  samples: number;
  /** Of one sample at most; undefined for a codec that is not known here. */
  sampleSeconds: number | undefined;
};
type Film = { timeScale: number; duration: number; readonly tracks: Track[]; readonly fragments: Map<number, number>; fragmentId: number };

/**
 * How long the longest sound of an MP4 or M4A file lasts: its samples, as many as its tables name, or its times where they say
 * more. Undefined for codecs that are not known here, and for files that are not in order.
 */
export function* scanMp4(view: View): Scan<number | undefined> {
  const film: Film = { timeScale: 1, duration: 0, tracks: [], fragments: new Map(), fragmentId: 0 };
  const ends: number[] = [];
  for (;;) {
    if (!has(view, LONG_HEAD_BYTES)) yield LONG_HEAD_BYTES;
    if (!has(view, HEAD_BYTES)) return conclude(film);
    const box = takeBox(view, ends);
    if (box === undefined) return undefined;
    const { type, end } = box;
    if (type === 'trak') film.tracks.push(createTrack());
    if (film.tracks.length > TRACKS_MAX || film.fragments.size > TRACKS_MAX) return undefined;
    if (OPENED.has(type)) continue;
    if (READ.has(type)) yield* readBox(film, view, type, end - positionOf(view));
    view.at = end - view.start;
  }
}

type Box = { readonly type: string; readonly end: number };

/** The head of the next box; undefined where it does not fit. Boxes that others stand in are opened: their ends are kept. */
function takeBox(view: View, ends: number[]): Box | undefined {
  leaveEnded(ends, positionOf(view));
  const outer = ends.at(-1) ?? Infinity;
  const box = takeHead(view, outer);
  if (box.end < positionOf(view) || box.end > outer) return undefined;
  return OPENED.has(box.type) && ends.push(box.end) > DEPTH_MAX ? undefined : box;
}

function createTrack(): Track {
  return { id: 0, isSound: false, timeScale: 1, duration: 0, edited: 0, samples: 0, sampleSeconds: undefined };
}

/** Its end is before its content where its size makes no sense. */
function takeHead(view: View, outer: number): Box {
  const start = positionOf(view);
  const { bytes, at } = view;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  const isLong = size === 1 && has(view, LONG_HEAD_BYTES);
  view.at += isLong ? LONG_HEAD_BYTES : HEAD_BYTES;
  if (size === 0) return { type, end: Math.min(outer, view.size) };
  return { type, end: start + (isLong ? Number(bytes.readBigUInt64BE(at + HEAD_BYTES)) : size) };
}

function* readBox(film: Film, view: View, type: string, size: number): Scan<void> {
  const track = film.tracks.at(-1);
  if (type === 'stts' && track !== undefined) return yield* readTimes(track, view, size);
  const wanted = Math.min(size, BOX_BYTES_MAX);
  if (!has(view, wanted)) yield wanted;
  const body = view.bytes.subarray(view.at, view.at + wanted);
  const read = (at: number): number => (at + 4 <= body.length ? body.readUInt32BE(at) : 0);
  if (type === 'mvhd') [film.timeScale, film.duration] = readScale(body);
  else if (type === 'tfhd') film.fragmentId = read(4);
  else if (type === 'trun') film.fragments.set(film.fragmentId, (film.fragments.get(film.fragmentId) ?? 0) + read(4));
  else if (track !== undefined) noteTrack(track, { type, body, size, read });
}

type TrackBox = { readonly type: string; readonly body: Buffer; readonly size: number; read(at: number): number };

function noteTrack(track: Track, { type, body, size, read }: TrackBox): void {
  const isLong = body[0] === 1;
  if (type === 'tkhd') track.id = read(isLong ? 20 : 12);
  else if (type === 'mdhd') {
    const [timeScale, duration] = readScale(body);
    track.timeScale = timeScale;
    track.duration = Math.max(track.duration, duration);
  } else if (type === 'hdlr') {
    // QuickTime has a second one, which states where the bytes are.
    track.isSound ||= body.toString('latin1', 8, 12) === 'soun';
  } else if (type === 'stsz' || type === 'stz2') track.samples += read(8);
  else if (type === 'elst') track.edited += sumEdits(body, isLong, read);
  else if (type === 'stsd') track.sampleSeconds = size > body.length ? undefined : measureSampleEntries(body);
}

/** Of a header with times: how many units a second has, and how many there are. */
function readScale(body: Buffer): [timeScale: number, duration: number] {
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return [1, 0];
  const duration = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  const isKnown = isLong ? duration < 2 ** 63 : duration !== 0xffffffff;
  return [Math.max(1, body.readUInt32BE(isLong ? 20 : 12)), isKnown ? duration : 0];
}

function sumEdits(body: Buffer, isLong: boolean, read: (at: number) => number): number {
  let sum = 0;
  for (let at = 8; at + 12 <= body.length; at += isLong ? 20 : 12) sum += isLong ? read(at) * 2 ** 32 + read(at + 4) : read(at);
  return sum;
}

/** A table of counts and lengths, entry by entry: it may be large. */
function* readTimes(track: Track, view: View, size: number): Scan<void> {
  view.at += TIMES_AT;
  let duration = 0;
  for (let left = size - TIMES_AT; left >= 8; left -= 8) {
    if (!has(view, 8)) yield 8;
    if (!has(view, 8)) break;
    duration += view.bytes.readUInt32BE(view.at) * view.bytes.readUInt32BE(view.at + 4);
    view.at += 8;
  }
  track.duration = Math.max(track.duration, duration);
}

function conclude(film: Film): number | undefined {
  const sounds = film.tracks.filter(({ isSound }) => isSound);
  const lengths = sounds.map(({ id, timeScale, duration, edited, samples, sampleSeconds }) => {
    if (sampleSeconds === undefined) return NaN;
    const count = samples + (film.fragments.get(id) ?? 0);
    return Math.max(count * sampleSeconds, duration / timeScale, edited / film.timeScale);
  });
  const longest = Math.max(film.duration / film.timeScale, ...lengths);
  return sounds.length === 0 || Number.isNaN(longest) ? undefined : longest;
}
