import type { ChatEvent } from '@weir/canonical';
import type { ChatStreamDecoder } from '../../../provider/provider';

/** Decodes a binary stream cut into pieces of the sizes given, which repeat. */
export function decodeBytes(decoder: ChatStreamDecoder, bytes: Uint8Array, sizes: readonly number[] = [Infinity]): ChatEvent[] {
  const events: ChatEvent[] = [];
  for (let position = 0, turn = 0; position < bytes.length; turn += 1) {
    const size = Math.min(bytes.length, Math.max(1, sizes[turn % sizes.length] ?? 1));
    events.push(...decoder.push(bytes.subarray(position, position + size)));
    position += size;
  }
  return [...events, ...decoder.end()];
}
