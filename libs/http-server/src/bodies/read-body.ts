import { GatewayError } from '@weir/errors';
import type { IncomingMessage } from 'node:http';

const EMPTY = Buffer.alloc(0);

/**
 * Reads a request body whole. Rejects with `body_too_large` as soon as the limit is passed (declared or real) and with
 * `invalid_request` when the caller goes away half-way.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => receiveBytes(request, bytesMax, { use: resolve, fail: reject }));
}

/** What becomes of a body. One of the two is called, once; both where `use` throws. */
export type BytesReceiver = {
  /** What it throws is passed to `fail`. */
  use(bytes: Buffer): void;
  fail(error: unknown): void;
};

/** The same without a promise, which would be kept as long as the request. */
export function receiveBytes(request: IncomingMessage, bytesMax: number, receiver: BytesReceiver): void {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return receiver.fail(tooLarge(bytesMax));
  // A caller that went away while something else was waited for closes no second time.
  if (request.destroyed) return receiver.fail(goneAway());
  const body = new ArrivingBody(bytesMax, receiver);
  request.on('data', (chunk: Buffer) => {
    if (!body.take(chunk)) request.pause();
  });
  request.on('end', () => body.end());
  request.on('error', () => body.fail(endedEarly));
  request.on('close', () => body.fail(goneAway));
}

/** The request keeps its listeners, and with them this, until it has its reply. */
class ArrivingBody {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;

  constructor(
    private readonly bytesMax: number,
    private readonly receiver: BytesReceiver,
  ) {}

  /** False when no more is wanted. */
  take(chunk: Buffer): boolean {
    if (this.isOver) return false;
    this.length += chunk.length;
    if (this.length > this.bytesMax) {
      this.fail(() => tooLarge(this.bytesMax));
      return false;
    }
    this.chunks.push(chunk);
    return true;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { chunks, length, receiver } = this;
    const bytes = chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, length);
    chunks.length = 0;
    try {
      receiver.use(bytes);
    } catch (error) {
      receiver.fail(error);
    }
  }

  /** Every request closes in the end, nearly always after its body was complete: the error is made where it is one. */
  fail(createError: () => GatewayError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.chunks.length = 0;
    this.receiver.fail(createError());
  }
}

function endedEarly(): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before it was complete.');
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
