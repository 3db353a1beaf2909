import { Readable } from 'node:stream';
import { GatewayError } from '@weir/errors';
import type { CancelSignal } from '@weir/upstream-http';

type Pacing = {
  readonly gapMs: number;
  /** Break off after this many frames. */
  readonly cut: number | undefined;
  readonly idleTimeoutMs: number;
  readonly signal: CancelSignal;
};

/** One piece of a body. */
export type Frame = string | Uint8Array;

/**
 * Frames as a body that is read as fast as its reader wants and no faster. Breaks when the signal does, when the gap is
 * longer than the reader waits for, and where `cut` says so.
 */
export function createPacedBody(nextFrame: () => Frame | undefined, pacing: Pacing): Readable {
  const { gapMs, cut, idleTimeoutMs, signal } = pacing;
  const isSlow = gapMs > 0;
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;

  function breakOff(body: Readable): void {
    // After what was sent has been read: destroying at once would throw it away.
    setImmediate(() => body.destroy(new Error('The connection was cut.')));
  }

  function sendOne(body: Readable): boolean {
    if (sent === cut) {
      breakOff(body);
      return false;
    }
    sent += 1;
    const frame = nextFrame();
    return body.push(frame ?? null) && frame !== undefined;
  }

  const onAbort = (): void => void body.destroy(toError(signal.reason));
  const body = new Readable({
    // A broken body has to know that its reader has seen everything, so it holds one frame at a time.
    highWaterMark: cut === undefined ? 16_384 : 1,
    read() {
      if (isSlow && sent > 0) {
        const isTooSlow = idleTimeoutMs > 0 && gapMs > idleTimeoutMs;
        timer = setTimeout(() => (isTooSlow ? body.destroy(silence()) : sendOne(body)), isTooSlow ? idleTimeoutMs : gapMs);
        return;
      }
      let wantsMore = true;
      while (wantsMore) wantsMore = sendOne(body) && !isSlow && cut === undefined;
    },
    destroy(error, callback) {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      callback(error);
    },
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return body;
}

export function silence(): GatewayError {
  return new GatewayError('provider_timeout', 'The provider did not answer in time. Try again, or use another model.');
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The request was aborted.', { cause: reason });
}
