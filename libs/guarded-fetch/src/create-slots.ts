import { GatewayError } from '@weir/errors';

type SlotLimits = {
  /** How many run at a time for one owner. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
};

/** Takes one slot of an owner, and resolves to a function that gives it back (calling it twice does no harm). */
export type TakeSlot = (owner: string, signal: AbortSignal | undefined) => Promise<() => void>;

type Share = { running: number; readonly queue: (() => void)[] };

/** Keeps any one owner from using up the whole process. Rejects with `rate_limited` when too many wait already. */
export function createSlots(limits: SlotLimits): TakeSlot {
  const shares = new Map<string, Share>();

  function release(owner: string, share: Share): void {
    const next = share.queue.shift();
    if (next !== undefined) return next();
    share.running -= 1;
    if (share.running === 0) shares.delete(owner);
  }

  return async (owner, signal) => {
    signal?.throwIfAborted();
    const share = shares.get(owner) ?? { running: 0, queue: [] };
    shares.set(owner, share);
    if (share.running < limits.running) share.running += 1;
    else await waitForTurn(share, limits, signal);
    let isHeld = true;
    return () => {
      if (isHeld) release(owner, share);
      isHeld = false;
    };
  };
}

function waitForTurn(share: Share, limits: SlotLimits, signal: AbortSignal | undefined): Promise<void> {
  if (share.queue.length >= limits.waiting) {
    throw new GatewayError('rate_limited', 'Too many files are being fetched for this organization at the moment. Try again shortly.', {
      retryAfterSeconds: 2,
    });
  }
  return new Promise((resolve, reject) => {
    const onTurn = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      share.queue.splice(share.queue.indexOf(onTurn), 1);
      reject(signal?.reason as Error);
    };
    share.queue.push(onTurn);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
