/** One kind of request, sent at a steady rate. */
export type OpenLoadKind = {
  readonly name: string;
  readonly perSecond: number;
  /** Sent in turn. */
  readonly requests: readonly OpenLoadRequest[];
};

export type OpenLoadRequest = {
  readonly text: string;
  /** Without it among its last bytes, a reply in chunks is not what was asked for. */
  readonly endMark?: string;
};

/** What the open load generator is asked to do, and what it returns. Both cross a process boundary. */
export type OpenLoadJob = {
  readonly port: number;
  readonly seconds: number;
  /** At the beginning, when what is answered began before or too few have: nothing is counted as steady. */
  readonly settleSeconds: number;
  /** Requests under way at a time; more are not sent. */
  readonly connectionsMax: number;
  readonly kinds: readonly OpenLoadKind[];
};

/** Milliseconds from sending a request until the last byte of its answer; 0 where there was none. */
type Latency = { readonly p50: number; readonly p99: number };

export type KindResult = {
  readonly name: string;
  readonly sent: number;
  /** Not sent, because too many were under way. */
  readonly skipped: number;
  /** Answered with 200, and to the end. */
  readonly done: number;
  /** Of those, how many a second of the time that things were steady: until the last request was sent. */
  readonly donePerSecond: number;
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
