/** One kind of request, sent at a steady rate. */
export type OpenLoadKind = {
  readonly name: string;
  readonly perSecond: number;
  readonly request: string;
  /** Without it among its last bytes, a reply in chunks is not what was asked for. */
  readonly endMark?: string;
};

/** What the open load generator is asked to do, and what it answers. Both cross a process boundary. */
export type OpenLoadJob = {
  readonly port: number;
  readonly seconds: number;
  /** Requests under way at a time; more are not sent. */
  readonly connectionsMax: number;
  readonly kinds: readonly OpenLoadKind[];
};

/** Milliseconds from sending a request until the last byte of its answer; 0 where there was none. */
export type Latency = { readonly p50: number; readonly p99: number };

export type KindResult = {
  readonly name: string;
  readonly sent: number;
  /** Not sent, because too many were under way. */
  readonly skipped: number;
  /** Answered with 200, and to the end. */
  readonly done: number;
  /** Answered with 503 and a `Retry-After`. */
  readonly refused: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  readonly doneMs: Latency;
  readonly refusedMs: Latency;
};

export type OpenLoadResult = {
  readonly elapsedSeconds: number;
  /** How much later than due requests were sent: what is slow there is the generator, not the gateway. */
  readonly lateMsP99: number;
  readonly kinds: readonly KindResult[];
};
