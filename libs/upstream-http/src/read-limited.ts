import { GatewayError } from '@weir/errors';
import { isIdleTimeout } from './is-idle-timeout';
import type { UpstreamBody } from './response-body';

/** What becomes of a body that is read whole. */
export type WholeReader<Read> = {
  /** All bytes are there. What it throws rejects. */
  read(bytes: Buffer): Read | Promise<Read>;
  /** They cannot be had. Returns the error to reject with. */
  fail(error: GatewayError): unknown;
};

const AS_IT_IS: WholeReader<Buffer> = { read: (bytes) => bytes, fail: (error) => error };

/**
 * Reads a whole upstream body as bytes. Rejects with `provider_unreadable` beyond `bytesMax`, with `provider_timeout`
 * when it goes silent for too long and with `provider_stream_cut` when the connection breaks first.
 */
export function readLimited(body: UpstreamBody, bytesMax: number): Promise<Buffer> {
  return Promise.resolve(readLimitedAs(body, bytesMax, AS_IT_IS));
}

/**
 * The same; resolves with what the reader makes of the bytes, or rejects with what it makes of the error. A body that is complete
 * already is read at once: what the reader returns or throws is returned or thrown.
 */
export function readLimitedAs<Read>(body: UpstreamBody, bytesMax: number, reader: WholeReader<Read>): Read | Promise<Read> {
  const complete = body.takeComplete?.(bytesMax);
  return complete === undefined ? readPieces(body, bytesMax, reader) : reader.read(complete);
}

function readPieces<Read>(body: UpstreamBody, bytesMax: number, reader: WholeReader<Read>): Promise<Read> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const finish = (read: () => Read | Promise<Read>): void => {
      if (isOver) return;
      isOver = true;
      // Nothing that a reader throws may reach the connection, which would not know what to do with it.
      try {
        resolve(read());
      } catch (error) {
        reject(error as Error);
      }
    };
    const fail = (error: GatewayError): void =>
      finish(() => {
        throw reader.fail(error);
      });
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      body.destroy();
      fail(new GatewayError('provider_unreadable', `The provider's answer is larger than ${bytesMax} bytes. Ask for a shorter one.`));
    });
    body.on('end', () =>
      finish(() => reader.read(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length))),
    );
    body.on('error', (error) => fail(explainBreak(error)));
    body.on('close', () => {
      if (!body.readableEnded)
        fail(new GatewayError('provider_stream_cut', 'The connection to the provider closed before its answer was complete. Try again.'));
    });
  });
}

function explainBreak(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isIdleTimeout(error)) {
    return new GatewayError('provider_timeout', 'The provider stopped sending before its answer was complete. Try again.', {
      cause: error,
    });
  }
  return new GatewayError('provider_stream_cut', 'The connection to the provider broke before its answer was complete. Try again.', {
    cause: error,
  });
}
