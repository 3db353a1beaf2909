import type { NewContents } from '@weir/database';
import { setTimeout as pause } from 'node:timers/promises';

type QueueParts = {
  readonly write: (batch: readonly NewContents[]) => Promise<void>;
  /** Of contents that were written, and of those that were not, with why. */
  readonly onKept: (batch: readonly Waiting[]) => void;
  readonly onDropped: (batch: readonly Waiting[], error: unknown) => void;
  /** How long the first of a batch waits for others. */
  readonly waitMs: number;
  readonly retryMs: number;
};

type Waiting = { readonly contents: NewContents; readonly bytes: number };

export type ContentQueue = {
  add(waiting: Waiting): void;
  /** Writes what waits; what cannot be written now is dropped. */
  close(): Promise<void>;
};

const BATCH_MAX = 50;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
const TRIES = 3;

/** Writes contents in batches, one at a time and off the way of requests. */
export function createContentQueue({ write, onKept, onDropped, waitMs, retryMs }: QueueParts): ContentQueue {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let isClosing = false;

  const takeBatch = (): Waiting[] => {
    let [count, bytes] = [0, 0];
    for (const one of waiting) {
      bytes += one.bytes;
      if (count === BATCH_MAX || (count > 0 && bytes > BATCH_BYTES_MAX)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  };

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    for (let triesLeft = TRIES; ;) {
      try {
        await write(batch.map(({ contents }) => contents));
        return onKept(batch);
      } catch (error) {
        triesLeft -= 1;
        if (triesLeft === 0 || isClosing) return onDropped(batch, error);
        await pause(retryMs, undefined, { ref: false });
      }
    }
  };

  const writeAll = async (): Promise<void> => {
    if (!isClosing) await pause(waitMs, undefined, { ref: false });
    while (waiting.length > 0) await writeBatch(takeBatch());
    writing = undefined;
  };

  return {
    add: (one) => {
      waiting.push(one);
      writing ??= writeAll();
    },
    close: async () => {
      isClosing = true;
      await (writing ?? writeAll());
    },
  };
}
