import type { BufferSource } from 'mediabunny';

/** One read for each block of the densest recordings, which are read twice at most. */
const BYTES_PER_READ_MIN = 4;
/** What small files need, whatever they hold. */
const READS_FREE = 10_000;
/** Reads up to this size look for something; a larger one is parsed whole. */
const LARGE_BYTES = 64 * 1024;
/** How often a file may be parsed whole: once for each track without an index. */
const PASSES_MAX = 16;
/** The work of a few milliseconds. */
const READS_BETWEEN_PAUSES = 1_024;
const BYTES_BETWEEN_PAUSES = 1024 ** 2;

type Part = { readonly bytes: Uint8Array; readonly view: DataView; readonly offset: number };

/** A file at hand that counts what is read of it. */
export type PacedSource = BufferSource & { readonly reads: number };

/** How many reads a file of so many bytes gets. */
export function countReadsMax(size: number): number {
  return READS_FREE + Math.ceil(size / BYTES_PER_READ_MIN);
}

/**
 * A file at hand whose reader pauses for the event loop, and fails once it has read more than any honest file needs: a file
 * may be made so that each of its bytes is looked at many times. Both go by counts, because a clock would make what is
 * charged depend on how busy the machine is. `_read` is what the library calls for every part of a file; it is not among its
 * public names, and its version is pinned.
 */
export function createPacedSource(Base: typeof BufferSource, file: Uint8Array): PacedSource {
  const part: Part = { bytes: file, view: new DataView(file.buffer, file.byteOffset, file.byteLength), offset: 0 };
  const readsMax = countReadsMax(file.byteLength);
  const largeBytesMax = file.byteLength * PASSES_MAX;
  return new (class extends Base {
    reads = 0;
    private largeBytes = 0;
    private readsAtPause = 0;
    private bytesAtPause = 0;
    private pause: Promise<Part> | undefined;

    _read(start: number, end: number): Part | Promise<Part> {
      this.reads += 1;
      if (end - start > LARGE_BYTES) this.largeBytes += end - start;
      if (this.reads > readsMax || this.largeBytes > largeBytesMax) throw new Error('The recording takes too many reads to measure.');
      if (this.isPauseDue()) this.pause = this.startPause();
      return this.pause ?? part;
    }

    private isPauseDue(): boolean {
      if (this.pause !== undefined) return false;
      return this.reads - this.readsAtPause >= READS_BETWEEN_PAUSES || this.largeBytes - this.bytesAtPause >= BYTES_BETWEEN_PAUSES;
    }

    /** Tracks are read side by side: all of them wait for the pause that one of them came to. */
    private async startPause(): Promise<Part> {
      await new Promise((resolve) => void setImmediate(resolve));
      this.pause = undefined;
      this.readsAtPause = this.reads;
      this.bytesAtPause = this.largeBytes;
      return part;
    }
  })(file);
}
