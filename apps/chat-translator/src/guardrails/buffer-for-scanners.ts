import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { RequestGuard } from '@weir/exchange';
import { listStreamTexts } from '@weir/guardrails';
import { ResponseBody, type UpstreamBody } from '@weir/upstream-http';

export type ScannedStream = {
  readonly guard: RequestGuard;
  readonly dialect: ChatDialect;
  /** The stream in the caller's dialect, without a cost; of one that breaks, what can be decoded. */
  readonly encode: (chunks: readonly Buffer[]) => string;
};

const BUFFERED_BYTES_MAX = 16 * 1024 * 1024;

/** A stream of which nothing passes until scanners have seen all of it. */
export function bufferForScanners(body: UpstreamBody, { guard, dialect, encode }: ScannedStream): UpstreamBody {
  const buffered = new ResponseBody({ pause: () => undefined, resume: () => undefined, abort: () => void body.destroy() });
  const chunks: Buffer[] = [];
  let length = 0;

  const release = async (finish: () => void): Promise<void> => {
    await guard.askAboutReply(listStreamTexts(encode(chunks), dialect));
    for (const chunk of chunks) buffered.push(chunk);
    finish();
  };

  body.on('data', (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= BUFFERED_BYTES_MAX) return;
    buffered.cancel(
      new GatewayError('provider_unreadable', 'The answer is longer than what can be scanned as a whole. Ask for a shorter one.'),
    );
  });
  body.on('end', () => void release(() => buffered.end()));
  body.on('error', (error) => void release(() => buffered.fail(error)));
  return buffered;
}
