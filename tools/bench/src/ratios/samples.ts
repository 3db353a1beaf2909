/** A checkout's gateway, or the relay that they are compared with. */
export type TargetName = 'relay' | CheckoutName;
export type CheckoutName = 'before' | 'now';

/** What can be read off one measurement; which of them were depends on the measurement. */
export type Values = {
  /** CPU microseconds a request: of the processes that hold callers' connections, and of all. */
  readonly serving?: number;
  readonly all?: number;
  readonly perSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** A request. */
  readonly promises?: number;
  readonly kilobytes?: number;
  /** A stream, over what the process takes at rest. */
  readonly streamKilobytes?: number;
  readonly stalled?: number;
};

/** Names of what is measured but is no load by itself. */
export const COUNTS = 'counts';
export const ONE_PROCESS = 'one process';
export const ALL_CORES = 'all cores';
export const OPEN_STREAMS = 'open streams';

/** One target asked for one thing in one round. */
export type Sample = {
  readonly load: string;
  readonly target: TargetName;
  /** 0 warms up. */
  readonly round: number;
  readonly values: Values;
  /** Replies that were not what was asked for. */
  readonly errors: number;
  readonly fault: string | undefined;
};
