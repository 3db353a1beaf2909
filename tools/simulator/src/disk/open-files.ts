import type { UsageJournalOptions } from '@weir/usage-journal';
import type { SimProcess } from '../physics/sim-process';
import { failWith, type SimDisk } from './sim-disk';
import { SimFile } from './sim-file';

type Files = Required<NonNullable<UsageJournalOptions['files']>>;
type OpenFile = { readonly path: string; readonly file: SimFile; position: number; readonly isAppended: boolean };

const DEVICE = 1;
const SYNC_MS = { least: 1, most: 8 };

/** A disk as one process uses it: everything it does to it is a step at which it may die, or the disk may fail. */
export function openFiles(disk: SimDisk, process: SimProcess): Files {
  const files = new DiskCalls(disk, process);
  return {
    writeSync: (fd, bytes, from, length) => files.write(fd, bytes.subarray(from, from + length)),
    writeAtSync: (fd, bytes, position) => files.write(fd, bytes, position),
    fdatasync: (fd, done) => files.sync(fd, done),
    fdatasyncSync: (fd) => files.syncAtOnce(fd),
    openSync: (path, flags) => files.open(path, flags),
    closeSync: (fd) => files.close(fd),
    readSync: (fd, ...wanted) => files.opened(fd).file.read(...wanted),
    ftruncateSync: (fd, bytes) => files.cut(files.opened(fd).file, bytes),
    truncateSync: (path, bytes) => files.cut(disk.file(path), bytes),
    fstatSync: (fd) => describe(files.opened(fd).file),
    statSync: (path) => files.stat(path),
    existsSync: (path) => disk.find(path) !== undefined,
    readFileSync: (path) => disk.file(path).readAll(),
    readdirSync: (path) => [...disk.folder(path).names.keys()],
    renameSync: (from, to) => files.rename(from, to),
    copyFileSync: (from, to) => disk.make(to).write(0, disk.file(from).readAll()),
    rmSync: (path) => files.remove(path),
    syncPathNow: (path) => files.syncNow(path),
    syncFolder: (path) => files.syncFolder(path),
    openToRead: (path) => files.openToRead(path),
    writeDurably: (path, bytes) => files.writeDurably(path, bytes),
    rename: (from, to) => files.later('rename', () => files.rename(from, to)),
    unlink: (path) => files.later('unlink', () => files.unlink(path)),
    lockDirectory: (path, name) => files.lock(path, name),
    makePrivateDirectory: (path) => files.makeFolder(path),
    tightenMode: () => undefined,
  };
}

function describe(file: SimFile): ReturnType<Files['fstatSync']> {
  return { size: file.size, ino: file.ino, dev: DEVICE, isDirectory: () => false };
}

class DiskCalls {
  private readonly handles = new Map<number, OpenFile>();
  private nextFd = 3;

  constructor(
    private readonly disk: SimDisk,
    private readonly process: SimProcess,
  ) {}

  opened(fd: number): OpenFile {
    const found = this.handles.get(fd);
    if (found === undefined) throw failWith('EBADF', String(fd));
    return found;
  }

  open(path: string, flags: string): number {
    this.process.step('disk open');
    const known = this.disk.find(path);
    if (flags.includes('x') && known !== undefined) throw failWith('EEXIST', path);
    const file = known instanceof SimFile ? known : flags === 'r' ? this.disk.file(path) : this.disk.make(path);
    if (flags === 'w') this.cut(file, 0);
    const fd = (this.nextFd += 1);
    this.handles.set(fd, { path, file, position: 0, isAppended: flags.startsWith('a') });
    return fd;
  }

  close(fd: number): void {
    this.handles.delete(fd);
  }

  write(fd: number, bytes: Buffer, position?: number): number {
    const open = this.opened(fd);
    this.process.step('disk write');
    this.failAt('write', open.path);
    const at = position ?? (open.isAppended ? open.file.size : open.position);
    // What is written over has its space already.
    const over = Math.min(bytes.length, Math.max(0, open.file.size - at));
    const taken = over === bytes.length ? over : over + this.disk.claim(open.path, bytes.length - over);
    // Dying in the middle of a call leaves a part of it.
    const part = this.process.world.faults.tearsWrite(this.process.name) ? Math.floor(taken / 2) : taken;
    open.file.write(at, bytes.subarray(0, part));
    if (position === undefined) open.position = at + part;
    if (part < taken) {
      this.process.kill('dies in the middle of a write');
      this.process.step('disk write');
    }
    return taken;
  }

