import type { ChatEvent } from '@weir/canonical';
import type { ChatStreamDecoder } from '../provider/provider';

/** Decodes a stream cut into pieces of the sizes given, which repeat. */
export function decodeInPieces(decoder: ChatStreamDecoder, body: string, sizes: readonly number[] = [Infinity]): ChatEvent[] {
  const bytes = Buffer.from(body, 'utf8');
  const events: ChatEvent[] = [];
  let position = 0;
  for (let turn = 0; position < bytes.length; turn += 1) {
    const size = Math.min(bytes.length, Math.max(1, sizes[turn % sizes.length] ?? 1));
    events.push(...decoder.push(bytes.subarray(position, position + size)));
    position += size;
  }
  return [...events, ...decoder.end()];
}

/** The events without what is minted by chance or read from the clock. */
export function withoutChance(events: readonly ChatEvent[]): unknown {
  const text = JSON.stringify(events);
  return JSON.parse(
    text
      .replace(/"(call_|chatcmpl-|msg_|resp_|ws_)[0-9a-f]{24}"/g, '"$1minted"')
      .replace(/"createdAtSeconds":\d+/g, '"createdAtSeconds":0'),
  );
}

/** Events as the server-sent events that carry them. */
export function toSse(chunks: readonly unknown[], isDone = true): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), ...(isDone ? ['[DONE]'] : [])].map((data) => `data: ${data}\n\n`).join('');
}
