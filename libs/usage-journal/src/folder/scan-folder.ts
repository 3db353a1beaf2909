import type { JournalLog } from '../ports/journal-log';
import { isEnd, readEpoch, readGap, readProgress, readText, RECORD, type RecordView } from '../format/record';
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES, type SegmentHeader } from '../format/segment-header';
import { walkRecords } from '../format/walk-records';
import { NODE_FILES, type JournalFiles } from './journal-files';
import { keepDamagedCopy, moveToQuarantine } from './quarantine';
import { listSegmentFiles, type SegmentFile } from './segment-files';
import { readWatermarkFile, type WatermarkMark } from './watermark-file';

type OpenDraft = { readonly draft: string; readonly segment: SegmentFile; outputTokens: number | undefined };
type SequenceRange = { readonly from: number; readonly to: number };

/** What a writer's folder says about its past. */
export type FolderScan = {
  readonly segments: SegmentFile[];
  readonly watermark: WatermarkMark | undefined;
  readonly lastEpoch: number;
  readonly nextSequence: number;
  /** Begun, never ended: to be closed as crashed. */
  readonly open: ReadonlyMap<string, OpenDraft>;
  /** Begun before a stretch in which ends are lost. Theirs may be among them, and no one may be charged twice. */
  readonly doubtful: readonly string[];
  /** Lost sequences that no `gap` record names yet. */
  readonly newGaps: readonly SequenceRange[];
  readonly damagedBytes: number;
  /** Not one segment with anything in it: a writer's folder never looks so, unless somebody removed its files. */
  readonly isEmptied: boolean;
  /** What is known to be counted is not here any more, though none of it was given back: somebody cut the files, or put back older ones. */
  readonly isCut: boolean;
};

/**
 * Reads a whole folder once, in order. Never throws over what it reads: damage is passed over, copied aside and reported.
 * The torn tail of the last segment, which a crash leaves, is cut off.
 */
export function scanFolder(folder: ScannedFolder, log: JournalLog | undefined): FolderScan {
  const { files = NODE_FILES } = folder;
  const scan = new Scan(folder, log, files);
  const segments = scan.keepOwn(listSegmentFiles(folder.path, files));
  segments.forEach((segment, index) => scan.readSegment(segment, index === segments.length - 1));
  return scan.finish(segments);
}

type ScannedFolder = { readonly path: string; readonly writerId: string; readonly files?: JournalFiles };

class Scan {
  private readonly open = new Map<string, OpenDraft>();
  private readonly doubtful = new Set<string>();
  /** What was open at the last damage since the last end; undefined when there was none. */
  private openAtDamage: readonly string[] | undefined;
  private readonly gaps: SequenceRange[] = [];
  private readonly reportedGaps = new Set<string>();
  private readonly watermark: ReturnType<typeof readWatermarkFile>;
  /** Undefined until known: when the watermark is unreadable, the journal's beginning cannot be distinguished from a loss. */
  private expected: number | undefined;
  private lastEpoch = 0;
  private damagedBytes = 0;

  constructor(
    private readonly folder: ScannedFolder,
    private readonly log: JournalLog | undefined,
    private readonly files: JournalFiles,
  ) {
    this.watermark = readWatermarkFile(folder.path, files);
    if (this.watermark === 'unreadable') log?.warn({ folder: folder.path }, 'the watermark of the usage journal is unreadable');
    else if (this.watermark === 'none') this.expected = 0;
    else this.lastEpoch = this.watermark.epoch;
  }

  /** A segment whose own header names another place was copied here by somebody: its records are shipped elsewhere. */
  keepOwn(found: SegmentFile[]): SegmentFile[] {
    return found.filter((segment) => {
      const header = readHeader(segment.path, this.files);
      const isOwn = header === undefined || (header.writerId === this.folder.writerId && header.firstSequence === segment.firstSequence);
      if (!isOwn) this.setAside(segment);
      return isOwn;
    });
  }

  readSegment(segment: SegmentFile, isLast: boolean): void {
    const buffer = this.files.readFileSync(segment.path);
    if (isLast && buffer.length < SEGMENT_HEADER_BYTES) this.cutTo(segment, 0); // the crash came while it was being created
    const header = decodeSegmentHeader(buffer);
    // A folder whose earliest segment starts below what was trimmed still has what it needs; above it, something is missing.
    if (this.expected === undefined) this.expected = this.trimmedUpTo(segment.firstSequence);
    this.expectSequence(segment.firstSequence);
    if (header !== undefined) this.lastEpoch = Math.max(this.lastEpoch, header.epoch);
    const isWhole = header !== undefined || segment.bytes === 0;
    const damage: SequenceRange[] = isWhole ? [] : [{ from: 0, to: SEGMENT_HEADER_BYTES }];
    walkRecords(
      buffer,
      { start: SEGMENT_HEADER_BYTES, end: buffer.length, isLast: true },
      {
        onRecord: (record) => {
          this.readOne(buffer, record, segment);
          return true;
        },
        onDamage: (from, to) => {
          damage.push({ from, to });
          this.openAtDamage = [...this.open.keys()];
        },
      },
    );
    if (isLast) this.cutTornTail(segment, damage);
    this.reportDamage(segment, damage);
  }

