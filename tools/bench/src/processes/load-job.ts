/** What the load generator is asked to do, and what it returns. Both cross a process boundary. */
export type LoadJob = {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly body: string;
  readonly stream: boolean;
  /** Every reply must carry a price in its usage. */
  readonly wantsCost: boolean;
  readonly frames: number;
  readonly concurrency: number;
  readonly seconds: number;
  /** Requests a second of all connections together; otherwise each asks as soon as it has its reply. */
  readonly perSecond?: number;
};

export type LoadResult = {
  readonly requests: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  readonly elapsedSeconds: number;
  /** Milliseconds until the first body byte of a stream, until the last byte of a whole reply. */
  readonly p50Ms: number;
  readonly p99Ms: number;
};
