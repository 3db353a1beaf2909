const SOUND = 2;

/** A WebM of so many tracks and empty clusters, before the only one with a packet: each track looks through all clusters. */
export function makeCrowdedWebm({ tracks, clusters }: { readonly tracks: number; readonly clusters: number }): Buffer {
  const entries = Array.from({ length: tracks }, (_, index) => makeTrack(index + 1));
  const packet = element('a3', Buffer.from('8100008078', 'hex'));
  const last = element('1f43b675', element('e7', Buffer.of(100)), packet, element('a3', Buffer.from('8100148078', 'hex')));
  const empty = Buffer.alloc(clusters * 5, Buffer.from('1f43b67580', 'hex'));
  const head = element('1a45dfa3', element('4282', Buffer.from('webm')));
  return Buffer.concat([head, element('18538067', element('1654ae6b', ...entries), empty, last)]);
}

const BLOCKS = 1_500;

/** A WebM as a browser streams it, of the smallest packets there are: clusters whose ends are not stated, of 30 seconds each. */
export function makeStreamedWebm(clusters: number): Buffer {
  const blocks = Array.from({ length: BLOCKS }, (_, index) =>
    Buffer.of(0xa3, 0x85, 0x81, (index * 20) >> 8, (index * 20) & 0xff, 0x80, 0x78),
  );
  const body = Buffer.concat(blocks);
  const list = Array.from({ length: clusters }, (_, index) => {
    const time = Buffer.alloc(4);
    time.writeUInt32BE(index * BLOCKS * 20);
    return Buffer.concat([Buffer.from('1f43b675ff', 'hex'), element('e7', time), body]);
  });
  const head = element('1a45dfa3', element('4282', Buffer.from('webm')));
  return Buffer.concat([head, Buffer.from('1853806701ffffffffffffff', 'hex'), element('1654ae6b', makeTrack(1)), ...list]);
}

function makeTrack(number: number): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(48_000);
  const codec = element('86', Buffer.from('A_OPUS'));
  return element('ae', element('d7', Buffer.of(number)), element('83', Buffer.of(SOUND)), codec, element('e1', element('b5', rate)));
}

function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length + 0x10000000);
  return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
}
