import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { FailPoint } from '@weir/contracts';
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES } from '../format/segment-header';
import type { DurablePosition } from '../usage-journal';
import type { JournalFiles } from './journal-files';
import { segmentName, type SegmentFile } from './segment-files';
import { syncFolder } from './sync-folder';

type AppenderOptions = {
  readonly folder: string;
  readonly writerId: string;
  readonly epoch: number;
  readonly segments: SegmentFile[];
  readonly segmentBytesMax: number;
  readonly files: JournalFiles;
  readonly failPoint: FailPoint;
};

/** Appends records to the last segment and starts a new one when it is full. Syncs what it wrote, in order, on demand. */
export class SegmentAppender {
  nextSequence: number;
  bytes: number;
  private active: SegmentFile;
  private fd: number;
  /** Full segments whose last bytes are not synced yet. */
  private retired: number[] = [];
  private isFolderDirty = true;

  constructor(
    private readonly options: AppenderOptions,
    nextSequence: number,
  ) {
    this.nextSequence = nextSequence;
    this.bytes = options.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const last = options.segments.at(-1);
    this.active = last ?? this.addSegment();
    this.fd = openSync(this.active.path, 'a');
    if (this.active.bytes === 0) this.writeHeader();
  }

  get activeSegment(): number {
    return this.active.firstSequence;
  }

  /** When it returns, the kernel has the record. What was written in part is taken back before the error is thrown. */
  append(buffer: Buffer, length: number): void {
    // A segment is named after its first sequence, so one without any sequence yet cannot be followed by another.
    if (this.active.bytes + length > this.options.segmentBytesMax && this.nextSequence > this.active.firstSequence) this.rotate();
    try {
      this.options.failPoint('journal.write');
      this.writeAll(buffer, length);
    } catch (error) {
      this.takeBack();
      throw error;
    }
    this.active.bytes += length;
    this.bytes += length;
  }

  /** Syncs everything appended before the call and answers how far that was. */
  async sync(): Promise<DurablePosition> {
    this.options.failPoint('journal.sync');
    const position = { segment: this.active.firstSequence, offset: this.active.bytes, nextSequence: this.nextSequence };
    // A segment that fills up meanwhile is closed by the next sync, so these files stay open until we are done.
    const { fd: activeFd, retired } = this;
    this.retired = [];
    const isFolderDirty = this.isFolderDirty;
    this.isFolderDirty = false;
    for (const fd of retired) {
      await this.syncFile(fd);
      closeSync(fd);
    }
    await this.syncFile(activeFd);
    if (isFolderDirty) await syncFolder(this.options.folder);
    return position;
  }

  closeFiles(): void {
    for (const fd of [...this.retired, this.fd]) closeSync(fd);
    this.retired = [];
  }

  private rotate(): void {
    const { failPoint } = this.options;
    failPoint('journal.rotate.before_create');
    const next = this.addSegment();
    const fd = openSync(next.path, 'ax');
    this.retired.push(this.fd);
    this.isFolderDirty = true;
    this.active = next;
    this.fd = fd;
    failPoint('journal.rotate.before_header');
    this.writeHeader();
    failPoint('journal.rotate.after_header');
  }

  private addSegment(): SegmentFile {
    const segment = { path: join(this.options.folder, segmentName(this.nextSequence)), firstSequence: this.nextSequence, bytes: 0 };
    this.options.segments.push(segment);
    return segment;
  }

  private writeHeader(): void {
    const { writerId, epoch } = this.options;
    this.writeAll(encodeSegmentHeader({ writerId, epoch, firstSequence: this.active.firstSequence }), SEGMENT_HEADER_BYTES);
    this.active.bytes = SEGMENT_HEADER_BYTES;
    this.bytes += SEGMENT_HEADER_BYTES;
  }

  /** A disk that is nearly full takes a part and says so only at the next write. */
  private writeAll(buffer: Buffer, length: number): void {
    const { files } = this.options;
    for (let written = 0; written < length;) written += files.writeSync(this.fd, buffer, written, length - written);
  }

  private takeBack(): void {
    try {
      ftruncateSync(this.fd, this.active.bytes);
    } catch {
      // Then recovery finds a torn record and cuts it off.
    }
  }

  private syncFile(fd: number): Promise<void> {
    return new Promise((resolve, reject) => this.options.files.fdatasync(fd, (error) => (error === null ? resolve() : reject(error))));
  }
}
