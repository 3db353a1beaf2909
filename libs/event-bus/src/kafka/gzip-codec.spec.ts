import { gzipSync } from 'node:zlib';
import { createGzipCodec } from './gzip-codec';

const codec = createGzipCodec();

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

  it('reads what was packed in several members, whose last tells only its own length', async () => {
    const packed = Buffer.concat([gzipSync(Buffer.alloc(5_000, 'a')), gzipSync(Buffer.alloc(70, 'b'))]);
    expect((await codec.decompress(packed)).toString()).toBe('a'.repeat(5_000) + 'b'.repeat(70));
  });

  it.each([Buffer.alloc(0), Buffer.from('no'), Buffer.from('not gzip at all')])('refuses what is not gzip', async (packed) => {
    await expect(codec.decompress(packed)).rejects.toThrow();
  });
});
