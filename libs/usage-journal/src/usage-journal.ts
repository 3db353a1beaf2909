import type { FailPoint, Timers, UsageEvent } from '@weir/contracts';
import type { DurablePosition } from './folder/durable-position';
import type { JournalFiles } from './folder/journal-files';
import type { SegmentFile } from './folder/segment-files';
import type { JournalLog } from './ports/journal-log';

export type UsageJournalOptions = {
  readonly directory: string;
  /** `process`: what `end` wrote survives the death of the process. `power`: `whenDurable` also survives a power cut. */
  readonly durability: 'process' | 'power';
  readonly segmentBytesMax?: number;
  readonly bytesMax?: number;
  /** Makes the event of an attempt that a crash cut short, from its draft and the last progress that was noted. */
  readonly closeCrashed: (draftJson: string, outputTokens: number | undefined) => UsageEvent;
  readonly now: () => number;
  readonly log?: JournalLog;
  /** Starts beside journals that only a later version can read, and leaves them as they are. */
  readonly isNewerAllowed?: boolean;
  /**
   * The disk failed a write or a sync. Nothing is accepted from then on, and the process should end. A full disk is no
   * failure: nothing new is accepted until there is space again.
   */
  readonly onFailure?: (error: Error) => void;
  /** Files of the journal are gone, cut or older than what was sent from them, by somebody else's hand: usage may be lost. */
  readonly onHarm?: () => void;
  /** How often a full disk is tried again. */
  readonly retryMs?: number;
  /** Set aside on the disk for ends that it takes no more: 8 MiB unless given. */
  readonly reserveBytes?: number;
  /** For specs that need a disk that fails, and simulated disks. */
  readonly files?: Partial<JournalFiles>;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
  /** A random one unless given: a lower-case UUID that never was before. */
  readonly newWriterId?: () => string;
  readonly failPoint?: FailPoint;
};

export type JournalStats = {
  readonly bytes: number;
  readonly bytesMax: number;
  readonly segments: number;
  /** Attempts begun and not ended. */
  readonly open: number;
  /** Ends that a full disk has not taken yet, nor the reserve. */
  readonly unwritten: number;
  readonly nextSequence: number;
  /** How long ago the oldest segment still kept was begun or recovered. */
  readonly oldestSegmentAgeMs: number;
  readonly lastSyncMs: number;
  /** What recovery found at start-up. */
  readonly recovered: { readonly closed: number; readonly doubtful: number; readonly lostSequences: number; readonly damagedBytes: number };
  readonly isFailed: boolean;
};

/** The side of a journal that shippers use. */
export type JournalTail = {
  readonly nextSequence: number;
  readonly durable: DurablePosition;
  /** Sequences below this one are trimmed. */
  readonly trimmedBelow: number;
  readonly segments: readonly SegmentFile[];
  /** The disk that they are on; that of the operating system where it is absent. */
  readonly files?: JournalFiles;
  /** Calls back, synchronously and cheaply, at every `end`. One listener. */
  onEnd(listener: (() => void) | undefined): void;
  /** Removes segments that hold nothing above `watermark` and no attempt that is still open. */
  trim(watermark: number): Promise<void>;
  /** Never gives out sequences up to `sequence`: somebody has seen them before. */
  skipTo(sequence: number): void;
};

/** The first part of an event's text, which stands in the text of its `begin` from character `at` on. */
export type BegunText = { readonly text: string; readonly at: number };

export type UsageJournal = {
  readonly writerId: string;
  readonly epoch: number;
  /** Notes that an attempt is about to be sent upstream. */
  begin(eventId: string, draftJson: string): void;
  /** Notes how much an open attempt has produced. */
  progress(eventId: string, outputTokens: number): void;
  /**
   * Notes what became of an attempt, as the event that is shipped, and gives it its sequence. When it returns, the kernel has
   * it. The event is `text`, or `begun.text` and then `text`: what `begin` wrote is not written again where it can be found.
   */
  end(eventId: string, text: string, begun?: BegunText): { sequence: bigint };
  /** Resolves when everything written so far is safe, by the durability the journal was created with; null when it is so already. */
  whenDurable(): Promise<void> | null;
  /** Events that ended and that a full disk has not taken yet, as JSON: they are nowhere in its segments. */
  listUnwritten(): string[];
  /** False when nearly full, failed or closed: new attempts must then be refused. Those open may still end. */
  readonly isAccepting: boolean;
  stats(): JournalStats;
  /** Syncs everything written so far to disk, whatever the durability. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Closes the journal and removes its folder. Only for a writer whose every event is known to be aggregated. */
  retire(): Promise<void>;
  readonly tail: JournalTail;
};

export class JournalUnavailableError extends Error {
  constructor(
    readonly reason: 'full' | 'failed' | 'closed',
    options?: ErrorOptions,
  ) {
    super(`the usage journal is ${reason}`, options);
    this.name = 'JournalUnavailableError';
  }
}
