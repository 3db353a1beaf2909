import { NO_FAIL_POINT, NODE_TIMERS, type FailPoint, type Timer, type Timers } from '@weir/contracts';
import { lockAgain, removeWriterFolder, type WriterFolder } from './folder/choose-writer-folder';
import { isDiskFullError } from './folder/disk-reserve';
import type { DurablePosition } from './folder/durable-position';
import { listLeftEnds } from './folder/list-left-ends';
import { isMissing } from './folder/repair-segment';
import { reportLosses } from './folder/report-losses';
import type { FolderScan } from './folder/scan-folder';
import { SegmentAppender } from './folder/segment-appender';
import { UnwrittenEnds, type AttemptEnd } from './folder/unwritten-ends';
import { RecordWriter } from './format/record';
import { GroupSync } from './group-sync';
import { SegmentTrimmer } from './segment-trimmer';
import {
  JournalUnavailableError,
  type BegunText,
  type JournalStats,
  type JournalTail,
  type UsageJournal,
  type UsageJournalOptions,
} from './usage-journal';

const SEGMENT_BYTES_MAX = 64 * 1024 ** 2;
const BYTES_MAX = 10 * 1024 ** 3;
/** What is kept free for the ends of attempts that were admitted before the journal filled up. */
const ACCEPTING_SHARE = 0.95;
/** Above it somebody should look: the bus or the aggregator is behind. */
const WARNING_SHARE = 0.8;
const BACKGROUND_SYNC_MS = 50;
const RETRY_MS = 500;
/** In no segment: of an id that was begun twice, it is not certain which beginning a reader finds. */
const NOWHERE = -1;

/** The journal in one writer's folder. */
export class FolderJournal implements UsageJournal {
  readonly writerId: string;
  readonly epoch: number;
  readonly tail: JournalTail;
  private readonly records = new RecordWriter();
  private readonly appender: SegmentAppender;
  private readonly trimmer: SegmentTrimmer;
  private readonly groupSync = new GroupSync(() => this.runSync());
  private readonly acceptingBytes: number;
  private readonly warningBytes: number;
  private isWarned = false;
  private readonly failPoint: FailPoint;
  private readonly timers: Timers;
  /** Open attempts, and the segment in which each began: it must stay until the attempt has ended. */
  private readonly open = new Map<string, number>();
  private durable: DurablePosition;
  private endListener: (() => void) | undefined;
  private syncTimer: Timer | undefined;
  private failure: Error | undefined;
  private isClosed = false;
  /** Ends that a full disk did not take: written before anything else once it does. */
  private readonly unwritten: UnwrittenEnds;
  private isDiskFull = false;
  private retryTimer: Timer | undefined;
  private lastSyncMs = 0;
  private recovered: JournalStats['recovered'] = { closed: 0, doubtful: 0, lostSequences: 0, damagedBytes: 0 };

  constructor(
    private folder: WriterFolder,
    scan: FolderScan,
    private readonly options: UsageJournalOptions,
  ) {
    this.writerId = folder.writerId;
    this.epoch = scan.lastEpoch + 1;
    this.failPoint = options.failPoint ?? NO_FAIL_POINT;
    this.timers = options.timers ?? NODE_TIMERS;
    const { failPoint } = this;
    this.acceptingBytes = (options.bytesMax ?? BYTES_MAX) * ACCEPTING_SHARE;
    this.warningBytes = (options.bytesMax ?? BYTES_MAX) * WARNING_SHARE;
    const { segments } = scan;
    const { files } = folder;
    const { segmentBytesMax = SEGMENT_BYTES_MAX, durability } = options;
    const segmenting = { segmentBytesMax, isSyncedWhenFull: durability === 'power', beforeRotation: () => this.inspect() };
    this.appender = new SegmentAppender(
      { folder: folder.path, writerId: this.writerId, epoch: this.epoch, segments, files, failPoint, ...segmenting },
      scan.nextSequence,
    );
    this.trimmer = new SegmentTrimmer(
      { folder: folder.path, epoch: this.epoch, segments, now: options.now, failPoint, files },
      scan.watermark?.sequence,
    );
    this.unwritten = new UnwrittenEnds(folder, options.reserveBytes);
    this.durable = { segment: segments[0]?.firstSequence ?? 0, offset: 0, nextSequence: scan.nextSequence };
    this.tail = this.createTail(segments);
  }

  get isAccepting(): boolean {
    return this.failure === undefined && !this.isClosed && !this.isDiskFull && this.appender.bytes < this.acceptingBytes;
  }

  begin(eventId: string, draftJson: string): void {
    if (!this.isAccepting) throw this.describeRefusal();
    this.append(this.records.writeBegin(eventId, draftJson));
    this.failPoint('journal.begin.after_write');
    this.open.set(eventId, this.open.has(eventId) ? NOWHERE : this.appender.activeSegment);
  }

  progress(eventId: string, outputTokens: number): void {
    if (this.isDiskFull) return; // what is left of the disk is for ends
    this.tryAppend(this.records.writeProgress(eventId, outputTokens));
  }

