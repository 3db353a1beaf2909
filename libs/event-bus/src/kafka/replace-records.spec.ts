import { replaceRecords } from './replace-records';

const PACKED = Buffer.from('packed');

type Head = { firstOffset: bigint; magic: number; lastDelta: number; count: number; length: number };

/** A record batch as it stands in the fetched bytes; only with the fields that are read. */
function surround(changed: Partial<Head> = {}): Buffer {
  const head: Head = { firstOffset: 7n, magic: 2, lastDelta: 1, count: 2, length: 49 + PACKED.length, ...changed };
  const before = 11;
  const fetched = Buffer.alloc(before + 61 + PACKED.length);
  fetched.writeBigInt64BE(head.firstOffset, before);
  fetched.writeInt32BE(head.length, before + 8);
  fetched.writeInt8(head.magic, before + 16);
  fetched.writeInt32BE(head.lastDelta, before + 23);
  fetched.writeInt32BE(head.count, before + 57);
  PACKED.copy(fetched, before + 61);
  return fetched.subarray(before + 61);
}

describe('records in place of those of a batch', () => {
  it('are as many, empty, each with its offset', () => {
    const replaced = replaceRecords(surround());
    expect(replaced).toMatchObject({ firstOffset: 7n, records: 2 });
    // Length, attributes, time's delta, offset's delta, no key, no value, no headers.
    expect([...(replaced?.plain ?? [])]).toEqual([12, 0, 0, 0, 1, 1, 0, 12, 0, 0, 2, 1, 1, 0]);
  });

  it('end with the last offset of a batch in which some are missing', () => {
    const replaced = replaceRecords(surround({ lastDelta: 300 }));
    expect([...(replaced?.plain.subarray(7) ?? [])]).toEqual([14, 0, 0, 0xd8, 0x04, 1, 1, 0]);
  });

  it.each<Partial<Head>>([{ magic: 1 }, { length: 50 }, { count: 0 }, { count: 50_001, lastDelta: 50_000 }, { lastDelta: 0 }])(
    'are not made up where the head is not believed: %p',
    (changed) => {
      expect(replaceRecords(surround(changed))).toBeUndefined();
    },
  );

  it('are not made up for bytes with nothing before them', () => {
    const alone = new Uint8Array(6);
    expect(replaceRecords(Buffer.from(alone.buffer))).toBeUndefined();
  });
});