  finish(segments: SegmentFile[]): FolderScan {
    const watermark = typeof this.watermark === 'object' ? this.watermark : undefined;
    const past = this.expected ?? 0;
    const nextSequence = watermark === undefined ? past : Math.max(past, watermark.sequence + 1);
    // What was aggregated but is not here any more may have ended anything that is still open.
    if (nextSequence > past && segments.length > 0) this.doubt(this.open.keys());
    for (const eventId of this.doubtful) this.open.delete(eventId);
    return {
      segments,
      watermark,
      lastEpoch: this.lastEpoch,
      nextSequence,
      open: this.open,
      doubtful: [...this.doubtful],
      newGaps: this.gaps.filter(({ from, to }) => to > (watermark?.sequence ?? -1) && !this.reportedGaps.has(`${from}-${to}`)),
      damagedBytes: this.damagedBytes,
      isEmptied: segments.every(({ bytes }) => bytes === 0),
      isCut: nextSequence > past && segments.length > 0 && !this.reportedGaps.has(`${past}-${nextSequence - 1}`),
    };
  }

  private trimmedUpTo(firstSequence: number): number {
    if (typeof this.watermark !== 'object') return firstSequence;
    return Math.min(firstSequence, this.watermark.sequence + 1);
  }

  private expectSequence(sequence: number): void {
    const expected = this.expected ?? sequence;
    if (sequence > expected) {
      this.gaps.push({ from: expected, to: sequence - 1 });
      // What began after the damage cannot have ended in it. Without damage a segment is missing, which may have held any end.
      this.doubt(this.openAtDamage ?? this.open.keys());
    }
    this.expected = Math.max(expected, sequence);
  }

  private doubt(eventIds: Iterable<string>): void {
    for (const eventId of eventIds) if (this.open.has(eventId)) this.doubtful.add(eventId);
  }

  private readOne(buffer: Buffer, record: RecordView, segment: SegmentFile): void {
    if (record.type === RECORD.begin) {
      const { eventId, text } = readText(buffer, record);
      this.open.set(eventId, { draft: text, segment, outputTokens: undefined });
    } else if (record.type === RECORD.progress) {
      const { eventId, outputTokens } = readProgress(buffer, record);
      const draft = this.open.get(eventId);
      if (draft !== undefined) draft.outputTokens = Math.max(outputTokens, draft.outputTokens ?? 0);
    } else if (isEnd(record.type)) {
      this.expectSequence(record.sequence);
      this.openAtDamage = undefined;
      const { eventId } = readText(buffer, record);
      // A short end without its beginning is no whole event.
      if (record.type === RECORD.shortEnd && this.open.get(eventId)?.segment !== segment)
        this.gaps.push({ from: record.sequence, to: record.sequence });
      this.open.delete(eventId);
      this.doubtful.delete(eventId);
      this.expected = Math.max(this.expected ?? 0, record.sequence + 1);
    } else if (record.type === RECORD.epoch) {
      this.lastEpoch = Math.max(this.lastEpoch, readEpoch(buffer, record));
    } else {
      const { from, to } = readGap(buffer, record);
      this.reportedGaps.add(`${from}-${to}`);
    }
  }

  private cutTornTail(segment: SegmentFile, damage: SequenceRange[]): void {
    const tail = damage.at(-1);
    if (tail === undefined || tail.to !== segment.bytes || tail.from === 0) return;
    damage.pop();
    this.log?.info({ segment: segment.path, from: tail.from, to: tail.to }, 'the torn end of the usage journal was cut off');
    this.cutTo(segment, tail.from);
  }

  private cutTo(segment: SegmentFile, bytes: number): void {
    this.files.truncateSync(segment.path, bytes);
    segment.bytes = bytes;
  }

  private reportDamage(segment: SegmentFile, damage: readonly SequenceRange[]): void {
    const first = damage[0];
    if (first === undefined) return;
    this.damagedBytes += damage.reduce((sum, { from, to }) => sum + to - from, 0);
    this.log?.error(
      { segment: segment.path, damage: damage.slice(0, 10) },
      'a segment of the usage journal is damaged; the rest of it is used',
    );
    this.attempt(() => keepDamagedCopy(this.files, this.folder.path, segment.path, first.from));
  }

  private setAside(segment: SegmentFile): void {
    this.log?.error({ segment: segment.path }, 'a segment that belongs elsewhere was moved out of the usage journal');
    this.attempt(() => moveToQuarantine(this.files, this.folder.path, segment.path));
  }

  /** Keeping evidence must not stop a start: a full disk is when it fails. */
  private attempt(keepEvidence: () => void): void {
    try {
      keepEvidence();
    } catch (error) {
      this.log?.warn({ error, folder: this.folder.path }, 'a damaged segment could not be copied aside');
    }
  }
}

function readHeader(path: string, files: JournalFiles): SegmentHeader | undefined {
  const buffer = Buffer.alloc(SEGMENT_HEADER_BYTES);
  const fd = files.openSync(path, 'r');
  try {
    return files.readSync(fd, buffer, 0, buffer.length, 0) < buffer.length ? undefined : decodeSegmentHeader(buffer);
  } finally {
    files.closeSync(fd);
  }
}