  end(eventId: string, text: string, begun?: BegunText): { sequence: bigint } {
    this.failPoint('journal.end.before_write');
    const sequence = this.appender.nextSequence + this.unwritten.count;
    const end = { eventId, text, begun };
    if (this.unwritten.count > 0 || !this.writeEnd(end)) this.putAside(end);
    return { sequence: BigInt(sequence) };
  }

  whenDurable(): Promise<void> | null {
    const isForPower = this.options.durability === 'power';
    if (!isForPower && this.unwritten.unkept === 0) return null;
    const isWritten = this.unwritten.count === 0;
    if (this.failure !== undefined || (this.isClosed && !isWritten)) return Promise.reject(this.describeRefusal());
    if (isWritten) return this.flush();
    const written = this.unwritten.whenWritten();
    return isForPower ? written.then(() => this.flush()) : written;
  }

  listUnwritten(): string[] {
    return this.unwritten.list();
  }

  flush(): Promise<void> {
    return this.isClosed ? Promise.resolve() : this.groupSync.sync();
  }

  stats(): JournalStats {
    return {
      bytes: this.appender.bytes,
      bytesMax: this.options.bytesMax ?? BYTES_MAX,
      segments: this.tail.segments.length,
      ...{ open: this.open.size, unwritten: this.unwritten.unkept },
      nextSequence: this.appender.nextSequence,
      oldestSegmentAgeMs: this.trimmer.oldestAgeMs(),
      lastSyncMs: this.lastSyncMs,
      recovered: this.recovered,
      isFailed: this.failure !== undefined,
    };
  }

  async close(): Promise<void> {
    if (await this.closeFiles()) this.folder.lock.release();
  }

  async retire(): Promise<void> {
    await this.closeFiles();
    removeWriterFolder(this.folder);
  }

  /** Reports what is lost, ends what a crash left open, and syncs what is kept before any of it is shipped. */
  recover(scan: FolderScan): void {
    for (const segment of scan.segments) this.folder.files.syncPathNow(segment.path);
    this.folder.files.syncPathNow(this.folder.path);
    this.append(this.records.writeEpoch(this.epoch));
    for (const { from, to } of scan.newGaps) this.append(this.records.writeGap(from, to));
    if (reportLosses(this.folder, scan, this.options.log)) this.options.onHarm?.();
    if (!this.unwritten.takeReserve()) this.noteFull();
    const lostSequences = scan.newGaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const closed = this.closeLeft(scan);
    this.recovered = { closed, doubtful: scan.doubtful.length, lostSequences, damagedBytes: scan.damagedBytes };
  }

  /** Leaves the folder as it is, after a recovery that failed: nothing was handed out that has to be written or synced. */
  abandon(): void {
    this.isClosed = true;
    this.stopTimers();
    this.unwritten.close(this.options.log, this.describeRefusal());
    this.appender.closeFiles();
    this.folder.lock.release();
  }

  private stopTimers(): void {
    this.timers.clearTimeout(this.syncTimer);
    this.timers.clearTimeout(this.retryTimer);
  }

  private async closeFiles(): Promise<boolean> {
    if (this.isClosed) return false;
    this.writePending();
    this.isClosed = true;
    this.stopTimers();
    this.unwritten.close(this.options.log, this.describeRefusal());
    // A failed sync is not tried again; closing goes on, so that the next process can take over.
    await this.groupSync.sync().catch(() => undefined);
    await this.trimmer.settle();
    this.appender.closeFiles();
    return true;
  }

  /** Returns how many were cut short. */
  private closeLeft(scan: FolderScan): number {
    const left = listLeftEnds(scan, { ...this.options, folder: this.folder });
    // A full disk may not take their ends before their beginnings could be trimmed.
    for (const { eventId, segment } of left) this.open.set(eventId, segment);
    for (const { eventId, text } of left) this.end(eventId, text);
    return left.filter(({ isCutShort }) => isCutShort).length;
  }

  private append(length: number): void {
    if (!this.tryAppend(length)) throw this.describeRefusal();
  }

  /** Returns false when the disk is full. */
  private tryAppend(length: number): boolean {
    if (this.failure !== undefined || this.isClosed) throw this.describeRefusal();
    try {
      this.appender.append(this.records.buffer, length);
    } catch (error) {
      if (!isDiskFullError(error)) {
        this.fail(error);
        throw this.describeRefusal();
      }
      this.noteFull();
      return false;
    }
    if (!this.isWarned && this.appender.bytes > this.warningBytes) this.warnNearlyFull();
    this.syncTimer ??= this.timers
      .setTimeout(() => {
        this.syncTimer = undefined;
        void this.flush().catch(() => undefined); // `fail` has reported it already
      }, BACKGROUND_SYNC_MS)
      .unref();
    return true;
  }

  /** Nothing that only this process knows reaches a caller: see `whenDurable`. */
  private putAside(end: AttemptEnd): void {
    try {
      this.unwritten.add(end);
    } catch (error) {
      this.fail(error);
      throw this.describeRefusal();
    }
  }

