import type { ReplyScript } from '@weir/testing';
import type { UpstreamTransport } from '@weir/upstream-http';
import { Readable } from 'node:stream';

/**
 * An upstream that replies to every call with the current script. Each piece of a stream arrives as one chunk: over a socket
 * the system would join and split pieces as it likes, and no two runs would measure the same.
 */
export function createScriptedTransport(script: () => ReplyScript): UpstreamTransport {
  return () => {
    const { status = 200, headers = {}, ...reply } = script();
    const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
    return Promise.resolve({ status, headers: lowered, body: Readable.from(piecesOf(reply), { objectMode: false }) });
  };
}

function piecesOf(reply: ReplyScript): Buffer[] {
  if ('stream' in reply) return reply.stream.map((piece) => Buffer.from(piece));
  const { body } = reply;
  return [body instanceof Uint8Array || typeof body === 'string' ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body))];
}
