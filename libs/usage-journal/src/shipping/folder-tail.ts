import { fdatasync } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { DurablePosition } from '../folder/durable-position';
import { listSegmentFiles, type SegmentFile } from '../folder/segment-files';
import { syncFolder } from '../folder/sync-folder';
import { readWatermarkFile } from '../folder/watermark-file';
import { RECORD, RECORD_BYTES_MAX } from '../format/record';
import { SEGMENT_HEADER_BYTES } from '../format/segment-header';
import { walkRecords } from '../format/walk-records';
import type { JournalTail } from '../usage-journal';
import type { ShippedJournal } from './create-journal-shipper';

const syncData = promisify(fdatasync);
const CHUNK_BYTES = RECORD_BYTES_MAX + 64 * 1024;
/** Records that are no end; whatever else there is takes a sequence. */
const UNSEQUENCED: ReadonlySet<number> = new Set([RECORD.begin, RECORD.progress, RECORD.epoch, RECORD.gap]);
/** A writer whose folder this process did not make begins with it. */
const FIRST_EPOCH = 1;

type Reading = { readonly file: SegmentFile; readonly inode: bigint; readonly handle: FileHandle; offset: number };

/**
 * The journal of another process that lives, from its files alone. What is read is synced by this process first, so that
 * here as there only what is safe on disk is shipped. Its owner trims it.
 */
export class FolderTail implements ShippedJournal {
  readonly epoch = FIRST_EPOCH;
  readonly tail: JournalTail;
  private readonly segments: SegmentFile[] = [];
  private durable: DurablePosition = { segment: 0, offset: 0, nextSequence: 0 };
  private nextSequence = 0;
  private trimmedBelow = 0;
  private reading: Reading | undefined;
  private endListener: (() => void) | undefined;
  private isClosed = false;
  private following: Promise<void> = Promise.resolve();
  /** A failed sync is never tried again, because the kernel may have dropped the pages it could not write. */
  private failure: Error | undefined;

  constructor(
    private readonly folder: string,
    readonly writerId: string,
  ) {
    this.tail = this.createTail();
  }

  /** Reads what was appended since, and makes it safe. */
  flush(): Promise<void> {
    return (this.following = this.following.catch(() => undefined).then(() => this.follow()));
  }

  /** Looks whether there is more to read, and then calls the listener of `tail`. */
  async look(): Promise<void> {
    const before = this.nextSequence;
    await this.flush();
    if (this.nextSequence > before) this.endListener?.();
  }

  /** Nothing is read from then on: the folder may be another's. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.following.catch(() => undefined);
    await this.closeReading();
  }

  private async follow(): Promise<void> {
    if (this.isClosed) return;
    if (this.failure !== undefined) throw this.failure;
    this.list();
    for (let file = this.current(); file !== undefined; file = this.after(file)) {
      await this.readOn(file);
      const isLast = this.after(file) === undefined;
      if (!isLast) continue;
      const { nextSequence, reading } = this;
      this.durable = { segment: file.firstSequence, offset: reading?.file === file ? reading.offset : 0, nextSequence };
      return;
    }
  }

  /** Files that are there are added; those that are gone leave once what was in them is known to be aggregated. */
  private list(): void {
    const mark = readWatermarkFile(this.folder);
    if (typeof mark === 'object') this.trimmedBelow = Math.max(this.trimmedBelow, mark.sequence + 1);
    const found = listFiles(this.folder);
    const { segments } = this;
    for (const file of found) {
      const known = segments.find(({ firstSequence }) => firstSequence === file.firstSequence);
      if (known === undefined) segments.push(file);
      else known.bytes = file.bytes;
    }
    segments.sort((a, b) => a.firstSequence - b.firstSequence);
    const isThere = new Set(found.map(({ firstSequence }) => firstSequence));
    const isTrimmed = ([first, second]: readonly SegmentFile[]): boolean =>
      first !== undefined && !isThere.has(first.firstSequence) && second !== undefined && second.firstSequence <= this.trimmedBelow;
    while (isTrimmed(segments)) segments.shift();
  }

