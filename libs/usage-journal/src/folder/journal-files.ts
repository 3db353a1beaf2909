import { lockDirectory, makePrivateDirectory, tightenMode, type DirectoryLock } from '@weir/directory-lock';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { syncFolder, syncPathNow } from './sync-folder';

type FileFacts = { readonly size: number; readonly ino: number; readonly dev: number; isDirectory(): boolean };

/** An open file that is read. */
export type ReadFile = {
  read(into: Buffer, at: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
};

/**
 * The disk that a journal is on, as an interface: specs let single calls fail, the simulator has disks of its own. Calls are
 * those of `node:fs`, with its errors; paths are absolute.
 */
export type JournalFiles = {
  /** Writes `length` of the bytes, from offset `from` on, and returns how many were taken. */
  writeSync(fd: number, bytes: Buffer, from: number, length: number): number;
  /** Writes from a position of the file on, over what is there; returns how many bytes were taken. */
  writeAtSync(fd: number, bytes: Buffer, position: number): number;
  fdatasync(fd: number, done: (error: Error | null) => void): void;
  fdatasyncSync(fd: number): void;
  /** With the flags of `node:fs`, of which a journal uses `r`, `w`, `a+` and `ax+`. Others may read nothing of what is made. */
  openSync(path: string, flags: string): number;
  closeSync(fd: number): void;
  readSync(fd: number, into: Buffer, at: number, length: number, position: number): number;
  ftruncateSync(fd: number, bytes: number): void;
  fstatSync(fd: number): FileFacts;
  /** Undefined where there is no such file. */
  statSync(path: string): FileFacts | undefined;
  existsSync(path: string): boolean;
  readFileSync(path: string): Buffer;
  readdirSync(path: string): string[];
  truncateSync(path: string, bytes: number): void;
  renameSync(from: string, to: string): void;
  copyFileSync(from: string, to: string): void;
  /** Removes a file, or a folder with all that is in it; what is not there is no error. */
  rmSync(path: string): void;
  /** Makes what was written to a file, or the names in a folder, durable. */
  syncPathNow(path: string): void;
  syncFolder(path: string): Promise<void>;
  openToRead(path: string): Promise<ReadFile>;
  /** Writes a whole file and makes its bytes durable; its name is so after `syncFolder`. */
  writeDurably(path: string, bytes: Buffer): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  lockDirectory(path: string, name: string): DirectoryLock | undefined;
  makePrivateDirectory(path: string): void;
  tightenMode(path: string): void;
};

/** Of what is made, only its owner may read and write. */
const PRIVATE = 0o600;

/**
 * 1 while the main thread is inside a call to the disk, which returns when the disk likes: other threads see by it that the process
 * waits and is not stuck. Memory that threads share.
 */
export const DISK_CALLS = new Int32Array(new SharedArrayBuffer(4));

/** The same call, seen by other threads while it runs. */
function mark<Args extends unknown[], Result>(call: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    Atomics.store(DISK_CALLS, 0, 1);
    try {
      return call(...args);
    } finally {
      Atomics.store(DISK_CALLS, 0, 0);
    }
  };
}

export const NODE_FILES: JournalFiles = {
  // As `mark` does, without a list of arguments: every record is written by it.
  writeSync: (fd, bytes, from, length) => {
    Atomics.store(DISK_CALLS, 0, 1);
    try {
      return writeSync(fd, bytes, from, length);
    } finally {
      Atomics.store(DISK_CALLS, 0, 0);
    }
  },
  writeAtSync: mark((fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position)),
  fdatasync,
  fdatasyncSync: mark(fdatasyncSync),
  openSync: mark((path, flags) => openSync(path, flags, PRIVATE)),
  closeSync: mark(closeSync),
  readSync: mark((...all: Parameters<JournalFiles['readSync']>) => readSync(...all)),
  ftruncateSync: mark(ftruncateSync),
  fstatSync: mark((fd) => fstatSync(fd)),
  statSync: mark((path) => statSync(path, { throwIfNoEntry: false })),
  existsSync: mark(existsSync),
  readFileSync: mark((path) => readFileSync(path)),
  readdirSync: mark((path) => readdirSync(path)),
  truncateSync: mark(truncateSync),
  renameSync: mark(renameSync),
  copyFileSync: mark(copyFileSync),
  rmSync: mark((path) => rmSync(path, { recursive: true, force: true })),
  syncPathNow: mark(syncPathNow),
  syncFolder,
  openToRead: (path) => open(path, 'r'),
  writeDurably: async (path, bytes) => {
    const file = await open(path, 'w', PRIVATE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  ...{ rename, unlink },
  lockDirectory: mark(lockDirectory),
  makePrivateDirectory: mark(makePrivateDirectory),
  tightenMode: mark(tightenMode),
};

/** A disk that is nearly full takes a part and says so only at the next write. */
export function writeWhole(
  files: Pick<JournalFiles, 'writeSync'>,
  { fd, bytes, length }: { fd: number; bytes: Buffer; length: number },
): void {
  for (let written = 0; written < length;) written += files.writeSync(fd, bytes, written, length - written);
}

/** The same, at a position. */
export function writeWholeAt(files: Pick<JournalFiles, 'writeAtSync'>, fd: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length;) written += files.writeAtSync(fd, bytes.subarray(written), position + written);
}
