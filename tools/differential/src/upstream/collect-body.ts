import type { IncomingMessage } from 'node:http';

/** All of a message's body. */
export async function collectBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