  /** The file that was read last, or the first one. */
  private current(): SegmentFile | undefined {
    const file = this.reading?.file;
    return file !== undefined && this.segments.includes(file) ? file : this.segments[0];
  }

  private after(file: SegmentFile): SegmentFile | undefined {
    return this.segments.find(({ firstSequence }) => firstSequence > file.firstSequence);
  }

  /** Goes on reading a file as far as it has whole records, and syncs it that far. */
  private async readOn(file: SegmentFile): Promise<void> {
    const reading = await this.openFile(file);
    if (reading === undefined) return;
    const { size } = await reading.handle.stat();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, size - reading.offset)));
    let { offset } = reading;
    let nextSequence = Math.max(this.nextSequence, file.firstSequence);
    while (offset < size) {
      const { bytesRead } = await reading.handle.read(chunk, 0, Math.min(chunk.length, size - offset), offset);
      const { used, lastSequence } = readWhole(chunk, bytesRead);
      if (used === 0) break;
      offset += used;
      nextSequence = Math.max(nextSequence, lastSequence + 1);
    }
    if (offset === reading.offset) return;
    try {
      await syncData(reading.handle.fd);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      throw this.failure;
    }
    reading.offset = offset;
    this.nextSequence = nextSequence;
  }

  private async openFile(file: SegmentFile): Promise<Reading | undefined> {
    const { reading } = this;
    const isAgain = reading?.file === file;
    // Written again under its name when someone removed it: the same bytes, and what was appended since.
    if (isAgain && (await isNamed(file.path, reading.inode))) return reading;
    const handle = await open(file.path, 'r+').catch(ignoreMissing);
    if (handle === undefined) return undefined;
    const { ino } = await handle.stat({ bigint: true });
    const offset = isAgain ? reading.offset : SEGMENT_HEADER_BYTES;
    if (isAgain) file.generation = (file.generation ?? 0) + 1;
    await this.closeReading();
    await syncFolder(this.folder);
    return (this.reading = { file, inode: ino, handle, offset });
  }

  private async closeReading(): Promise<void> {
    const { reading } = this;
    this.reading = undefined;
    await reading?.handle.close();
  }

  private createTail(): JournalTail {
    const read = {
      nextSequence: (): number => this.nextSequence,
      durable: (): DurablePosition => this.durable,
      trimmedBelow: (): number => this.trimmedBelow,
    };
    return {
      segments: this.segments,
      get nextSequence() {
        return read.nextSequence();
      },
      get durable() {
        return read.durable();
      },
      get trimmedBelow() {
        return read.trimmedBelow();
      },
      onEnd: (listener) => {
        this.endListener = listener;
      },
      // Both are its owner's, who learns of the same watermark.
      trim: () => Promise.resolve(),
      skipTo: () => undefined,
    };
  }
}

/** How much of a chunk is whole records, and the last sequence in it. The owner may be in the middle of a record. */
function readWhole(chunk: Buffer, bytes: number): { used: number; lastSequence: number } {
  let lastSequence = -1;
  let damagedFrom = bytes;
  const used = walkRecords(
    chunk,
    { start: 0, end: bytes, isLast: false },
    {
      onRecord: ({ type, sequence }) => {
        damagedFrom = bytes;
        if (!UNSEQUENCED.has(type)) lastSequence = sequence;
        return true;
      },
      // Passed over, and reported by who ships it, once a whole record follows.
      onDamage: (from) => {
        damagedFrom = Math.min(damagedFrom, from);
      },
    },
  );
  return { used: Math.min(used, damagedFrom), lastSequence };
}

function listFiles(folder: string): SegmentFile[] {
  try {
    return listSegmentFiles(folder);
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException) ?? [];
  }
}

async function isNamed(path: string, inode: bigint): Promise<boolean> {
  const named = await stat(path, { bigint: true }).catch(ignoreMissing);
  return named === undefined || named.ino === inode; // gone for now: what is open has what there was
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
