import { GatewayError } from '@weir/errors';
import { isIdleTimeout } from './is-idle-timeout';
import type { UpstreamBody } from './response-body';

/**
 * Reads a whole upstream body as bytes. Rejects with `provider_unreadable` beyond `bytesMax`, with `provider_timeout`
 * when it goes silent for too long and with `provider_stream_cut` when the connection breaks first.
 */
export function readLimited(body: UpstreamBody, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytesMax) {
        body.destroy();
        reject(new GatewayError('provider_unreadable', `The provider's answer is larger than ${bytesMax} bytes. Ask for a shorter one.`));
        return;
      }
      chunks.push(chunk);
    });
    body.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)));
    body.on('error', (error) => {
      if (error instanceof GatewayError) {
        reject(error);
        return;
      }
      if (isIdleTimeout(error)) {
        reject(
          new GatewayError('provider_timeout', 'The provider stopped sending before its answer was complete. Try again.', { cause: error }),
        );
        return;
      }
      reject(
        new GatewayError('provider_stream_cut', 'The connection to the provider broke before its answer was complete. Try again.', {
          cause: error,
        }),
      );
    });
    body.on('close', () => {
      if (body.readableEnded) return;
      reject(new GatewayError('provider_stream_cut', 'The connection to the provider closed before its answer was complete. Try again.'));
    });
  });
}
