/** A checksum without reflection, as FLAC and Ogg use them; `bits` is 8, 16 or 32. */
export function createChecksum(bits: 8 | 16 | 32, polynomial: number): (bytes: Uint8Array) => number {
  const top = 2 ** (bits - 1);
  const mask = 2 ** bits - 1;
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = byte * 2 ** (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = (value >= top ? ((value * 2) & mask) ^ polynomial : value * 2) >>> 0;
    return value & mask;
  });
  return (bytes) => {
    let value = 0;
    for (const byte of bytes) {
      const index = ((value >>> (bits - 8)) ^ byte) & 0xff;
      value = (((value << 8) & mask) ^ (table[index] as number)) >>> 0;
    }
    return value;
  };
}
