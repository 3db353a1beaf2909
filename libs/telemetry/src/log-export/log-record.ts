/** One line of a log that leaves the gateway: an audited change, or an event of usage. */
export type LogRecord = {
  /** What kind of line it is: `weir.audit`, `weir.usage`. */
  readonly name: string;
  readonly atMs: number;
  /** The same each time it is sent, so that receivers can drop repetitions. */
  readonly id: string;
  /** One phrase for people. */
  readonly text: string;
  /** Any JSON. */
  readonly members: Readonly<Record<string, unknown>>;
  /** W3C, of the span that it belongs to. */
  readonly traceparent?: string | undefined;
};

/** What became of records that were sent together: all of them or none. */
export type LogSending = { readonly isTaken: true } | { readonly isTaken: false; readonly reason: string };

/** Sends records and says whether the receiver has them. Never rejects. */
export type LogSender = (records: readonly LogRecord[]) => Promise<LogSending>;
