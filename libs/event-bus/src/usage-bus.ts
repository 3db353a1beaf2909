import type { SequencedUsageEvent } from '@weir/contracts';

/** A run of events in the order of their writers, and where on the bus it came from; null when nothing can be resumed. */
export type UsageBatch = {
  readonly source: { readonly topic: string; readonly partition: number; readonly nextOffset: bigint } | null;
  readonly events: readonly SequencedUsageEvent[];
};

export type UsageHandler = (batch: UsageBatch) => Promise<void>;

export type UsagePublisher = {
  /**
   * Resolves once the bus has taken every event: all replicas of a broker, or the handler itself in one process.
   * Rejects when it cannot say so; publishing the same events again is then safe, their sequence makes repeats harmless.
   */
  publish(events: readonly SequencedUsageEvent[]): Promise<void>;
  close(): Promise<void>;
};

export type UsageConsumer = {
  /**
   * Gives every event to `handler` at least once, in order per writer, one batch per source at a time. A batch counts as
   * taken only when the handler resolved; when it rejects, the same batch comes again after a pause.
   */
  start(handler: UsageHandler): Promise<void>;
  /** Waits for the handler at work, then stops. */
  close(): Promise<void>;
};

export type UsageBus = { readonly publisher: UsagePublisher; readonly consumer: UsageConsumer };

/** The part of a logger the bus speaks to. */
export type BusLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The most events a handler is given at once: one transaction of bounded size. */
export const BATCH_EVENTS_MAX = 5_000;
