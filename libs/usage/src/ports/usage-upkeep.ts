/** What is known of one journal's sequence. */
export type WriterSequence = {
  readonly writerId: string;
  /** The highest sequence below which nothing is missing; null while 0 is. */
  readonly watermark: bigint | null;
  /** Sequences that never came though later ones did. */
  readonly missing: bigint;
  /** In how many ranges the received sequences are; 1 when nothing is missing. */
  readonly ranges: number;
  /** Since when something is missing, UTC epoch milliseconds; null when nothing is. */
  readonly firstGapAtMs: number | null;
  /** When something of it was counted last, UTC epoch milliseconds. */
  readonly updatedAtMs: number;
};

/** What has to be done now and then so that usage stays whole, and to see that it is. Any number of processes may do it. */
export type UsageUpkeep = {
  /** Journals that were heard of lately, and all that miss something. */
  readWriters(): Promise<readonly WriterSequence[]>;
  /** Events that wait to be counted by an operator, by reason. */
  countDeadLetters(): Promise<ReadonlyMap<string, number>>;
  /** Compares what is due to be compared, and mends what differs. `unexplainedPico` must be 0. */
  checkUsage(): Promise<{ readonly checked: number; readonly unexplainedPico: bigint }>;
  /** Prepares hours and days that are over for questions. `left`: changed meanwhile, built the next time. */
  buildCubes(): Promise<{ readonly built: number; readonly left: number }>;
  /** Creates partitions for what is to come and drops those no longer kept. Returns the names of both. */
  keepPartitions(): Promise<{ readonly created: readonly string[]; readonly dropped: readonly string[] }>;
  /** Deletes what limits have counted in windows that are long over; returns how many. */
  forgetLimits(): Promise<number>;
};
