import type { GatewayError } from '@weir/errors';
import type { UpstreamBody } from '@weir/upstream-http';

/** What a lane does with the bytes of an upstream stream. Every call returns what to send to the caller ("" for nothing). */
export type StreamConsumer = {
  push(chunk: Buffer): string | Buffer;
  /** The upstream ended its connection in order. Settles if that has not happened yet. Throws when the reply is not complete. */
  end(): string | Buffer;
  /** The upstream failed in mid-stream. Settles, and returns the dialect's in-band error. */
  fail(error: GatewayError): string | Buffer;
  /**
   * The caller went away and the upstream was cut: settles with what is known; with the most that the answer may have
   * come to where its provider bills it whole.
   */
  abandon(isBilledWhole: boolean): void;
  /** Whether the usage is in the journal: from then on bytes may be the last ones. */
  isSettled(): boolean;
  /** Whether the terminal event has been passed on: what follows does not matter any more. */
  isComplete(): boolean;
  /** True when nothing that still comes is part of the reply; absent where only the end of the connection shows it. */
  isOver?(): boolean;
  /** Why the reply failed, where its own terminal event says that it did; absent where none can say so. */
  failure?(): GatewayError | undefined;
};

/** A provider that has begun to reply. */
export type PumpedExchange = {
  readonly lane: { readonly provider: { readonly onCancel: 'abort' | 'drain' } };
  readonly upstream: { readonly body: UpstreamBody };
  readonly attempt: { noteFirstByte(): void };
  readonly place: { noteStreaming(): void; noteOver(error?: GatewayError): void };
};
