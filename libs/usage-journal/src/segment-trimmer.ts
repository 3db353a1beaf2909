import type { FailPoint } from '@weir/contracts';
import type { JournalFiles } from './folder/journal-files';
import { closeSegment, type SegmentFile } from './folder/segment-files';
import { writeWatermarkFile } from './folder/watermark-file';

type TrimmerOptions = {
  readonly folder: string;
  readonly epoch: number;
  readonly segments: SegmentFile[];
  readonly now: () => number;
  readonly failPoint: FailPoint;
  readonly files: JournalFiles;
};

/** Removes segments whose every event is aggregated, oldest first, one trim at a time. */
export class SegmentTrimmer {
  private sequence: number;
  private running: Promise<number> | undefined;
  /** When each segment that exists now was first seen. */
  private readonly seenAt = new WeakMap<SegmentFile, number>();

  constructor(
    private readonly options: TrimmerOptions,
    watermark: number | undefined,
  ) {
    this.sequence = watermark ?? -1;
    this.oldestAgeMs();
  }

  get trimmedBelow(): number {
    return this.sequence + 1;
  }

  /** Returns how many bytes were freed; none when a trim is at work already. `openSince` is the earliest segment in which an open attempt began. */
  trim(watermark: number, openSince: number): Promise<number> {
    if (this.running !== undefined) return Promise.resolve(0);
    const running = this.run(watermark, openSince).finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }

  async settle(): Promise<void> {
    await this.running?.catch(() => undefined); // its own caller gets the error
  }

  oldestAgeMs(): number {
    const { segments, now } = this.options;
    for (const segment of segments) if (!this.seenAt.has(segment)) this.seenAt.set(segment, now());
    const oldest = segments[0];
    return oldest === undefined ? 0 : now() - (this.seenAt.get(oldest) ?? now());
  }

  private async run(watermark: number, openSince: number): Promise<number> {
    const { folder, epoch, segments, failPoint, files } = this.options;
    const removable = this.findRemovable(watermark, openSince);
    if (removable.length === 0) return 0;
    await writeWatermarkFile(folder, { sequence: watermark, epoch }, files);
    this.sequence = watermark;
    failPoint('journal.trim.after_watermark_before_unlink');
    let freed = 0;
    for (const segment of removable) {
      await files.unlink(segment.path).catch(ignoreMissing);
      segments.shift();
      closeSegment(segment, files);
      freed += segment.bytes;
    }
    await files.syncFolder(folder);
    return freed;
  }

  /** The last segment is written to and stays. */
  private findRemovable(watermark: number, openSince: number): SegmentFile[] {
    const { segments } = this.options;
    const isKept = (segment: SegmentFile, index: number): boolean => {
      const next = segments[index + 1];
      return next === undefined || next.firstSequence - 1 > watermark || segment.firstSequence >= openSince;
    };
    const firstKept = segments.findIndex(isKept);
    return segments.slice(0, firstKept);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
