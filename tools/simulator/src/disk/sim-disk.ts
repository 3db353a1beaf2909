import type { Owner } from '../physics/scheduler';
import { SimFile } from './sim-file';
import { SimFolder, type Node } from './sim-folder';

/** An error as the operating system has it. */
export function failWith(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** One machine's disk: it outlives processes, and keeps of a power cut what a disk keeps. */
export class SimDisk {
  private root = new SimFolder();
  /** Who has which folder for itself. */
  private readonly locks = new Map<SimFolder, Owner>();
  /** Bytes that fit on it. */
  capacity = Infinity;
  used = 0;
  /** The next write or sync fails for good. */
  failsNext: 'write' | 'sync' | null = null;

  find(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of split(path)) node = node instanceof SimFolder ? node.names.get(name) : undefined;
    return node;
  }

  file(path: string): SimFile {
    const node = this.find(path);
    if (!(node instanceof SimFile)) throw failWith('ENOENT', path);
    return node;
  }

  folder(path: string): SimFolder {
    const node = this.find(path);
    if (!(node instanceof SimFolder)) throw failWith('ENOENT', path);
    return node;
  }

  /** Journals in a directory. Nothing is in a folder over which its process died before it had its name. */
  listJournals(path: string): string[] {
    return [...this.folder(path).names.keys()].filter((name) => !name.endsWith('.new'));
  }

  make(path: string): SimFile {
    const file = new SimFile();
    this.parent(path).change((names) => names.set(last(path), file));
    return file;
  }

  makeFolder(path: string): void {
    let folder = this.root;
    for (const name of split(path)) {
      const known = folder.names.get(name);
      if (known instanceof SimFolder) folder = known;
      else {
        const made = new SimFolder();
        folder.change((names) => names.set(name, made));
        folder = made;
      }
    }
  }

  rename(from: string, to: string): void {
    const node = this.find(from);
    if (node === undefined) throw failWith('ENOENT', from);
    const source = this.parent(from);
    const target = this.parent(to);
    const put = (names: Map<string, Node>): void => void names.set(last(to), node);
    const take = (names: Map<string, Node>): void => void names.delete(last(from));
    if (source === target) {
      source.change((names) => {
        take(names);
        put(names);
      });
    } else {
      target.change(put);
      source.change(take);
    }
  }

  /** What is not there is no error. */
  remove(path: string): void {
    const node = this.find(path);
    if (node === undefined) return;
    this.used -= measure(node);
    this.parent(path).change((names) => names.delete(last(path)));
  }

  /** False where another one that lives has it. */
  lock(path: string, owner: Owner): boolean {
    const folder = this.folder(path);
    const holder = this.locks.get(folder);
    if (holder?.isAlive === true) return false;
    this.locks.set(folder, owner);
    return true;
  }

  unlock(folder: SimFolder, owner: Owner): void {
    if (this.locks.get(folder) === owner) this.locks.delete(folder);
  }

  /** Throws where nothing fits; returns how many bytes do. */
  claim(path: string, bytes: number): number {
    const left = this.capacity - this.used;
    if (left <= 0) throw failWith('ENOSPC', path);
    const taken = Math.min(left, bytes);
    this.used += taken;
    return taken;
  }

  /** `keep` decides what of the unsynced is left: from 0 up to 1, asked again and again. */
  cutPower(keep: () => number): void {
    this.root.loseUnsynced(keep);
    this.locks.clear();
    this.used = measure(this.root);
  }

  private parent(path: string): SimFolder {
    return this.folder(path.slice(0, path.lastIndexOf('/')));
  }
}

function split(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function last(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function measure(node: Node): number {
  if (node instanceof SimFile) return node.size;
  let sum = 0;
  for (const child of node.names.values()) sum += measure(child);
  return sum;
}
