import type { Usage } from '@weir/canonical';
import type { PricedUsage } from '@weir/wire-formats';

/** What the tap of a dialect needs from the stream it reads. */
export type TapHost = {
  /** Reads a provider's usage object; `tier` is the service tier reported beside it. */
  readonly readUsage: (usage: unknown, tier?: unknown) => Usage | null;
  /** Whether nothing was passed on, and another attempt may follow: a reply that failed is no reply then. Absent: it never is so. */
  readonly mayBeDropped?: () => boolean;
  /** Settles with the reported usage, or with an estimate when it is null; as failed where the reply ended in a `failure`. Idempotent. */
  readonly settle: (usage: Usage | null, failure?: string) => PricedUsage;
  /** The member of a frame that names the model which was asked for, without spaces: frames that have it need no look. */
  readonly expectedModel: string;
  /** A frame names the model that replies. */
  readonly noteModel: (reported: unknown) => void;
};

/**
 * Finds usage in a stream that is otherwise passed through, adds the cost, and settles before the terminal event goes out.
 * `push` gets whole frames and returns what to send instead: the very same buffer when there is nothing to change.
 */
export type ExpressTap = {
  push(frames: Buffer): Buffer | string;
  /** How many frames came so far, without one that reports a failure. */
  frames(): number;
  /** The stream ended in order: returns what is still to be sent. */
  end(): string;
  /** Nothing more comes: returns what was buffered. */
  readonly flush?: () => string;
  /** Whether the dialect's terminal event was seen. */
  isComplete(): boolean;
  /** Whether the last event was passed on: bytes after it are not part of the reply and are dropped. */
  isOver(): boolean;
  /** The usage reported so far, for a stream that breaks. */
  lastUsage(): Usage | null;
  /** For dialects whose last event repeats the whole reply: the items that were finished before the stream broke. */
  readonly output?: () => readonly unknown[];
};

/** A provider reports a failure inside its stream; `before` is what the caller may still get of the same bytes. */
export class InBandError extends Error {
  constructor(
    readonly body: string,
    readonly before = '',
  ) {
    super('the provider reported a failure in mid-stream');
    this.name = 'InBandError';
  }
}
