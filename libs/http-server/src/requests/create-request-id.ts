import { randomFillSync } from 'node:crypto';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const POOL_BYTES = 10 * 256;

/** Makes UUIDs of version 7: sortable by time, 74 random bits. Random bytes are drawn for 256 ids at a time. */
export function createRequestIdSource(now: () => number): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const at = used;
    used += 10;
    const hex = (offset: number) => HEX[pool[at + offset] as number] as string;
    const time = now().toString(16).padStart(12, '0');
    const version = HEX[0x70 | ((pool[at] as number) & 0x0f)] as string;
    const variant = HEX[0x80 | ((pool[at + 2] as number) & 0x3f)] as string;
    return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(1)}-${variant}${hex(3)}-${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`;
  };
}