  sync(fd: number, done: (error: Error | null) => void): void {
    const open = this.opened(fd);
    this.process.step('disk sync');
    const { faults, scheduler } = this.process.world;
    const upTo = open.file.beginSync();
    const failure = this.takeFailure('sync', open.path);
    scheduler.after(faults.diskDelayMs(SYNC_MS.least, SYNC_MS.most), this.process, () => {
      if (failure === null && !faults.isMutated('ship-before-fsync')) open.file.endSync(upTo);
      done(failure);
    });
  }

  syncAtOnce(fd: number): void {
    const { file, path } = this.opened(fd);
    this.process.step('disk sync');
    this.failAt('sync', path);
    if (!this.process.world.faults.isMutated('ship-before-fsync')) file.endSync(file.beginSync());
  }

  cut(file: SimFile, bytes: number): void {
    this.process.step('disk cut');
    this.disk.used -= Math.max(0, file.size - bytes);
    file.cut(bytes);
  }

  stat(path: string): ReturnType<Files['statSync']> {
    const node = this.disk.find(path);
    if (node instanceof SimFile) return describe(node);
    return node === undefined ? undefined : { size: 0, ino: 0, dev: DEVICE, isDirectory: () => true };
  }

  rename(from: string, to: string): void {
    this.process.step('disk rename');
    this.disk.rename(from, to);
  }

  remove(path: string): void {
    this.process.step('disk remove');
    this.disk.remove(path);
  }

  unlink(path: string): void {
    if (this.disk.find(path) === undefined) throw failWith('ENOENT', path);
    this.remove(path);
  }

  makeFolder(path: string): void {
    this.process.step('disk mkdir');
    this.disk.makeFolder(path);
  }

  syncNow(path: string): void {
    this.process.step('disk sync');
    const node = this.disk.find(path);
    if (node instanceof SimFile) node.endSync(node.beginSync());
    else this.disk.folder(path).sync();
  }

  syncFolder(path: string): Promise<void> {
    return this.later('sync of a folder', () => this.disk.folder(path).sync());
  }

  async openToRead(path: string): ReturnType<Files['openToRead']> {
    const file = await this.later('open', () => this.disk.file(path));
    return {
      read: async (into, at, length, position) => {
        const bytesRead = await this.later('read', () => file.read(into, at, length, position));
        return { bytesRead };
      },
      close: () => Promise.resolve(),
    };
  }

  writeDurably(path: string, bytes: Buffer): Promise<void> {
    return this.later('write', () => {
      const known = this.disk.find(path);
      const file = known instanceof SimFile ? known : this.disk.make(path);
      this.cut(file, 0);
      this.disk.claim(path, bytes.length);
      file.write(0, bytes);
      file.endSync(file.beginSync());
    });
  }

  lock(path: string, name: string): ReturnType<Files['lockDirectory']> {
    this.process.step('disk lock');
    const { disk, process } = this;
    const folder = disk.folder(path);
    if (!disk.lock(path, process)) return undefined;
    if (!folder.names.has(name)) disk.make(`${path}/${name}`);
    return { fd: -1, id: path, release: () => disk.unlock(folder, process) };
  }

  /** Some time after it was asked for, unless the process is dead by then. */
  later<Result>(what: string, run: () => Result): Promise<Result> {
    this.process.step(`disk ${what}`);
    return new Promise((resolve, reject) => {
      this.process.world.scheduler.after(this.process.world.faults.diskDelayMs(0.05, 0.5), this.process, () => {
        try {
          resolve(run());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  private failAt(kind: 'write' | 'sync', path: string): void {
    const failure = this.takeFailure(kind, path);
    if (failure !== null) throw failure;
  }

  private takeFailure(kind: 'write' | 'sync', path: string): Error | null {
    if (this.disk.failsNext !== kind) return null;
    this.disk.failsNext = null;
    this.process.world.trace.note(this.process.name, `FAULT the disk fails a ${kind}`);
    return failWith('EIO', path);
  }
}
