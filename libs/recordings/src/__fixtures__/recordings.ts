import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  FlacOutputFormat,
  MkvOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
  type AudioCodec,
  type OutputFormat,
} from 'mediabunny';

/** 44.1 kHz AAC-LC: 1024 samples a frame. */
const AAC_CONFIG = Uint8Array.of(0x12, 0x10);

export const CONTAINERS = {
  webm: () => new WebMOutputFormat(),
  matroska: () => new MkvOutputFormat(),
  'webm that is still being written': () => new WebMOutputFormat({ appendOnly: true }),
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  'mp4 with its tables in front': () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  'mp4 in fragments': () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 0.5 }),
  ogg: () => new OggOutputFormat(),
  flac: () => new FlacOutputFormat(),
} satisfies Record<string, () => OutputFormat>;

export type Container = keyof typeof CONTAINERS;

type Packets = {
  readonly codec: AudioCodec;
  readonly count: number;
  /** Of each. */
  readonly seconds: number;
  readonly bytes?: Uint8Array;
};

/** 20 ms of Opus: one frame. */
export const OPUS_20_MS = Uint8Array.of(0x78, 0, 0, 0, 0, 0, 0, 0);

/** A file of packets without sound, as a recorder writes it. */
export async function packRecording(container: Container, { codec, count, seconds, bytes = OPUS_20_MS }: Packets): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: CONTAINERS[container](), target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = describe(codec);
  for (let index = 0; index < count; index += 1) {
    await source.add(new EncodedPacket(bytes, 'key', index * seconds, seconds), { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

function describe(codec: AudioCodec): AudioDecoderConfig {
  if (codec === 'aac') return { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 44_100, description: AAC_CONFIG };
  if (codec === 'vorbis') return { codec, numberOfChannels: 1, sampleRate: 48_000, description: VORBIS_HEADERS };
  return { codec, numberOfChannels: 1, sampleRate: 48_000, description: OPUS_HEAD };
}

const OPUS_HEAD = Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1');

/** Identification, comment and setup; blocks of 256 and 2048 samples. */
const VORBIS_HEADERS = ((): Uint8Array => {
  const identification = Buffer.alloc(30);
  identification.write('\x01vorbis', 0, 'latin1');
  identification[11] = 1;
  identification.writeUInt32LE(48_000, 12);
  identification[28] = 0xb8;
  identification[29] = 1;
  const comment = Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1');
  // All but its only mode, and the mark behind it, is left out.
  const setup = Buffer.from('\x05vorbis\0\0\0\0\x40\0\0\0\0\x80', 'latin1');
  return Buffer.concat([Buffer.of(2, identification.length, comment.length), identification, comment, setup]);
})();
