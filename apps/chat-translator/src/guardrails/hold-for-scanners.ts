import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { RequestGuard } from '@weir/exchange';
import { listStreamTexts } from '@weir/guardrails';
import { ResponseBody, type UpstreamBody } from '@weir/upstream-http';

export type HeldStream = {
  readonly guard: RequestGuard;
  readonly dialect: ChatDialect;
  /** The stream in the caller's dialect, without a price; of one that breaks, what can be read. */
  readonly report: (chunks: readonly Buffer[]) => string;
};

const HELD_BYTES_MAX = 16 * 1024 * 1024;

/** A stream of which nothing passes until scanners have seen all of it. */
export function holdForScanners(body: UpstreamBody, { guard, dialect, report }: HeldStream): UpstreamBody {
  const held = new ResponseBody({ pause: () => undefined, resume: () => undefined, abort: () => void body.destroy() });
  const chunks: Buffer[] = [];
  let length = 0;

  const release = async (finish: () => void): Promise<void> => {
    await guard.askAboutReply(listStreamTexts(report(chunks), dialect));
    for (const chunk of chunks) held.push(chunk);
    finish();
  };

  body.on('data', (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= HELD_BYTES_MAX) return;
    held.cancel(
      new GatewayError('provider_unreadable', 'The answer is longer than what can be scanned as a whole. Ask for a shorter one.'),
    );
  });
  body.on('end', () => void release(() => held.end()));
  body.on('error', (error) => void release(() => held.fail(error)));
  return held;
}