  private writeEnd(end: AttemptEnd): boolean {
    const sequence = this.appender.nextSequence;
    if (!this.tryAppend(this.encodeEnd(sequence, end))) return false;
    this.failPoint('journal.end.after_write_before_fsync');
    this.appender.nextSequence = sequence + 1;
    this.open.delete(end.eventId);
    this.endListener?.();
    return true;
  }

  /** Short where the beginning stands in the same segment, so that every segment can be read, and removed, by itself. */
  private encodeEnd(sequence: number, { eventId, text, begun }: AttemptEnd): number {
    if (begun === undefined) return this.records.writeEnd(sequence, eventId, text);
    const length = this.records.writeShortEnd(sequence, eventId, { at: begun.at, length: begun.text.length }, text);
    if (this.appender.fitsInto(this.open.get(eventId), length)) return length;
    return this.records.writeEnd(sequence, eventId, begun.text + text);
  }

  private noteFull(): void {
    if (!this.isDiskFull) {
      this.options.log?.error(
        { folder: this.folder.path },
        'the disk of the usage journal is full: nothing new is accepted until there is space',
      );
    }
    this.isDiskFull = true;
    this.retryTimer ??= this.timers
      .setTimeout(() => {
        this.retryTimer = undefined;
        this.tryAgain();
      }, this.options.retryMs ?? RETRY_MS)
      .unref();
  }

  private tryAgain(): void {
    if (this.isClosed || this.failure !== undefined) return;
    try {
      if (!this.writePending() || !this.unwritten.hasSpace()) return this.noteFull();
    } catch (error) {
      return this.fail(error);
    }
    this.isDiskFull = false;
    this.options.log?.info({ folder: this.folder.path }, 'the disk has space again: requests are accepted');
  }

  /** Returns whether nothing waits any more. */
  private writePending(): boolean {
    for (let next = this.unwritten.first; next !== undefined && this.failure === undefined; next = this.unwritten.first) {
      if (!this.writeEnd(next)) return false;
      this.unwritten.shift();
    }
    return this.unwritten.count === 0;
  }

  /** Others have no business in the journal's folder; one who empties it must not take usage along. */
  private inspect(): void {
    const harm = this.appender.findHarm();
    if (harm === undefined) return;
    this.options.log?.error(
      { folder: this.folder.path, harm },
      'the file of the usage journal that is written to was removed or cut by someone else',
    );
    this.options.onHarm?.();
    try {
      this.appender.repair(harm);
      this.folder = lockAgain(this.folder);
    } catch (error) {
      if (!isDiskFullError(error)) throw error;
      this.noteFull(); // found again at the next sync
    }
  }

  private warnNearlyFull(): void {
    this.isWarned = true;
    const { bytes, bytesMax } = this.stats();
    this.options.log?.warn(
      { writerId: this.writerId, bytes, bytesMax },
      'the usage journal is nearly full: usage is not aggregated fast enough',
    );
  }

  private async syncWhole(): Promise<DurablePosition> {
    this.inspect();
    try {
      return await this.appender.sync();
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The folder was removed while its files were synced. No page was lost by it: what was removed is written again.
      this.inspect();
      return await this.appender.sync();
    }
  }

  private async runSync(): Promise<void> {
    const startedAt = this.options.now();
    try {
      this.durable = await this.syncWhole();
    } catch (error) {
      this.fail(error);
      throw error;
    }
    this.lastSyncMs = this.options.now() - startedAt;
  }

  private fail(thrown: unknown): void {
    if (this.failure !== undefined) return;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.failure = error;
    this.options.log?.error({ error, writerId: this.writerId }, 'the usage journal failed; nothing is accepted any more');
    this.options.onFailure?.(error);
  }

  private describeRefusal(): JournalUnavailableError {
    if (this.failure !== undefined) return new JournalUnavailableError('failed', { cause: this.failure });
    return new JournalUnavailableError(this.isClosed ? 'closed' : 'full');
  }

  private createTail(segments: JournalTail['segments']): JournalTail {
    const { appender, trimmer } = this;
    const getDurable = (): DurablePosition => this.durable;
    return {
      segments,
      files: this.folder.files,
      get nextSequence() {
        return appender.nextSequence;
      },
      get durable() {
        return getDurable();
      },
      get trimmedBelow() {
        return trimmer.trimmedBelow;
      },
      onEnd: (listener) => {
        this.endListener = listener;
      },
      trim: async (watermark) => {
        if (this.isClosed) return;
        const freed = await trimmer.trim(watermark, Math.min(...this.open.values()));
        this.appender.bytes -= freed; // in two steps: records are appended while we wait
        if (this.appender.bytes <= this.warningBytes) this.isWarned = false;
      },
      skipTo: (sequence) => this.skipTo(sequence),
    };
  }

  private skipTo(sequence: number): void {
    const from = this.appender.nextSequence;
    if (sequence < from) return;
    this.options.log?.error(
      { writerId: this.writerId, from, to: sequence },
      'sequences ahead of the journal are aggregated already; they are skipped',
    );
    this.options.onHarm?.();
    this.append(this.records.writeGap(from, sequence));
    this.appender.nextSequence = sequence + 1;
  }
}
