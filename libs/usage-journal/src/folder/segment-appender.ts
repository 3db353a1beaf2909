import { join } from 'node:path';
import type { FailPoint } from '@weir/contracts';
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES } from '../format/segment-header';
import type { DurablePosition } from './durable-position';
import { writeWhole, type JournalFiles } from './journal-files';
import { findHarm, writeAgain, type SegmentHarm } from './repair-segment';
import { closeSegment, segmentName, type SegmentFile } from './segment-files';

type AppenderOptions = {
  readonly folder: string;
  readonly writerId: string;
  readonly epoch: number;
  readonly segments: SegmentFile[];
  readonly segmentBytesMax: number;
  /** A full segment is on the disk before anything stands in the next one. */
  readonly isSyncedWhenFull: boolean;
  readonly files: JournalFiles;
  readonly failPoint: FailPoint;
  /** Called while the segment that is full is still the one written to. */
  readonly beforeRotation: () => void;
};

/** Readable too: what others remove is written again from the open file. */
const APPENDED = 'a+';
/** Segments that are kept open beside the one that is written to. */
const OPEN_MAX = 64;

/** Appends records to the last segment and starts a new one when it is full. Syncs what it wrote, in order, on demand. */
export class SegmentAppender {
  nextSequence: number;
  bytes: number;
  private active: SegmentFile;
  private fd: number;
  /** Full segments whose last bytes are not synced yet. */
  private retired: SegmentFile[] = [];
  /** Files that were written again under their names; a sync may be at work on them. */
  private abandoned: number[] = [];
  private isFolderDirty = true;

  constructor(
    private readonly options: AppenderOptions,
    nextSequence: number,
  ) {
    this.nextSequence = nextSequence;
    this.bytes = options.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    for (const segment of options.segments) options.files.tightenMode(segment.path);
    const last = options.segments.at(-1);
    this.active = last ?? this.nameSegment();
    this.fd = options.files.openSync(this.active.path, APPENDED);
    try {
      if (this.active.bytes === 0) this.writeHeader(this.active, this.fd);
    } catch (error) {
      options.files.closeSync(this.fd);
      throw error;
    }
    if (last === undefined) options.segments.push(this.active);
  }

  get activeSegment(): number {
    return this.active.firstSequence;
  }

  /** Whether a record of this length would still stand in the segment with this first sequence. */
  fitsInto(segment: number | undefined, length: number): boolean {
    return segment === this.active.firstSequence && !this.isFullWith(length);
  }

  /** When it returns, the kernel has the record. What was written in part is taken back before the error is thrown. */
  append(buffer: Buffer, length: number): void {
    if (this.isFullWith(length)) {
      this.options.beforeRotation(); // which may have found the segment harmed, and begun another
      if (this.isFullWith(length)) this.rotate();
    }
    try {
      this.options.failPoint('journal.write');
      writeWhole(this.options.files, { fd: this.fd, bytes: buffer, length });
    } catch (error) {
      this.takeBack();
      throw error;
    }
    this.active.bytes += length;
    this.bytes += length;
  }

  /** Syncs everything appended before the call and returns how far that was. */
  async sync(): Promise<DurablePosition> {
    this.options.failPoint('journal.sync');
    const position = { segment: this.active.firstSequence, offset: this.active.bytes, nextSequence: this.nextSequence };
    // A segment that fills up meanwhile is closed by the next sync, so these files stay open until we are done.
    const { fd: activeFd, retired } = this;
    this.retired = [];
    const isFolderDirty = this.isFolderDirty;
    this.isFolderDirty = false;
    for (const segment of retired) if (segment.fd !== undefined) await this.syncFile(segment.fd);
    this.closeOldest();
    await this.syncFile(activeFd);
    this.closeAbandoned();
    if (isFolderDirty) await this.options.files.syncFolder(this.options.folder);
    return position;
  }

  closeFiles(): void {
    const { segments, files } = this.options;
    for (const segment of segments) closeSegment(segment, files);
    this.retired = [];
    this.closeAbandoned();
    files.closeSync(this.fd);
  }

  /** What others did to the file that is written to, since it was last looked at. */
  findHarm(): SegmentHarm | undefined {
    return findHarm(this.active, this.fd, this.options.files);
  }

