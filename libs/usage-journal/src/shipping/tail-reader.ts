import type { SequencedUsageEvent } from '@weir/contracts';
import { NODE_FILES, type ReadFile } from '../folder/journal-files';
import type { SegmentFile } from '../folder/segment-files';
import { isEnd, readEpoch, readPart, readText, RECORD, RECORD_BYTES_MAX, type RecordView } from '../format/record';
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES } from '../format/segment-header';
import { walkRecords } from '../format/walk-records';
import type { JournalLog } from '../ports/journal-log';
import type { JournalTail } from '../usage-journal';

/** Holds any one record, so that a record cut at its end is whole after the next read. */
const CHUNK_BYTES = RECORD_BYTES_MAX + 64 * 1024;
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;

type Source = { readonly tail: JournalTail; readonly writerId: string; readonly epoch: number; readonly log?: JournalLog };
type OpenSegment = {
  readonly file: SegmentFile;
  readonly generation: number | undefined;
  readonly handle: ReadFile;
  offset: number;
  /** The texts of beginnings that were passed and whose end was not yet: a short end has its beginning in its own segment. */
  begun: Map<string, string>;
};
type Batch = { readonly events: SequencedUsageEvent[]; readonly max: number; characters: number };

/**
 * Reads end records back from the segment files in the order of their sequences, up to what is safe on disk. A sequence
 * that is missing is shipped as an event of its own, so that the aggregator learns that it will never come.
 */
