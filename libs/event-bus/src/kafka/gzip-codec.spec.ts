import { gzipSync } from 'node:zlib';
import { createGzipCodec, createRefusingCodec, PLAIN_BYTES_MAX } from './gzip-codec';

const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
const codec = createGzipCodec(log);

/** Behind the head of a record batch that holds one record, as the Kafka client gives it. */
function asFetched(packed: Buffer): Buffer {
  const head = Buffer.alloc(61);
  head.writeBigInt64BE(41n, 0);
  head.writeInt32BE(49 + packed.length, 8);
  head.writeInt8(2, 16);
  head.writeInt32BE(1, 57);
  return Buffer.concat([head, packed]).subarray(61);
}

const ONE_EMPTY_RECORD = Buffer.from([12, 0, 0, 0, 1, 1, 0]);

describe('the gzip codec of the Kafka client', () => {
  it.each([0, 1, 63, 64, 16 * 1024, 1_000_003])('gives %d bytes back as they were', async (length) => {
    const plain = Buffer.from(Array.from({ length }, (_, at) => at % 251));
    const packed = await codec.compress({ buffer: plain });
    expect(packed.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect((await codec.decompress(packed)).equals(plain)).toBe(true);
  });

  it.each([0, 65, 2 ** 32 - 1])('does not depend on the length that is claimed: refuses %d of a thousand', async (claimed) => {
    const packed = gzipSync(Buffer.alloc(1_000, 'x'));
    packed.writeUInt32LE(claimed, packed.length - 4);
    await expect(codec.decompress(packed)).rejects.toThrow('incorrect length check');
  });

  it('reads what was packed in several members, the last of which states only its own length', async () => {
    const packed = Buffer.concat([gzipSync(Buffer.alloc(5_000, 'a')), gzipSync(Buffer.alloc(70, 'b'))]);
    expect((await codec.decompress(packed)).toString()).toBe('a'.repeat(5_000) + 'b'.repeat(70));
  });

  it.each([Buffer.alloc(0), Buffer.from('no'), Buffer.from('not gzip at all')])('refuses what is not gzip', async (packed) => {
    await expect(codec.decompress(packed)).rejects.toThrow();
  });

  it('unpacks no more than may be, and refuses more where it cannot find out which records it holds', async () => {
    const most = Buffer.alloc(PLAIN_BYTES_MAX, 'x');
    expect((await codec.decompress(gzipSync(most))).equals(most)).toBe(true);
    await expect(codec.decompress(gzipSync(Buffer.alloc(PLAIN_BYTES_MAX + 1)))).rejects.toThrow('larger than');
  });

  it.each([
    ['unpacks to too much', codec, gzipSync(Buffer.alloc(PLAIN_BYTES_MAX + 1))],
    ['is damaged', codec, Buffer.from('not gzip at all')],
    ['is compressed otherwise', createRefusingCodec(log), gzipSync('fine')],
  ])('puts empty records in the place of a batch that %s, and says which', async (_what, chosen, packed) => {
    log.error.mockClear();
    expect(await chosen.decompress(asFetched(packed))).toEqual(ONE_EMPTY_RECORD);
    expect(log.error.mock.calls).toEqual([[{ error: expect.anything(), firstOffset: '41', records: 1 }, expect.any(String)]]);
  });

  it('refuses a sound batch that there is no memory for, so that it is asked for again', async () => {
    const packed = asFetched(gzipSync('fine'));
    const allocate = jest.spyOn(Buffer, 'allocUnsafe').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    await expect(codec.decompress(packed)).rejects.toThrow('allocation failed');
    allocate.mockRestore();
    expect(String(await codec.decompress(packed))).toBe('fine');
  });
});
