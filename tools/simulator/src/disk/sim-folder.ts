import type { SimFile } from './sim-file';

export type Node = SimFile | SimFolder;

/** A change of names: one step, all of it or nothing. */
type Change = (names: Map<string, Node>) => void;

/** The names in a folder as the kernel has them, and as they are on the disk. */
export class SimFolder {
  readonly names = new Map<string, Node>();
  private durable = new Map<string, Node>();
  private changes: Change[] = [];

  change(change: Change): void {
    change(this.names);
    this.changes.push(change);
  }

  sync(): void {
    this.durable = new Map(this.names);
    this.changes = [];
  }

  /** The power fails: of what was not synced some prefix is on the disk, here and in all that is in it. */
  loseUnsynced(keep: () => number): void {
    const survivors = this.changes.slice(0, Math.floor(keep() * (this.changes.length + 1)));
    const names = new Map(this.durable);
    for (const change of survivors) change(names);
    this.names.clear();
    for (const [name, node] of names) {
      this.names.set(name, node);
      node.loseUnsynced(keep);
    }
    this.sync();
  }
}
