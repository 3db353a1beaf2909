/** Fewer bytes than this are moved sooner one by one than by a call. */
const FEW_BYTES = 32;

/** Bytes of which pieces are left out or written anew; copied only from the first change on. */
export class EditedBytes {
  private target: Buffer | undefined;
  private length = 0;
  /** As far as the source is dealt with. */
  private taken = 0;

  constructor(private readonly source: Buffer) {}

  /** Leaves out the source's bytes from `start` to `end`. Changes come in order. */
  leaveOut(start: number, end: number): void {
    // Most often it is the only change, and then exactly what is needed.
    this.target ??= Buffer.allocUnsafe(this.source.length - (end - start));
    this.keep(start);
    this.taken = end;
  }

  replace(start: number, end: number, text: string): void {
    this.keep(start);
    this.taken = end;
    const bytes = Buffer.byteLength(text);
    this.reserve(bytes).write(text, this.length);
    this.length += bytes;
  }

  /** What became of the source before `end`; the source itself when nothing was changed in all of it. */
  take(end: number = this.source.length): Buffer {
    if (this.target === undefined) return end === this.source.length ? this.source : this.source.subarray(0, end);
    this.keep(end);
    return this.length === this.target.length ? this.target : this.target.subarray(0, this.length);
  }

  private keep(end: number): void {
    const { source, taken, length } = this;
    const target = this.reserve(end - taken);
    this.length += end - taken;
    this.taken = end;
    if (end - taken > FEW_BYTES) source.copy(target, length, taken, end);
    else for (let at = taken; at < end; at += 1) target[length + at - taken] = source[at] as number;
  }

  private reserve(bytes: number): Buffer {
    const needed = this.length + bytes;
    if (this.target !== undefined && this.target.length >= needed) return this.target;
    const grown = Buffer.allocUnsafe(Math.max(this.source.length, needed * 2));
    this.target?.copy(grown, 0, 0, this.length);
    this.target = grown;
    return grown;
  }
}
