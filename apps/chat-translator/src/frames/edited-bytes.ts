/**
 * Bytes of which pieces are left out or written anew. Edited as text in which a character stands for a byte: to join pieces of
 * it costs less than to copy bytes piece by piece.
 */
export class EditedBytes {
  private edited = '';
  private isEdited = false;
  /** As far as the source is dealt with. */
  private taken = 0;

  /** `text`: the source as latin1. */
  constructor(
    private readonly source: Buffer,
    private readonly text: string,
  ) {}

  /** Leaves out the source's bytes from `start` to `end`. Changes come in order. */
  leaveOut(start: number, end: number): void {
    if (start > this.taken) this.edited += this.text.slice(this.taken, start);
    this.taken = end;
    this.isEdited = true;
  }

  replace(start: number, end: number, by: string): void {
    this.leaveOut(start, end);
    this.edited += Buffer.from(by).toString('latin1');
  }

  /** What became of the source before `end`; the source itself when nothing was changed in all of it. */
  take(end: number = this.source.length): Buffer {
    if (!this.isEdited) return end === this.source.length ? this.source : this.source.subarray(0, end);
    this.leaveOut(end, end);
    return Buffer.from(this.edited, 'latin1');
  }
}
