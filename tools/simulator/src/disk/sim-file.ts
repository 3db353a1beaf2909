/** What a file went through since it was last synced, in order. */
type Change = { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer } | { readonly kind: 'cut'; readonly to: number };

let made = 0;

/**
 * The bytes of a file as the kernel has them, and as they are on the disk: all that was synced, and of what came after it
 * whatever prefix a power cut leaves.
 */
export class SimFile {
  readonly ino = (made += 1);
  size = 0;
  private buffer: Buffer = Buffer.alloc(0);
  private durableSize = 0;
  /** What was synced and has been cut off since, from the lowest cut on. */
  private stash: { readonly from: number; readonly bytes: Buffer } | undefined;
  private changes: Change[] = [];
  /** How many changes were ever made; those before `syncedChanges` are on the disk. */
  private changed = 0;

  write(at: number, from: Buffer): void {
    const end = at + from.length;
    this.changed += 1;
    if (end > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(4096, end * 2));
      this.buffer.copy(grown, 0, 0, this.size);
      this.buffer = grown;
    }
    from.copy(this.buffer, at);
    this.size = Math.max(this.size, end);
    this.changes.push({ kind: 'write', at, bytes: Buffer.from(from) });
  }

  cut(to: number): void {
    if (to >= this.size) return;
    this.changed += 1;
    const kept = Math.min(this.durableSize, this.stash?.from ?? Infinity);
    if (to < kept) {
      const rest = this.stash?.bytes ?? Buffer.alloc(0);
      this.stash = { from: to, bytes: Buffer.concat([this.buffer.subarray(to, kept), rest]) };
    }
    this.size = to;
    this.changes.push({ kind: 'cut', to });
  }

  /** Copies up to `length` bytes and returns how many there were. */
  read(into: Buffer, at: number, length: number, position: number): number {
    const end = Math.min(this.size, position + length);
    return end <= position ? 0 : this.buffer.copy(into, at, position, end);
  }

  readAll(): Buffer {
    return Buffer.from(this.buffer.subarray(0, this.size));
  }

  /** A sync covers what was changed before it began. */
  beginSync(): number {
    return this.changed;
  }

  endSync(upTo: number): void {
    const kept = this.changed - upTo;
    if (kept === 0) {
      this.durableSize = this.size;
      this.stash = undefined;
      this.changes = [];
      return;
    }
    const synced = this.changes.slice(0, Math.max(0, this.changes.length - kept));
    if (synced.length === 0) return;
    const later = this.changes.slice(synced.length);
    const durable = replay(this.durable(), synced);
    this.changes = later;
    this.durableSize = durable.length;
    // What came later may have cut it again: the whole of it is kept aside until the next sync.
    this.stash = { from: 0, bytes: durable };
  }

  /** The power fails: of what was not synced some prefix is on the disk, the last of it in part. `keep`: from 0 up to 1. */
  loseUnsynced(keep: () => number): void {
    const survivors = this.changes.slice(0, Math.floor(keep() * (this.changes.length + 1)));
    const torn = this.changes[survivors.length];
    if (torn?.kind === 'write') survivors.push({ ...torn, bytes: torn.bytes.subarray(0, Math.floor(keep() * torn.bytes.length)) });
    this.buffer = replay(this.durable(), survivors);
    this.size = this.buffer.length;
    this.durableSize = this.size;
    this.stash = undefined;
    this.changes = [];
  }

  private durable(): Buffer {
    const { stash, durableSize } = this;
    if (stash === undefined) return Buffer.from(this.buffer.subarray(0, durableSize));
    return Buffer.concat([this.buffer.subarray(0, stash.from), stash.bytes]).subarray(0, durableSize);
  }
}

function replay(bytes: Buffer, changes: readonly Change[]): Buffer {
  let result = bytes;
  for (const change of changes) {
    if (change.kind === 'cut') result = result.subarray(0, Math.min(result.length, change.to));
    else {
      const grown = Buffer.alloc(Math.max(result.length, change.at + change.bytes.length));
      result.copy(grown);
      change.bytes.copy(grown, change.at);
      result = grown;
    }
  }
  return result;
}