  /** Makes the journal whole again as far as it can be: what was removed is written again, after what was cut a new segment begins. */
  repair(harm: SegmentHarm): void {
    this.isFolderDirty = true;
    if (harm === 'removed') {
      this.writeOthersAgain();
      const fd = writeAgain(this.active, this.fd, this.options.files);
      this.abandoned.push(this.fd);
      this.fd = fd;
      return;
    }
    const left = this.options.files.fstatSync(this.fd).size;
    this.bytes -= this.active.bytes - left;
    this.active.bytes = left;
    // No other segment can bear the name of one that holds no sequence yet: one is given up, and shows as lost.
    if (this.nextSequence === this.active.firstSequence) this.nextSequence += 1;
    this.rotate();
  }

  /** Full segments may hold beginnings of attempts that run, and ends that were not shipped. */
  private writeOthersAgain(): void {
    for (const segment of this.options.segments) {
      if (segment.fd === undefined || findHarm(segment, segment.fd, this.options.files) !== 'removed') continue;
      const fd = writeAgain(segment, segment.fd, this.options.files);
      this.abandoned.push(segment.fd);
      segment.fd = fd;
      this.retired.push(segment);
    }
  }

  private closeAbandoned(): void {
    for (const fd of this.abandoned.splice(0)) this.options.files.closeSync(fd);
  }

  /** A long backlog must not use up the files a process may have open. */
  private closeOldest(): void {
    const { segments, files } = this.options;
    for (const segment of segments.slice(0, Math.max(0, segments.length - OPEN_MAX))) closeSegment(segment, files);
  }

  /** A segment is named after its first sequence, so one without any sequence yet cannot be followed by another. */
  private isFullWith(length: number): boolean {
    return this.active.bytes + length > this.options.segmentBytesMax && this.nextSequence > this.active.firstSequence;
  }

  private rotate(): void {
    const { failPoint, files, isSyncedWhenFull } = this.options;
    if (isSyncedWhenFull) this.syncFull();
    failPoint('journal.rotate.before_create');
    const next = this.nameSegment();
    const fd = files.openSync(next.path, 'ax+');
    try {
      failPoint('journal.rotate.before_header');
      this.writeHeader(next, fd);
    } catch (error) {
      // A full disk: the segment before stays the last one, and this is tried again.
      files.closeSync(fd);
      files.rmSync(next.path);
      throw error;
    }
    this.options.segments.push(next);
    this.active.fd = this.fd;
    this.retired.push(this.active);
    this.isFolderDirty = true;
    this.active = next;
    this.fd = fd;
    failPoint('journal.rotate.after_header');
  }

  /**
   * A power cut takes from each file what was not synced of it. Were ends taken from this one and the next one left, there
   * would be a hole among the sequences, and all that was open before it would be in doubt. Some ten thousand attempts wait once.
   */
  private syncFull(): void {
    try {
      this.options.files.fdatasyncSync(this.fd);
    } catch (cause) {
      // Without its code: for want of space, too, a sync that failed is never tried again.
      throw new Error('a full segment of the usage journal could not be synced', { cause });
    }
  }

  private nameSegment(): SegmentFile {
    return { path: join(this.options.folder, segmentName(this.nextSequence)), firstSequence: this.nextSequence, bytes: 0 };
  }

  private writeHeader(segment: SegmentFile, fd: number): void {
    const { writerId, epoch, files } = this.options;
    const bytes = encodeSegmentHeader({ writerId, epoch, firstSequence: segment.firstSequence });
    writeWhole(files, { fd, bytes, length: SEGMENT_HEADER_BYTES });
    segment.bytes = SEGMENT_HEADER_BYTES;
    this.bytes += SEGMENT_HEADER_BYTES;
  }

  private takeBack(): void {
    try {
      this.options.files.ftruncateSync(this.fd, this.active.bytes);
    } catch {
      // Then recovery finds a torn record and cuts it off.
    }
  }

  private syncFile(fd: number): Promise<void> {
    return new Promise((resolve, reject) => this.options.files.fdatasync(fd, (error) => (error === null ? resolve() : reject(error))));
  }
}
