import type { UsageEvent, UsageWarning } from '@weir/contracts';
import type { Dimension, SeriesDimensions } from '../dimensions';
import type { MeasureColumn } from '../measure-columns';
import type { Measures } from '../measures';
import type { UsageQuery } from '../usage-query';

/** An event or correction as it was counted: by which series and in which hour, with all that it adds. */
export type CountedEvent = {
  readonly writerId: string;
  readonly sequence: bigint;
  readonly event: UsageEvent;
  /** The instant that decides its periods, UTC epoch milliseconds. */
  readonly admittedAtMs: number;
  readonly series: SeriesDimensions;
  readonly measures: Measures;
  /** As JSON, as it was journalled. */
  readonly payload: string;
};

/** All that was counted by one moment and is not in the other store yet. */
export type FeedPass = {
  /** Grows with every pass, whichever process makes it. */
  readonly run: number;
  /** The last pass of which something was noted before; 0 while there is none. */
  readonly writtenRun: number;
  /** Nothing that is counted later is in the pass; UTC epoch milliseconds. */
  readonly asOfMs: number;
  /** Sums of days as of the same moment, where they were asked for. */
  readonly days: readonly DaySums[];
};

/** Some events of a pass. What is done about them has to be safe to repeat: until they are noted they come again. */
export type FeedPage = {
  readonly events: readonly CountedEvent[];
  /** Says that they are in the other store. Throws when another process feeds by now. */
  note(): Promise<void>;
};

/** What one organization used on one UTC day, in decimal texts. */
export type DaySums = {
  readonly organizationId: string;
  readonly dayMs: number;
  readonly sums: Readonly<Record<MeasureColumn, string>>;
};

/** Where a second store of usage gets what was counted. One process at a time feeds it. */
export type UsageFeed = {
  /**
   * Begins a pass; undefined while another process feeds. `daysFromMs`: since when days are to be summed up that are over,
   * for comparing; none without it.
   */
  begin(options?: { readonly daysFromMs?: number }): Promise<FeedPass | undefined>;
  /** What is left of the pass that was begun last, page by page. */
  pages(): AsyncIterable<FeedPage>;
  /** Prolongs the turn of this process. Throws when another process feeds by now. */
  hold(): Promise<void>;
  /** Says that all of the pass is in the other store. Returns since when that has all that was used, UTC epoch milliseconds. */
  complete(pass: FeedPass): Promise<number>;
  /** Forgets what was fed: the other store has lost it. */
  startOver(): Promise<void>;
  /** Lets later passes have higher numbers than this: the other store knows it already. */
  skipRuns(run: number): Promise<void>;
  /** All events of one organization that are kept of one UTC day, to write them once more. */
  readDay(organizationId: string, dayMs: number): AsyncIterable<readonly CountedEvent[]>;
  /** The UTC day on which both stores were last compared, and its note. */
  readComparedDay(): Promise<number>;
  noteComparedDay(dayMs: number): Promise<void>;
  /** Lets another process go on at once. */
  release(): Promise<void>;
};

/** How far the other store is, UTC epoch milliseconds. */
export type FeedProgress = {
  /** What was counted by then is in it. */
  readonly fedAsOfMs: number;
  /** What was used before is not. */
  readonly sinceMs: number;
  /** When something was counted last. */
  readonly countedAsOfMs: number;
  /** A store that does not know this pass has lost what it had. */
  readonly writtenRun: number;
};

export type NamedIds = {
  readonly organizationId: string;
  readonly joined: NonNullable<Dimension['joined']>;
  /** The label; null of what is no label. */
  readonly field: string | null;
  readonly ids: readonly string[];
};

/** What a reader of the other store has to ask of the first: all that is not of the past. */
export type UsageReference = {
  /** Undefined while the other store was never fed. */
  readProgress(): Promise<FeedProgress | undefined>;
  /** Names, e-mails and labels by their ids; what has none is left out. */
  findNames(asked: NamedIds): Promise<ReadonlyMap<string, string>>;
  readWarnings(query: UsageQuery): Promise<UsageWarning[]>;
};
