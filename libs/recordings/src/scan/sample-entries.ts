import { measureAacFrames, OPUS_PACKET_SECONDS_MAX } from './packet-lengths';

const ENTRIES_AT = 8;
const ENTRY_HEAD_BYTES = 8;
const ENTRIES_MAX = 16;

/** How long a sample sounds at most, by the sample descriptions (`stsd`) of a track; undefined unless all of them are known here. */
export function measureSampleEntries(body: Buffer): number | undefined {
  let most = 0;
  let at = ENTRIES_AT;
  for (let index = 0; at + ENTRY_HEAD_BYTES <= body.length; index += 1) {
    const size = body.readUInt32BE(at);
    if (size < ENTRY_HEAD_BYTES || index >= ENTRIES_MAX) return undefined;
    const seconds = measureEntry(body.subarray(at, at + size));
    if (seconds === undefined) return undefined;
    most = Math.max(most, seconds);
    at += size;
  }
  return most > 0 ? most : undefined;
}

function measureEntry(entry: Buffer): number | undefined {
  switch (entry.toString('latin1', 4, 8)) {
    case 'mp4a':
      return mostOf(entry, 'esds', readElementaryStream);
    case 'alac':
      return mostOf(entry.subarray(ENTRY_HEAD_BYTES), 'alac', readAlac);
    case 'Opus':
      return OPUS_PACKET_SECONDS_MAX;
    default:
      return undefined;
  }
}

/** Wherever a box may stand in an entry: of all that look like one, the longest; undefined where one cannot be read. */
function mostOf(entry: Buffer, type: string, read: (body: Buffer) => number | undefined): number | undefined {
  let most: number | undefined;
  for (let at = entry.indexOf(type, 0, 'latin1'); at !== -1; at = entry.indexOf(type, at + 1, 'latin1')) {
    const seconds = read(entry.subarray(at + type.length));
    if (seconds === undefined) return undefined;
    most = Math.max(most ?? 0, seconds);
  }
  return most;
}

const [STREAM, DECODER, OWN] = [3, 4, 5];
/** MPEG-4 audio, and three profiles of MPEG-2 AAC. */
const AAC_TYPES = new Set([0x40, 0x66, 0x67, 0x68]);
const DECODER_BYTES = 13;

function readElementaryStream(body: Buffer): number | undefined {
  const stream = readDescriptor(body, 4, STREAM);
  if (stream === undefined) return undefined;
  const flags = body[stream + 2] ?? 0;
  const addressBytes = flags & 0x40 ? 1 + (body[stream + 3 + (flags & 0x80 ? 2 : 0)] ?? 0) : 0;
  const decoder = readDescriptor(body, stream + 3 + (flags & 0x80 ? 2 : 0) + addressBytes + (flags & 0x20 ? 2 : 0), DECODER);
  if (decoder === undefined || !AAC_TYPES.has(body[decoder] ?? 0)) return undefined;
  const own = readDescriptor(body, decoder + DECODER_BYTES, OWN);
  return own === undefined ? undefined : measureAacFrames(body.subarray(own));
}

/** Where the content of a descriptor begins; undefined when another stands there. Its length is written in up to four bytes. */
function readDescriptor(body: Buffer, at: number, tag: number): number | undefined {
  if (body[at] !== tag) return undefined;
  let end = at + 1;
  while (end < at + 4 && (body[end] ?? 0) >= 0x80) end += 1;
  return end + 1;
}

const ALAC_BYTES = 28;

/** Version and flags, samples a frame, and further on the rate. */
function readAlac(body: Buffer): number | undefined {
  if (body.length < ALAC_BYTES) return undefined;
  const rate = body.readUInt32BE(24);
  return rate === 0 ? undefined : body.readUInt32BE(4) / rate;
}
