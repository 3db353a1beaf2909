import { createChecksum } from './checksum';
import { markText, SAMPLE_RATE, type Recording } from './recording';

const SECONDS_PER_PACKET = 0.02;
/** Its clock runs at this rate whatever the input was. */
const CLOCK = 48_000;
const PACKETS_PER_PAGE = 50;
/** 20 milliseconds of silence. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const STREAM_ID = 0x57656972;
const checksum = createChecksum(32, 0x04c11db7);

type Page = { readonly packets: readonly Buffer[]; readonly number: number; readonly position: number; readonly flags: number };

/** Silent packets in Ogg pages; the text stands among the comments. */
export function encodeOpus(recording: Recording): Buffer[] {
  const count = Math.max(1, Math.round(recording.seconds / SECONDS_PER_PACKET));
  const pages = [
    encodePage({ packets: [encodeHead()], number: 0, position: 0, flags: 2 }),
    encodePage({ packets: [encodeTags(markText(recording))], number: 1, position: 0, flags: 0 }),
  ];
  for (let from = 0; from < count; from += PACKETS_PER_PAGE) {
    const until = Math.min(count, from + PACKETS_PER_PAGE);
    const packets = Array.from({ length: until - from }, () => SILENCE);
    const position = Math.round(until * SECONDS_PER_PACKET * CLOCK);
    pages.push(encodePage({ packets, number: pages.length, position, flags: until === count ? 4 : 0 }));
  }
  return pages;
}

function encodeHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 'latin1');
  head[8] = 1;
  head[9] = 1;
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
}

function encodeTags(mark: string): Buffer {
  const vendor = Buffer.from('weir');
  const comment = Buffer.from(`DESCRIPTION=${mark}`);
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4 + 4 + comment.length);
  let at = tags.write('OpusTags', 'latin1');
  at = tags.writeUInt32LE(vendor.length, at);
  at += vendor.copy(tags, at);
  at = tags.writeUInt32LE(1, at);
  at = tags.writeUInt32LE(comment.length, at);
  comment.copy(tags, at);
  return tags;
}

function encodePage({ packets, number, position, flags }: Page): Buffer {
  const laces = packets.flatMap(({ length }) => [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255]);
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head[5] = flags;
  head.writeBigUInt64LE(BigInt(position), 6);
  head.writeUInt32LE(STREAM_ID, 14);
  head.writeUInt32LE(number, 18);
  head[26] = laces.length;
  const page = Buffer.concat([head, Buffer.from(laces), ...packets]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
}
