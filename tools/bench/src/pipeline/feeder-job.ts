/** What the feeder is asked to do. It is a process of its own, as workers are. */
export type FeederJob =
  | { readonly kind: 'backlog'; readonly brokers: string; readonly events: number; readonly writers: number }
  | {
      readonly kind: 'stream';
      readonly brokers: string;
      readonly redisUrl: string;
      readonly directory: string;
      readonly perSecond: number;
      readonly seconds: number;
    };

export type FeederReply = {
  /** When each event of a stream was in the journal, by its sequence; milliseconds of this machine's clock. None of a backlog. */
  readonly endedAt: readonly number[];
  readonly cpuMicroseconds: number;
};

/** Milliseconds of the machine's clock with fractions, the same for all its processes. */
export function readClock(): number {
  return performance.timeOrigin + performance.now();
}
