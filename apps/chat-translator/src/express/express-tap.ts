import type { Usage } from '@weir/canonical';
import type { PricedUsage } from '@weir/wire-formats';

/** What a dialect's tap may ask of the stream it taps. */
export type TapHost = {
  /** Reads a provider's usage object; `tier` is the service tier told beside it. */
  readonly readUsage: (usage: unknown, tier?: unknown) => Usage | null;
  /** Settles with the usage told, or with an estimate when it is null; as failed where the reply ended in a `failure`. Idempotent. */
  readonly settle: (usage: Usage | null, failure?: string) => PricedUsage;
};

/**
 * Finds usage in a stream that is otherwise passed through, adds the cost, and settles before the terminal event goes out.
 * `push` gets whole frames and answers what to send instead: the very same buffer when nothing concerns it.
 */
export type ExpressTap = {
  push(frames: Buffer): Buffer | string;
  /** The stream ended in order: answers what is still to be sent. */
  end(): string;
  /** Nothing more comes: answers what was held back. */
  readonly flush?: () => string;
  /** Whether the dialect's terminal event was seen. */
  isComplete(): boolean;
  /** Whether the last event was passed on: whatever follows is not part of the answer, and is dropped. */
  isOver(): boolean;
  /** The usage told so far, for a stream that breaks. */
  lastUsage(): Usage | null;
  /** For dialects whose last event tells the whole reply once more: what was finished before the stream broke. */
  readonly output?: () => readonly unknown[];
};

/** A provider that reports a failure inside its stream; `before` is what the caller may still get of the same bytes. */
export class InBandError extends Error {
  constructor(
    readonly body: string,
    readonly before = '',
  ) {
    super('the provider reported a failure in mid-stream');
    this.name = 'InBandError';
  }
}
