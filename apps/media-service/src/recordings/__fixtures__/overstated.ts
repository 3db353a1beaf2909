type Mp4 = {
  /** As many as its tables state, of 20 ms each. */
  readonly packets: number;
  /** Whether packets are stated to be played at other times than their own: readers then list them all. */
  readonly hasOffsets?: boolean;
};

/** An MP4 of Opus that has tables and no sound. */
export function makeMp4({ packets, hasOffsets = false }: Mp4): Buffer {
  const opus = box('Opus', words(0, 1, 0, 0), Buffer.of(0, 1, 0, 16), words(0, 48_000 * 65_536), box('dOps', OPUS_HEAD));
  const tables = box(
    'stbl',
    box('stsd', words(0, 1), opus),
    box('stts', words(0, 1, packets, 960)),
    ...(hasOffsets ? [box('ctts', words(0, 1, 1, 1))] : []),
    box('stsc', words(0, 1, 1, packets, 1)),
    box('stsz', words(0, 1, packets)),
    box('stco', words(0, 1, 8)),
  );
  const handler = box('hdlr', words(0, 0), Buffer.from('soun'), words(0, 0, 0), Buffer.of(0));
  const media = box('mdia', box('mdhd', words(0, 0, 0, 48_000, 0, 0x55c40000)), handler, box('minf', tables));
  const track = box('trak', box('tkhd', words(3, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...MATRIX, 0, 0)), media);
  const movie = box('mvhd', words(0, 0, 0, 1_000, 0, 0x10000, 0x1000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2));
  return Buffer.concat([box('ftyp', Buffer.from('isom'), words(0)), box('moov', movie, track)]);
}

const OPUS_HEAD = Buffer.of(0, 1, 0, 0, 0, 0, 0xbb, 0x80, 0, 0, 0);
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

/** A WebM of one cluster, whose blocks state 256 packets without a byte each. */
export function makeWebm({ lacedBlocks }: { readonly lacedBlocks: number }): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(48_000);
  const kind = [element('d7', Buffer.of(1)), element('83', Buffer.of(2)), element('86', Buffer.from('A_OPUS'))];
  const track = element('ae', ...kind, element('e1', element('b5', rate)));
  const block = Buffer.from('a38581000084ff', 'hex');
  const cluster = element('1f43b675', element('e7', Buffer.of(0)), Buffer.alloc(block.length * lacedBlocks, block));
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element('18538067', element('1654ae6b', track), cluster),
  ]);
}

function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length + 0x10000000);
  return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
}

function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([words(data.length + 8), Buffer.from(name, 'latin1'), data]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
