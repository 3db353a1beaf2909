import { GatewayError } from '@weir/errors';
import type { IncomingMessage } from 'node:http';

const EMPTY = Buffer.alloc(0);

/**
 * Reads a request body whole. Rejects with `body_too_large` as soon as the limit is passed (declared or real) and with
 * `invalid_request` when the caller goes away half-way.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return readBodyAs(request, bytesMax, (bytes) => bytes);
}

/** The same; resolves with what `read` makes of the bytes, and rejects with what it throws. */
export function readBodyAs<Read>(request: IncomingMessage, bytesMax: number, read: (bytes: Buffer) => Read | Promise<Read>): Promise<Read> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  // A caller that went away while something else was waited for closes no second time.
  if (request.destroyed) return Promise.reject(goneAway());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) {
        request.pause();
        reject(tooLarge(bytesMax));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      const bytes = chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, length);
      // The request keeps its listeners, and with them the chunks, until it has its reply.
      chunks.length = 0;
      try {
        resolve(read(bytes));
      } catch (error) {
        reject(error as Error);
      }
    });
    request.on('error', () => reject(new GatewayError('invalid_request', 'The request body ended before it was complete.')));
    request.on('close', () => {
      if (!request.readableEnded) reject(goneAway());
    });
  });
}

function goneAway(): GatewayError {
  return new GatewayError('invalid_request', 'The connection closed before the request body was complete.');
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError(
    'body_too_large',
    `The request body is larger than the ${bytesMax} bytes that are accepted here. Send less in one request.`,
  );
}
