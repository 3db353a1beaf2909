import { readRecord, type RecordView } from './record';

type RecordVisitor = {
  /** Returns false to stop before this record. */
  onRecord(record: RecordView): boolean;
  /** No record could be read between these offsets. One stretch of damage may be reported in several pieces. */
  onDamage(from: number, to: number): void;
};

type Range = {
  readonly start: number;
  readonly end: number;
  /** Nothing follows `end`, so what is cut there is damage. */ readonly isLast: boolean;
};

/**
 * Visits the records of a buffer in order and returns the offset up to which it was used. Damage is passed over: the
 * next offset at which a whole record with a right checksum stands is where the walk goes on.
 */
export function walkRecords(buffer: Buffer, range: Range, visitor: RecordVisitor): number {
  let at = range.start;
  while (at < range.end) {
    const record = readRecord(buffer, at, range.end);
    if (typeof record === 'object') {
      if (!visitor.onRecord(record)) return at;
      at = record.end;
    } else if (record === 'short' && !range.isLast) {
      return at;
    } else {
      const next = findRecord(buffer, at + 1, range);
      visitor.onDamage(at, next);
      at = next;
    }
  }
  return at;
}

/** The first offset from `at` on where a record stands, or where one may stand of which the rest is still to come. */
function findRecord(buffer: Buffer, at: number, range: Range): number {
  for (let candidate = at; candidate < range.end; candidate += 1) {
    const record = readRecord(buffer, candidate, range.end);
    if (typeof record === 'object' || (record === 'short' && !range.isLast)) return candidate;
  }
  return range.end;
}
