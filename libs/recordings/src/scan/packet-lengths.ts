/** How many seconds a packet lasts, by its first bytes. Undefined for what is not a packet of sound. */
export type PacketLength = (head: Buffer) => number | undefined;

/** This many bytes of a packet show how long it lasts. */
export const PACKET_HEAD_BYTES = 16;

const OPUS_FRAME_MS_MAX = 120;
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

/** By the first byte, and the second where it counts frames; never more than the format allows. */
export function measureOpusPacket(head: Buffer): number {
  const first = head[0] ?? 0;
  const config = first >>> 3;
  const frameMs = (config < 12 ? SILK_MS[config & 3] : config < 16 ? HYBRID_MS[config & 1] : CELT_MS[config & 3]) ?? 0;
  const code = first & 3;
  const frames = code === 3 ? (head[1] ?? 0xff) & 63 : code === 0 ? 1 : 2;
  return Math.min(frames * frameMs, OPUS_FRAME_MS_MAX) / 1000;
}

/** Of any packet, where its bytes are not at hand. */
export const OPUS_PACKET_SECONDS_MAX = OPUS_FRAME_MS_MAX / 1000;

const VORBIS_IDENTIFICATION_BYTES = 30;

/** The longest packet of a Vorbis stream, by its identification header; shorter packets count as long as it. */
export function measureVorbisPackets(identification: Buffer): number | undefined {
  if (identification.length < VORBIS_IDENTIFICATION_BYTES - 1) return undefined;
  const rate = identification.readUInt32LE(12);
  const sizes = identification[28] ?? 0;
  const samples = 2 ** Math.max(sizes & 15, sizes >>> 4) / 2;
  return rate === 0 ? undefined : samples / rate;
}

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];
const AAC_SAMPLES = 1024;
const EXPLICIT_RATE = 15;
const ESCAPE = 31;
/** Kinds of MPEG-4 audio with up to 1024 samples a frame; the same seconds where another layer doubles the rate. */
const AAC_KINDS = new Set([1, 2, 3, 4, 6, 7, 17, 19, 20, 22, 23, 39]);
/** They say the rate of the layer below first, and their own after it. */
const LAYERED_KINDS = new Set([5, 29]);

/** How long each frame of an AAC stream sounds, by its AudioSpecificConfig. Undefined for other codecs. */
export function measureAacFrames(config: Buffer): number | undefined {
  const bits = createBits(config);
  let kind = readKind(bits);
  const rate = readRate(bits);
  if (LAYERED_KINDS.has(kind)) {
    bits(4); // how many channels
    readRate(bits);
    kind = readKind(bits);
  }
  return AAC_KINDS.has(kind) && rate > 0 ? AAC_SAMPLES / rate : undefined;
}

/** By the index in the head of a frame that stands for itself. */
export function measureAdtsFrame(rateIndex: number, blocks: number): number | undefined {
  const rate = AAC_RATES[rateIndex];
  return rate === undefined ? undefined : (blocks * AAC_SAMPLES) / rate;
}

type Bits = (count: number) => number;

function createBits(bytes: Buffer): Bits {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let end = at + count; at < end; at += 1) value = value * 2 + (((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1);
    return value;
  };
}

function readKind(bits: Bits): number {
  const kind = bits(5);
  return kind === ESCAPE ? 32 + bits(6) : kind;
}

function readRate(bits: Bits): number {
  const index = bits(4);
  return index === EXPLICIT_RATE ? bits(24) : (AAC_RATES[index] ?? 0);
}