export class TailReader {
  /** The next sequence to return. */
  expected: number;
  private segment: OpenSegment | undefined;
  private epoch: number;
  /** Sequences below this one that were not found are lost. */
  private lostBelow = 0;
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);

  constructor(
    private readonly source: Source,
    from: number,
  ) {
    this.expected = from;
    this.epoch = source.epoch;
  }

  /** Up to `max` events; none when everything safe on disk was returned. */
  async next(max: number): Promise<SequencedUsageEvent[]> {
    const batch: Batch = { events: [], max, characters: 0 };
    for (;;) {
      this.reportLost(batch);
      if (isFull(batch) || !(await this.readChunk(batch))) return batch.events;
    }
  }

  async seek(sequence: number): Promise<void> {
    await this.close();
    this.expected = sequence;
    this.lostBelow = 0;
  }

  async close(): Promise<void> {
    const { segment } = this;
    this.segment = undefined;
    await segment?.handle.close();
  }

  /** Returns false when there is nothing more to read now. */
  private async readChunk(batch: Batch): Promise<boolean> {
    const segment = await this.currentSegment();
    if (segment === undefined) return false;
    const { durable } = this.source.tail;
    if (segment.file.firstSequence > durable.segment) return false;
    const isActive = segment.file.firstSequence === durable.segment;
    const limit = isActive ? durable.offset : segment.file.bytes;
    if (segment.offset >= limit) return isActive ? false : this.openNext(segment);
    const wanted = Math.min(this.chunk.length, limit - segment.offset);
    const { bytesRead } = await segment.handle.read(this.chunk, 0, wanted, segment.offset);
    // A file shorter than we know it to be was cut by somebody: what is gone shows as missing sequences.
    if (bytesRead === 0) return isActive ? false : this.openNext(segment);
    const isLast = segment.offset + bytesRead >= limit;
    const used = walkRecords(this.chunk, { start: 0, end: bytesRead, isLast }, this.visit(batch, segment));
    segment.offset += used;
    return used > 0 || this.expected < this.lostBelow;
  }

  private async currentSegment(): Promise<OpenSegment | undefined> {
    const { segment } = this;
    if (segment === undefined) return this.openFirst();
    if (segment.generation === segment.file.generation) return segment;
    const { file, offset, begun } = segment;
    await this.close();
    const again = await this.openSegment(file);
    if (again?.file === file) Object.assign(again, { offset, begun }); // the same bytes as before, in a file of their own
    return again;
  }

  private visit(batch: Batch, segment: OpenSegment): Parameters<typeof walkRecords>[2] {
    return {
      onRecord: (record) => this.takeRecord(batch, record, segment.begun),
      onDamage: (from, to) => {
        const at = segment.offset + from;
        this.source.log?.error(
          { segment: segment.file.path, at, bytes: to - from },
          'a damaged stretch of the usage journal was passed over',
        );
      },
    };
  }

  private takeRecord(batch: Batch, record: RecordView, begun: Map<string, string>): boolean {
    if (record.type === RECORD.begin) {
      const { eventId, text } = readText(this.chunk, record);
      begun.set(eventId, text);
    } else if (record.type === RECORD.epoch) this.epoch = readEpoch(this.chunk, record);
    return isEnd(record.type) ? this.takeEnd(batch, record, begun) : true;
  }

  private takeEnd(batch: Batch, record: RecordView, begun: Map<string, string>): boolean {
    if (record.sequence > this.expected) {
      this.lostBelow = record.sequence;
      return false;
    }
    const isNew = record.sequence === this.expected;
    if (isNew && isFull(batch)) return false;
    const { eventId, text } = readText(this.chunk, record);
    if (isNew) {
      const beginning = record.type === RECORD.end ? '' : this.cutBeginning(record, begun.get(eventId));
      const payload =
        beginning === undefined ? describeLost(this.source.writerId, record.sequence, { eventId, rest: text }) : beginning + text;
      this.report(batch, payload, this.epoch);
    }
    begun.delete(eventId);
    return true;
  }

  /** What a short end leaves out. Undefined when its `begin` was damaged. */
  private cutBeginning(record: RecordView, text: string | undefined): string | undefined {
    const { at, length } = readPart(this.chunk, record);
    return text?.slice(at, at + length);
  }

  private reportLost(batch: Batch): void {
    while (this.expected < this.lostBelow && !isFull(batch))
      this.report(batch, describeLost(this.source.writerId, this.expected), this.source.epoch);
  }

  private report(batch: Batch, payload: string, epoch: number): void {
    batch.events.push({ writerId: this.source.writerId, epoch, sequence: BigInt(this.expected), payload });
    batch.characters += payload.length;
    this.expected += 1;
  }

  private openFirst(): Promise<OpenSegment | undefined> {
    const { segments } = this.source.tail;
    const holding = segments.findLast((segment) => segment.firstSequence <= this.expected) ?? segments[0];
    return this.openSegment(holding);
  }

  private async openNext(current: OpenSegment): Promise<boolean> {
    const next = this.findAfter(current.file);
    if (next === undefined) return false;
    await this.close();
    return (await this.openSegment(next)) !== undefined;
  }

  private findAfter(file: SegmentFile): SegmentFile | undefined {
    return this.source.tail.segments.find((segment) => segment.firstSequence > file.firstSequence);
  }

  private async openSegment(file: SegmentFile | undefined): Promise<OpenSegment | undefined> {
    if (file === undefined) return undefined;
    const { files = NODE_FILES } = this.source.tail;
    const handle = await files.openToRead(file.path).catch((error: unknown) => {
      // Whatever happened to it, the segments after it can still be read, and what is missing shows by its sequences.
      this.source.log?.error({ error, segment: file.path }, 'a segment of the usage journal cannot be opened');
    });
    if (handle === undefined) return this.openSegment(this.findAfter(file));
    const head = Buffer.alloc(SEGMENT_HEADER_BYTES);
    await handle.read(head, 0, head.length, 0);
    this.epoch = decodeSegmentHeader(head)?.epoch ?? this.epoch;
    // The segment's name says where it starts: what should have come before it is lost.
    this.lostBelow = Math.max(this.lostBelow, file.firstSequence);
    this.segment = { file, generation: file.generation, handle, offset: SEGMENT_HEADER_BYTES, begun: new Map() };
    return this.segment;
  }
}

function isFull(batch: Batch): boolean {
  return batch.events.length >= batch.max || batch.characters >= BATCH_CHARACTERS_MAX;
}

/**
 * Not a usage event on purpose: the aggregator puts it into the dead letters under its sequence, where operators look. Of an
 * end whose beginning cannot be read, what is known goes with it.
 */
function describeLost(writerId: string, sequence: number, known?: { readonly eventId: string; readonly rest: string }): string {
  return JSON.stringify({
    v: 1,
    lost: true,
    writer_id: writerId,
    seq: sequence,
    ...(known === undefined
      ? { reason: 'this record of the usage journal could not be read' }
      : { reason: 'the beginning of this event could not be read', event_id: known.eventId, rest: known.rest }),
  });
}
